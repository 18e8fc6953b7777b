package fsproxy

import (
	"time"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

// repair decides what to do next about an edit that met a newer text. One that was
// made in the wrong place is put right: with the edit merged into the text that was
// there, or without it if that cannot be. That waits for a pause in the typing, so
// as not to go wrong again.
func (t *txn) repair(p *plan, v verdict) error {
	want, without := v.want, ""
	switch {
	case t.damaged && v.damaged:
		want, without = t.follow(t.want, v.there), t.follow(t.without, v.there)
	case t.damaged:
		without = t.follow(t.without, v.base)
	case v.damaged:
		without = v.there
		var conflicts []diff.Conflict
		if want, conflicts = diff.Merge3(p.from.Text.String(), p.want, v.there); len(conflicts) > 0 {
			t.spoilt, want = conflicts, without
		}
	}
	if v.damaged && !t.damaged {
		t.saved = p.saved
	}
	t.base, t.want, t.without, t.damaged = v.base, want, without, t.damaged || v.damaged
	if !t.damaged {
		return nil
	}
	t.life = v.life
	if t.repairs++; t.repairs > maxRepairs {
		return t.failure(Unknown, "it keeps making the edit in the wrong place")
	}
	t.calm()
	return nil
}

// repaired is a text that comes of a misplaced edit, without the mistake. gone says
// that the mistake is not in it, and the edit neither. In a buffer that has been open
// all the time it is there; otherwise it may have been closed without saving.
func (t *txn) repaired(s string, same bool) (out string, gone bool) {
	if same {
		return t.follow(t.want, s), false
	}
	if t.saved != nil && plain(s) == plain(*t.saved) {
		return s, true
	}
	mistake, right, none := diff.Distance(s, t.base), diff.Distance(s, t.want), diff.Distance(s, t.without)
	switch {
	case none < mistake && none < right || t.want == t.without && right <= mistake:
		return s, true
	case right <= mistake:
		return s, false
	}
	return t.follow(t.want, s), false
}

// follow is a text that was to take the place of base, with what has become of base
// since.
func (t *txn) follow(target, now string) string {
	if now == target {
		return target
	}
	return diff.Weave(t.base, diff.Fine(t.base, target), diff.Fine(t.base, now))
}

// damage is a misplaced edit that was not put right before the buffer was closed.
func (t *txn) damage() error {
	return &damageError{t, t.failure(Unknown, "it made the edit in the wrong place, and the file was closed")}
}

type damageError struct {
	t *txn
	*EditError
}

// result is what a transaction comes to once its mistakes are put right.
func (t *txn) result() error {
	t.damaged = false
	if t.spoilt != nil {
		return t.conflict(t.spoilt)
	}
	return nil
}

// calm waits for a pause in the typing.
func (t *txn) calm() {
	limit := time.After(maxCalm)
	_, changes := t.f.overlay.follow(t.path)
	defer changes.stop()
	for {
		select {
		case <-changes.ready:
			changes.take()
		case <-time.After(calmTime):
			return
		case <-limit:
			return
		case <-t.f.life.Done():
			return
		}
	}
}
