package host

import (
	"context"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// removeFile removes a file, reviewed; it is refused if that is not what c covers.
func (s *Service) removeFile(ctx context.Context, c permission.FileChange) error {
	before, _ := c.Grant.Texts()
	w := &wholeChange{s: s, ctx: ctx, c: c}
	err := s.all.FS.Remove(ctx, w.request(), before)
	return w.done(err, "", c.Target.Real)
}

// moveFile gives a file another name, reviewed; it is refused if that is not what c covers.
func (s *Service) moveFile(ctx context.Context, c permission.FileChange) error {
	_, after := c.Grant.Texts()
	w := &wholeChange{s: s, ctx: ctx, c: c}
	err := s.all.FS.Rename(ctx, w.request(), c.To.Path)
	return w.done(err, after, c.Target.Real, c.To.Real)
}

// wholeChange is the end of a file, or its move, on its way through the review book.
type wholeChange struct {
	s       *Service
	ctx     context.Context
	c       permission.FileChange
	over    func() // called when it is made or has failed, see [permission.Gate.Starts]
	pending *review.Pending
}

func (w *wholeChange) request() fsproxy.ChangeRequest {
	outside := w.c.Target.Outside || w.c.To != nil && w.c.To.Outside
	w.s.account(w.c.Target.Real)
	return fsproxy.ChangeRequest{Path: w.c.Target.Path, Outside: outside, Begin: w.begin}
}

// begin journals the file as it is, and looks whether the change may still be made; fsproxy calls it just before it touches anything.
func (w *wholeChange) begin(before *fsproxy.Snapshot, after string) (err error) {
	all := w.s.all
	if !sameName(before.Path, w.c.Target.Real) {
		return &permission.Refusal{Reason: fmt.Sprintf("refused: %s leads to %s and not to %s any more; nothing was changed", w.c.Target.Path, before.Path, w.c.Target.Real), User: "Refused: the path leads to another file by now"}
	}
	if err := w.c.Grant.Holds(before, after, all.madeTo(w.c.Target)); err != nil {
		return err
	}
	ch := review.Change{
		Session: w.s.ID, Turn: w.s.Turn(w.ctx), Path: before.Path, Kind: review.KindDelete, Saved: true,
		Before: before.Text.String(), After: after, BeforeExists: true, Mode: before.Mode, BOM: before.BOM,
	}
	all.makes(before.Path)
	if w.c.To != nil {
		now, err := w.s.Gate.Resolve(w.c.To.Path)
		if err != nil || now.Real != w.c.To.Real {
			return &permission.Refusal{Reason: fmt.Sprintf("refused: %s does not lead to %s any more; nothing was changed", w.c.To.Path, w.c.To.Real), User: "Refused: the path leads to another file by now"}
		}
		ch.Kind, ch.From, ch.Path, ch.Dirs = review.KindMove, before.Path, w.c.To.Real, missingDirs(w.c.To.Real)
		all.makes(w.c.To.Real)
	}
	if w.pending, err = all.Book.Begin(ch); err != nil {
		return err
	}
	w.over, err = w.s.Gate.Starts(w.c.Grant)
	return err
}

// done tells the book what became of it.
func (w *wholeChange) done(err error, actual string, paths ...string) error {
	if w.over != nil {
		w.over()
	}
	switch {
	case err == nil:
		for _, path := range paths {
			w.s.all.Wrote(path)
		}
		if w.pending != nil {
			w.pending.Commit(actual)
		}
	case w.pending != nil:
		w.pending.Abort()
	}
	return err
}
