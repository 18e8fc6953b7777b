package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// change is one write of the agent on its way through the review book.
type change struct {
	s       *Service
	turn    string
	given   string            // the path as the agent named it
	path    string            // and resolved: what the user was asked about
	shown   *permission.Grant // nil where nobody was to be asked
	counted bool
	over    func() // called when it is made or has failed, see [permission.Gate.Starts]
	pending *review.Pending
}

// begin journals the before-image, and looks whether the change may still be made; fsproxy calls it just before it touches anything, and
// again after a re-base.
func (c *change) begin(before *fsproxy.Snapshot, after string) (err error) {
	if !sameName(before.Path, c.path) { // its name leads elsewhere by now
		return &permission.Refusal{Reason: fmt.Sprintf("refused: %s leads to %s and not to %s any more; nothing was changed", c.given, before.Path, c.path), User: "Refused: the path leads to another file by now"}
	}
	if c.shown != nil {
		made := c.s.all.madeTo(target{Resolved: disk.Resolved{Real: c.path}})
		if c.counted {
			made-- // this one
		}
		if err := c.shown.Holds(before, after, made); err != nil {
			return err
		}
	}
	if !c.counted {
		c.counted = true
		c.s.all.makes(c.path)
	}
	if err := c.journal(before, after); err != nil || c.shown == nil {
		return err
	}
	again := c.over                         // after a re-base
	c.over, err = c.s.Gate.Starts(*c.shown) // after the journal, which waits for the disk: nothing is between this and the effect
	if again != nil {
		again()
	}
	return err
}

// journal has the review book keep the before-image.
func (c *change) journal(before *fsproxy.Snapshot, after string) (err error) {
	if c.pending != nil {
		return c.pending.Rebase(before.Text.String(), after)
	}
	if before.Exists && before.Text.String() == after {
		// Nothing of it is this write's. An agent may have written the disk itself just before: the comparison after the turn
		// has the text that was there, and must not take the file for one that was reviewed.
		return nil
	}
	kind := review.KindEdit
	if !before.Exists {
		kind = review.KindCreate
	}
	saved, disk := c.s.all.onDisk(before)
	c.pending, err = c.s.all.Book.Begin(review.Change{
		Saved: saved, Disk: disk,
		Session: c.s.ID, Turn: c.turn, Path: before.Path, Kind: kind, Dirs: missingDirs(before.Path),
		Before: before.Text.String(), After: after, BeforeExists: before.Exists, Mode: before.Mode, BOM: before.BOM,
	})
	return err
}

// onDisk says whether a text is the one on disk, and what is there to the byte if the editor shows that otherwise.
func (h *Host) onDisk(before *fsproxy.Snapshot) (saved bool, text string) {
	if !before.Open || before.Dirty || !before.Exists || h.FS.Remote() {
		return before.Exists && !before.Open, ""
	}
	snap, err := h.Disk.WithOutside(before.Path).Read(h.Life, before.Path)
	if err != nil || !fsproxy.SameText(snap.Text, before.Text) {
		return false, ""
	}
	if text = snap.Text.String(); text == before.Text.String() {
		text = ""
	}
	return true, text
}

// missingDirs are the folders that have to be made for a file, outermost first.
func missingDirs(path string) (dirs []string) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil || dir == filepath.Dir(dir) {
			slices.Reverse(dirs)
			return dirs
		}
		dirs = append(dirs, dir)
	}
}

// done tells the book what became of the write.
func (c *change) done(r *fsproxy.WriteResult, err error) {
	if c.over != nil {
		c.over()
	}
	var edit *fsproxy.EditError
	if errors.As(err, &edit) && edit.Outcome == fsproxy.Conflict {
		c.s.Tell(conflict(edit))
	}
	if errors.As(err, &edit) && edit.Unshown {
		c.s.Tell(News{Kind: "not_shown", Data: map[string]any{"path": edit.Path},
			Message: c.s.Gate.Short(edit.Path) + ": the editor says that it has the change and has not shown it yet. Press a key in it, then you can keep or undo the change"})
	}
	if err == nil {
		for _, n := range r.Notes {
			c.s.Tell(News{Kind: "notice", Message: c.s.Gate.Short(r.After.Path) + ": " + n})
		}
	}
	if err == nil && c.pending != nil && (r.Saved || !r.After.Open) {
		c.s.all.Wrote(r.After.Path)
	}
	switch {
	case c.pending == nil:
	case err == nil:
		c.pending.Commit(r.After.Text.String())
	case errors.As(err, &edit) && edit.Outcome == fsproxy.Unknown:
		c.pending.Unknown() // the editor may still do it; the next text of the file tells
	default:
		c.pending.Abort()
	}
}

// write replaces the text of a file, reviewed; it is refused if that is not what g covers. base is the text the writer
// started from, nil if only fsproxy knows; started are texts that it may have started from then.
func (s *Service) write(ctx context.Context, t target, text string, base *string, g permission.Grant, started ...string) (*fsproxy.WriteResult, error) {
	s.account(t.Real)
	return s.carryOut(ctx, s.Turn(ctx), t, &g, fsproxy.WriteRequest{Reader: s.ID, Text: text, Base: base, Started: started})
}

// bring puts what has been decided elsewhere into a buffer: what a command, once allowed, has put on disk, and what the
// other bridge of a lent buffer has asked about. Nothing else calls it.
func (s *Service) bring(ctx context.Context, turn string, t target, text string, base *string) error {
	_, err := s.carryOut(ctx, turn, t, nil, fsproxy.WriteRequest{Reader: s.ID, Text: text, Base: base})
	return err
}

// writeChosen makes the parts of a change that the user chose, in the text they were shown. What they have typed since
// stays. It does not count as the agent's own text: it has another one in mind, and has to read the file again before it
// can write the whole of it.
func (s *Service) writeChosen(ctx context.Context, t target, g permission.Grant) (*fsproxy.WriteResult, error) {
	s.account(t.Real)
	before, after := g.Texts()
	return s.carryOut(ctx, s.Turn(ctx), t, &g, fsproxy.WriteRequest{Text: after, Base: &before})
}

// carryOut makes a write through the review book; shown is what was asked about, nil where nobody was to be asked.
func (s *Service) carryOut(ctx context.Context, turn string, t target, shown *permission.Grant, req fsproxy.WriteRequest) (*fsproxy.WriteResult, error) {
	c := &change{s: s, turn: turn, given: t.Path, path: t.Real, shown: shown}
	req.Path, req.Label, req.Outside = t.Path, "Copilot", t.Outside
	req.Begin = c.begin
	r, err := s.all.FS.Write(ctx, req)
	c.done(r, err)
	return r, err
}

// edit replaces one occurrence of a text in a file, reviewed; it is refused if that is not what g covers.
func (s *Service) edit(ctx context.Context, t target, old, text string, g permission.Grant) (*fsproxy.WriteResult, error) {
	s.account(t.Real)
	c := &change{s: s, turn: s.Turn(ctx), given: t.Path, path: t.Real, shown: &g}
	r, err := s.all.FS.Edit(ctx, fsproxy.EditRequest{
		Reader: s.ID, Path: t.Path, Old: old, New: text, Label: "Copilot", Outside: t.Outside, Begin: c.begin,
	})
	c.done(r, err)
	return r, err
}

// read reads a file for the agent.
func (s *Service) read(ctx context.Context, t target) (*fsproxy.Snapshot, error) {
	var opts []fsproxy.ReadOption
	if t.Outside {
		opts = append(opts, fsproxy.WithOutside())
	}
	snap, err := s.all.FS.Read(ctx, s.ID, t.Path, opts...)
	if err == nil && !sameName(snap.Path, t.Real) {
		return nil, &permission.Refusal{Reason: fmt.Sprintf("refused: %s leads to %s and not to %s any more; nothing was read", t.Path, snap.Path, t.Real), User: "Refused: the path leads to another file by now"}
	}
	return snap, err
}

// sameName says whether two resolved paths are one. The system that folds case or normalises Unicode may give a name
// back in another spelling.
func sameName(a, b string) bool {
	if a == b {
		return true
	}
	x, err := os.Lstat(a)
	y, err2 := os.Lstat(b)
	return err == nil && err2 == nil && os.SameFile(x, y) && policy.Fold(a) == policy.Fold(b)
}

// conflict is what the user is told of an edit that met changes of theirs: where, and both sides.
func conflict(e *fsproxy.EditError) News {
	data := map[string]any{"path": e.Path}
	if len(e.Conflicts) > 0 {
		c := e.Conflicts[0]
		data["line"], data["wanted"], data["current"] = c.Start+1, c.Ours, c.Theirs
	}
	return News{Kind: "conflict", Message: "Copilot's edit conflicts with your change in the same lines; yours is kept", Data: data}
}
