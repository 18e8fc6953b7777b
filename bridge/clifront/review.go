package clifront

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// pendingHunk is one hunk of a review, with its file.
type pendingHunk struct {
	path string
	review.Hunk
}

// pending are the hunks of a filter, in the order of the files and of their texts. A change of a file as a whole, such as a new
// empty one, is a hunk of its own with the file's range.
func pending(ctx context.Context, b *bridge.Bridge, filter review.Filter) (all []pendingHunk) {
	for _, file := range b.Review(ctx, filter) {
		for _, h := range file.Hunks {
			all = append(all, pendingHunk{file.Path, h})
		}
	}
	return all
}

// reviewKeys are the keys of a review, as its help lists them.
var reviewKeys = []struct{ key, says string }{
	{"k", "keep this hunk"}, {"u", "undo this hunk"}, {"K", "keep all"}, {"U", "undo all"},
	{"c", "comment on this hunk, or edit the comment"}, {"x", "remove the comment"}, {"s", "send all comments to the agent"},
	{"n, p", "next, previous"}, {"d", "the whole diff of the file"}, {"q", "leave the rest pending"},
}

// The keys below a hunk, and below the comments that wait where no hunk is left.
const (
	hunkKeys    = "[k] Keep  [u] Undo  [c] Comment  [n] Next  [q] Leave pending  [?] Help"
	sendKeys    = "[k] Keep  [u] Undo  [c] Comment  [s] Send  [q] Leave pending  [?] Help"
	commentKeys = "[s] Send  [q] Leave unsent"
)

// Reviewing is what a review is of.
type Reviewing struct {
	Filter  review.Filter
	Session string // whose comments are sent; "" for those of all sessions, each to its own
	Again   string // the command that goes on with what is left; "" for none

	// Send makes the comments of a session the prompt of a turn, and returns when that has ended. The terminal is free
	// meanwhile. What it returns is shown, and the review goes on. nil: comments cannot be sent.
	Send func(ctx context.Context, session string) error
}

// Review goes through the pending hunks by keys, and sends the comments on them. Without keys everything stays as it is.
func (f *Front) Review(ctx context.Context, b *bridge.Bridge, r Reviewing) error {
	if f.o.Keys == nil {
		return nil
	}
	held, err := f.o.Keys.Hold()
	if err != nil {
		return err
	}
	defer func() { held.Close() }()
	at, draw, offer := 0, true, true
	for {
		all, unsent := pending(ctx, b, r.Filter), r.unsent(ctx, b)
		var h pendingHunk
		keys := hunkKeys
		switch {
		case len(all) == 0 && (len(unsent) == 0 || r.Send == nil):
			f.leave(all, unsent, r.Again)
			return nil
		case len(all) == 0:
			keys = commentKeys
			if draw {
				f.comments(unsent)
			}
		default:
			if len(unsent) > 0 && r.Send != nil {
				keys = sendKeys
			}
			at = (at + len(all)) % len(all)
			h = all[at]
			if draw {
				f.mu.Lock()
				f.hunk(h.path, h.Hunk, fmt.Sprintf("hunk %d of %d", at+1, len(all)), commentsOn(b, h), true)
				f.mu.Unlock()
			}
		}
		if offer {
			f.keys(keys)
		}
		draw, offer = true, true
		k, err := held.Key(ctx)
		if err != nil && !errors.Is(err, ErrRedraw) { // that shows the hunk again
			return err
		}
		one, every := review.Selector{Hunks: []string{h.ID}}, review.Selector{}
		for _, p := range all {
			every.Hunks = append(every.Hunks, p.ID)
		}
		switch {
		case k == 0: // the screen is not what it was
		case k == 's' && len(unsent) > 0 && r.Send != nil:
			held.Close()
			err := f.send(ctx, r, receiver(r, h, unsent))
			if again, herr := f.o.Keys.Hold(); herr != nil {
				return herr
			} else if held = again; err != nil {
				return err
			}
			if r.Filter.Turn != "" { // what the new turn has changed is reviewed too
				r.Filter = review.Filter{Session: r.Session}
			}
		case k == 'q', closing(k):
			f.leave(all, unsent, r.Again)
			return nil
		case len(all) == 0:
			draw, offer = false, false
		case k == 'k':
			f.kept(b, one)
		case k == 'K':
			f.kept(b, every)
		case k == 'u':
			f.undo(ctx, b, one)
		case k == 'U':
			f.undo(ctx, b, every)
			f.leave(pending(ctx, b, r.Filter), r.unsent(ctx, b), r.Again)
			return nil
		case k == 'c':
			if err := f.comment(ctx, b, held, h); err != nil {
				return err
			}
		case k == 'x':
			draw = f.uncomment(b, h)
			offer = draw
		case k == 'n':
			at++
		case k == 'p':
			at--
		case k == 'd':
			f.wholeDiff(b, h.path)
			draw = false
		case k == '?':
			f.mu.Lock()
			for _, k := range reviewKeys {
				f.beside(fmt.Sprintf("  %-5s ", k.key), k.says)
			}
			f.mu.Unlock()
			draw = false
		default:
			draw, offer = false, false
		}
	}
}

// keys writes the keys below a hunk.
func (f *Front) keys(keys string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, line := range wrapKeys("  "+f.ink.bold(keys), f.cols()) {
		f.row(line)
	}
}

// List shows the pending hunks of a filter, and the comments that are not sent.
func (f *Front) List(ctx context.Context, b *bridge.Bridge, r Reviewing) {
	all, unsent := pending(ctx, b, r.Filter), r.unsent(ctx, b)
	f.mu.Lock()
	for i, h := range all {
		on := commentsOn(b, h)
		f.hunk(h.path, h.Hunk, fmt.Sprintf("hunk %d of %d", i+1, len(all)), on, false)
		unsent = slices.DeleteFunc(unsent, func(c review.Comment) bool { return slices.Contains(on, c) })
	}
	f.mu.Unlock()
	f.comments(unsent)
}

// leave names what stays pending or unsent, and how to go on with it.
func (f *Front) leave(all []pendingHunk, unsent []review.Comment, again string) {
	var files, what []string
	for _, h := range all {
		if name := f.short(h.path); !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	switch {
	case len(all) == 1:
		what = append(what, "1 hunk stays pending in "+files[0])
	case len(all) > 1:
		what = append(what, fmt.Sprintf("%d hunks stay pending in %s", len(all), strings.Join(files, ", ")))
	}
	switch {
	case len(unsent) == 1:
		what = append(what, "1 comment is not sent")
	case len(unsent) > 1:
		what = append(what, fmt.Sprintf("%d comments are not sent", len(unsent)))
	}
	if what == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	text := strings.Join(what, ", ") + "."
	if again != "" {
		text += " To go on: " + escape.Inline(again)
	}
	f.note(text)
}

func (f *Front) kept(b *bridge.Bridge, sel review.Selector) {
	_, conflicts := b.Keep(sel)
	f.became("kept", conflicts)
}

func (f *Front) undo(ctx context.Context, b *bridge.Bridge, sel review.Selector) {
	_, conflicts := b.Undo(ctx, sel)
	f.became("undone", conflicts)
}

// became says what has become of hunks.
func (f *Front) became(what string, conflicts []review.Conflict) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range conflicts {
		f.note(f.ink.red("not " + what + " in " + f.short(c.Path) + ": " + escape.Inline(c.Reason)))
	}
	if len(conflicts) == 0 {
		f.note("  " + what)
	}
}

// wholeDiff shows all that is pending in a file.
func (f *Front) wholeDiff(b *bridge.Bridge, path string) {
	base, _ := b.Base(path)
	now, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		f.became("shown", []review.Conflict{{Path: path, Reason: err.Error()}})
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, line := range f.diff(path, base, string(now)) {
		f.row(line)
	}
}
