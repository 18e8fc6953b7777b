package tracking

import (
	"context"
	"time"
)

const (
	// adoptEvery is how often a new bridge looks whether another one of the same folder has let go of its pending changes: soon
	// enough that who starts the editor again sees them without a pause, at the price of one file lock each time.
	adoptEvery = 200 * time.Millisecond

	// adoptGrace is for how long it looks. A bridge that ends needs 4 s at most, an editor may let it live for a few more; what is
	// still there after that is at work.
	adoptGrace = 15 * time.Second
)

// TakeOver brings what a bridge that is ending still holds: who quits the editor and starts it again at once finds the pending
// changes where they were. A user who has two editors open is told so, once it is sure.
func (t *Tracker) TakeOver() {
	held := untilFree(t.cfg.Life, func() bool {
		files, held := t.cfg.Book.Adopt()
		if files > 0 {
			t.Settle(t.cfg.Life)
		}
		return held
	})
	if held {
		t.cfg.Notice("Another copilot-bridge works in this folder: this one keeps its pending changes in a journal of its own, and does not show those of the other.")
	}
}

// untilFree asks until nothing is held any more, or for long enough: then it returns true.
func untilFree(ctx context.Context, held func() bool) bool {
	tick := time.NewTicker(adoptEvery)
	defer tick.Stop()
	grace := time.NewTimer(adoptGrace)
	defer grace.Stop()
	for held() {
		select {
		case <-tick.C:
		case <-grace.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
	return false
}
