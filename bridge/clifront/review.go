package clifront

import (
	"context"
	"errors"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Review goes through the pending hunks of a turn by keys: keep, undo, the rest of either kind, or leave them.
// Without keys everything stays as the agent left it.
func (f *Front) Review(ctx context.Context, b *bridge.Bridge, turn string) error {
	if f.o.Keys == nil || f.o.JSON || f.o.Policy != AskKeys {
		b.Keep(review.Selector{Turn: turn})
		return nil
	}
	held, err := f.o.Keys.Hold()
	if err != nil {
		return err
	}
	defer held.Close()
	for {
		h, path, left := next(ctx, b, turn)
		if left == 0 {
			return nil
		}
		f.mu.Lock()
		f.hunk(path, h, fmt.Sprintf("%d left to review", left))
		f.note(f.ink.bold("  [k] keep  [u] undo  [K] keep all  [U] undo all  [q] leave them pending"))
		f.mu.Unlock()
		k, err := held.Key(ctx)
		if err != nil && !errors.Is(err, ErrRedraw) { // that shows the hunk again, as any other key does
			return err
		}
		one := review.Selector{Hunks: []string{h.ID}}
		all := review.Selector{Turn: turn}
		switch k {
		case 'k':
			b.Keep(one)
		case 'K':
			b.Keep(all)
		case 'u':
			f.undo(ctx, b, one)
		case 'U':
			f.undo(ctx, b, all)
			return nil
		case 'q', 27, 3:
			return nil
		}
	}
}

func (f *Front) undo(ctx context.Context, b *bridge.Bridge, sel review.Selector) {
	_, conflicts := b.Undo(ctx, sel)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range conflicts {
		f.note(f.ink.red("not undone in " + f.short(c.Path) + ": " + escape.Inline(c.Reason)))
	}
}

// next is the first pending hunk of a turn and how many there are. A change of a file as a whole, such as a new empty
// one, is a hunk of its own with the file's range.
func next(ctx context.Context, b *bridge.Bridge, turn string) (first review.Hunk, path string, n int) {
	for _, file := range b.Review(ctx, review.Filter{Turn: turn}) {
		for _, h := range file.Hunks {
			if n == 0 {
				first, path = h, file.Path
			}
			n++
		}
	}
	return first, path, n
}
