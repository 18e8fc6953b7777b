package fsproxy

import (
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// An Edit is one content change of a buffer (LSP
// TextDocumentContentChangeEvent): the text from Start to End becomes New, or, if
// Full, all of it.
type Edit struct {
	Start, End text.Position
	Enc        text.Encoding
	Full       bool
	New        string
}

// Change tells that the editor changed a buffer. The edits are made one after the
// other, each in the text the one before left. The version must be greater than
// the one before. An error means that the editor's text is no longer known: a
// document never opened is ErrNotOpen, any other is dropped.
func (o *Overlay) Change(path string, version int32, edits []Edit) error {
	o.turn.Lock()
	defer o.turn.Unlock()
	old := o.doc(path)
	if old == nil {
		return fmt.Errorf("change of %s: %w", path, ErrNotOpen)
	}
	if version <= old.snap.Version {
		return o.drop(path, fmt.Errorf("the editor sent version %d after version %d", version, old.snap.Version))
	}
	t := old.snap.Text
	steps := make([]Step, 0, len(edits))
	for i, e := range edits {
		step, err := e.apply(t)
		if err != nil {
			return o.drop(path, fmt.Errorf("change %d of version %d does not fit: %w", i, version, err))
		}
		t = step.Text
		steps = append(steps, step)
	}
	d := *old
	snap := disk.NewSnapshot(path, t)
	snap.Version, snap.Open, snap.Exists = version, true, true
	snap.BOM, snap.Mode = old.snap.BOM, old.snap.Mode
	snap.Dirty = !d.clean || !t.Equal(d.saved)
	d.snap = snap
	o.tell(path, &d, steps)
	return nil
}

func (e Edit) apply(t text.Text) (Step, error) {
	if e.Full {
		return Step{TextEdit{0, t.Len(), e.New}, text.New(e.New)}, nil
	}
	start, err := t.OffsetOf(e.Start, e.Enc)
	if err != nil {
		return Step{}, err
	}
	end := start
	if e.End != e.Start { // mostly they are: somebody types
		if end, err = t.OffsetOf(e.End, e.Enc); err != nil {
			return Step{}, err
		}
	}
	if end < start {
		return Step{}, fmt.Errorf("the range %v to %v ends before it starts", e.Start, e.End)
	}
	return Step{TextEdit{start, end, e.New}, t.Replace(start, end, e.New)}, nil
}
