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
	{"n, p", "next, previous"}, {"d", "the whole diff of the file"}, {"q", "leave the rest pending"},
}

// Review goes through the pending hunks of a filter by keys. again is the command that goes on with what is left pending.
// Without keys everything stays as it is.
func (f *Front) Review(ctx context.Context, b *bridge.Bridge, filter review.Filter, again string) error {
	if f.o.Keys == nil {
		return nil
	}
	held, err := f.o.Keys.Hold()
	if err != nil {
		return err
	}
	defer held.Close()
	at, draw, offer := 0, true, true
	for {
		all := pending(ctx, b, filter)
		if len(all) == 0 {
			return nil
		}
		at = (at + len(all)) % len(all)
		h := all[at]
		if draw {
			f.mu.Lock()
			f.hunk(h.path, h.Hunk, fmt.Sprintf("hunk %d of %d", at+1, len(all)), true)
			f.mu.Unlock()
		}
		if offer {
			f.keys("[k] Keep  [u] Undo  [n] Next  [d] Diff  [q] Leave pending  [?] Help")
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
		switch k {
		case 0: // the screen is not what it was
		case 'k':
			f.kept(b, one)
		case 'K':
			f.kept(b, every)
		case 'u':
			f.undo(ctx, b, one)
		case 'U':
			f.undo(ctx, b, every)
			f.leave(pending(ctx, b, filter), again)
			return nil
		case 'n':
			at++
		case 'p':
			at--
		case 'd':
			f.wholeDiff(b, h.path)
			draw = false
		case '?':
			f.mu.Lock()
			for _, k := range reviewKeys {
				f.note(fmt.Sprintf("  %-5s %s", k.key, k.says))
			}
			f.mu.Unlock()
			draw = false
		case 'q', 27, 3, 4:
			f.leave(all, again)
			return nil
		default:
			draw, offer = false, false
		}
	}
}

// keys writes the keys below a hunk.
func (f *Front) keys(keys string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.note("  " + f.ink.bold(keys))
}

// List shows the pending hunks of a filter.
func (f *Front) List(ctx context.Context, b *bridge.Bridge, filter review.Filter) (n int) {
	all := pending(ctx, b, filter)
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, h := range all {
		f.hunk(h.path, h.Hunk, fmt.Sprintf("hunk %d of %d", i+1, len(all)), false)
	}
	return len(all)
}

// leave names what stays pending, and how to go on with it.
func (f *Front) leave(all []pendingHunk, again string) {
	if len(all) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var files []string
	for _, h := range all {
		if name := f.short(h.path); !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	what := "1 hunk stays"
	if len(all) > 1 {
		what = fmt.Sprintf("%d hunks stay", len(all))
	}
	f.note(fmt.Sprintf("%s pending in %s. To go on: %s", what, strings.Join(files, ", "), escape.Inline(again)))
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
