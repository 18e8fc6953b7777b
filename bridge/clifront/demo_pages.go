package clifront

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// demoPrompt is what the user of the demo wants.
const demoPrompt = "Make the test pass."

// run shows the pages of the demo: what there is, the turn with its question, the review, and what comes next.
func (d *demo) run(ctx context.Context, b *bridge.Bridge) error {
	if err := d.before(ctx); err != nil {
		return err
	}
	d.page("2 of 4: it asks before it changes anything")
	d.tell("You: " + demoPrompt)
	turn, err := d.turn(ctx, b)
	if err != nil {
		return err
	}
	if err := d.next(ctx, "Any key: look at what it changed"); err != nil {
		return err
	}
	d.page("3 of 4: you decide about each hunk")
	d.tell("The first is what you asked for. Nobody asked for the second.")
	if err := d.review(ctx, b, turn); err != nil {
		return err
	}
	if err := d.next(ctx, "Any key: the end"); err != nil {
		return err
	}
	return d.after()
}

// before shows what is on disk and what is on the screen, and that the test fails.
func (d *demo) before(ctx context.Context) error {
	disk := d.scenario.Files[demoFile]
	d.editor.Open(d.path)
	at := strings.Index(disk, onDisk)
	d.editor.Replace(d.path, at, at+len(onDisk), unsaved)
	now, _ := d.editor.Text(d.path)
	d.page("1 of 4: it sees what you see")
	d.tell(demoFile + " on disk, which is all that plain Copilot reads:")
	d.quote(disk, "const ticket", "func Total", "\tsum :=", "\tif n >", "\t\tsum -=")
	d.tell("On your screen, line 4 is different. You have not saved it:")
	d.quote(now, "const ticket")
	d.tell("The test fails:")
	var out bytes.Buffer
	if err := Check(&out, d.path); err == nil {
		return errors.New("the test of the demo passes at once; please report this")
	}
	d.mu.Lock()
	d.written(out.String())
	d.mu.Unlock()
	return d.next(ctx, "Any key: ask the agent to make it pass")
}

// turn runs the turn of the demo.
func (d *demo) turn(ctx context.Context, b *bridge.Bridge) (id string, err error) {
	s, err := b.NewSession(ctx, bridge.NewSessionRequest{Cwd: filepath.Dir(d.path)})
	if err != nil {
		return "", err
	}
	turn, err := b.Prompt(s.ID, []acp.ContentBlock{acp.Text(demoPrompt)}, nil)
	if err != nil {
		return "", err
	}
	defer context.AfterFunc(ctx, func() { _ = b.Cancel(s.ID, bridge.Cancellation{Turn: turn.ID}) })()
	end, err := d.Wait(ctx, turn.ID)
	if err == nil && end.Err != nil {
		err = end.Err
	}
	return turn.ID, err
}

// review lets the user go through the hunks. Where nobody does, the first is kept and the last undone.
func (d *demo) review(ctx context.Context, b *bridge.Bridge, turn string) error {
	r := Reviewing{Filter: review.Filter{Turn: turn}} // what is left is gone with the folder
	if d.Keys != nil {
		return d.Review(ctx, b, r)
	}
	all := pending(ctx, b, r.Filter)
	if len(all) != 2 {
		return fmt.Errorf("the demo expected two hunks to review, there are %d", len(all))
	}
	d.List(ctx, b, r)
	d.tell("You keep the first and undo the last.")
	d.kept(b, review.Selector{Hunks: []string{all[0].ID}})
	d.undo(ctx, b, review.Selector{Hunks: []string{all[1].ID}})
	return nil
}

// after shows what the file is now, and what to do next.
func (d *demo) after() error {
	now, _ := d.editor.Text(d.path)
	if !strings.Contains(now, unsaved) {
		return errors.New("the demo did not end as it should; please report this")
	}
	d.page("4 of 4: " + demoFile + " is as you decided")
	d.quote(now, "const ticket", "\tif n >", "\treturn Total", "\treturn (Total")
	d.tell("That was a whole turn. The agent was a script, and this program ran the test itself. Line 4 is still yours.")
	d.tell("Next, with the real Copilot:")
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, n := range d.Next {
		d.note("  " + n.For + ":")
		d.row("    " + d.ink.cyan(escape.Inline(n.Command))) // as it is, to be copied
	}
	return nil
}

// page begins a page.
func (d *demo) page(title string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.endLine()
	if !d.Clear {
		d.row("")
	} else {
		_, rows := d.size()
		fmt.Fprint(d.Stdout, strings.Repeat("\n", rows), "\x1b[H\x1b[J") // what was there can be scrolled to
	}
	d.note(d.ink.bold("copilot-bridge demo, " + title))
}

// tell writes a sentence of the demo's.
func (d *demo) tell(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.endLine()
	d.row("")
	d.note(text)
}

// quote shows those lines of a text that begin with one of starts, with their numbers.
func (d *demo) quote(text string, starts ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, line := range strings.Split(text, "\n") {
		for _, start := range starts {
			if strings.HasPrefix(line, start) {
				d.row(d.ink.cyan(fmt.Sprintf("%6d  %s", i+1, strings.ReplaceAll(line, "\t", "    "))))
			}
		}
	}
}

// next waits for a key of the user's; where nobody is asked it lets who watches read.
func (d *demo) next(ctx context.Context, what string) error {
	if d.Keys == nil {
		if d.Pace {
			select {
			case <-time.After(demoPause):
			case <-ctx.Done():
			}
		}
		return ctx.Err()
	}
	held, err := d.Keys.Hold()
	if err != nil {
		return err
	}
	defer held.Close()
	for {
		d.mu.Lock()
		d.row("")
		d.mu.Unlock()
		d.keys(what + "  [q] Leave")
		k, err := held.Key(ctx)
		switch {
		case errors.Is(err, ErrRedraw):
			continue
		case err != nil:
			return err
		case k == 'q', closing(k):
			return errLeft
		}
		return nil
	}
}

// demoPause is how long who watches has for a few lines; the whole demo stays under 20 seconds.
const demoPause = 2 * time.Second

// pace is how long the script's pauses are, as a factor.
func (d *demo) pace() float64 {
	if d.Pace {
		return 1
	}
	return 0
}
