package review

import (
	"errors"
	"io"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/journal"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// Salvage is for package journal. It takes in what can be used of the records behind a damaged place, and returns how many
// files it is about. A journal leads from one state to the next, so most of what follows a lost record means nothing any more. Two kinds do:
// files of a snapshot, which are whole, and the beginnings of changes that carry the text before them. The newest one of a
// file of which nothing else is known counts as begun and not ended, as after a crash: the text that is there decides
// whether it was made, and what came after it is taken for the user's.
func (st *state) Salvage(sc *durable.Scanner) (int, error) {
	begun := map[string]*beginOp{}
	n := 0
	snapshot := len(st.Turns) == 0 && st.NextChange == 1 // the damage is before the snapshot's end
	for {
		found, err := sc.Next()
		if errors.Is(err, durable.ErrDamaged) {
			if err = sc.Resync(); err == nil {
				continue
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
		var r record
		if journal.Unmarshal(found.Body, &r) != nil {
			continue
		}
		switch {
		case r.File != nil && snapshot && st.files[r.File.Path] == nil:
			if st.step(r) == nil {
				n++
			}
		case r.Rest != nil && snapshot:
			snapshot = false
			_ = st.step(r) // the numbers count; a change in flight that does not fit is left out
		case r.Begin != nil && !r.Begin.Change.Tracked && r.Begin.Change.Kind != KindMove:
			begun[r.Begin.Change.Path] = r.Begin
		}
	}
	for path, op := range begun {
		if st.files[path] != nil {
			continue
		}
		fresh := *op
		fresh.ID = st.NextFlight
		if st.step(record{Begin: &fresh}) == nil {
			n++
		}
	}
	return n, nil
}
