package bridge

import (
	"context"
	"io/fs"
	"os"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// followReview ties the review book to the buffers and to the editor: what the user types moves the hunks, and
// every change of the hunks is shown.
func (b *Bridge) followReview() {
	b.overlay.Subscribe(func(c fsproxy.Change) {
		if c.After != nil && b.host.CommandsOut() {
			b.host.ShownMeanwhile(c)
		}
		switch {
		case !b.book.Tracks(c.Path):
		case c.Closed:
			b.closedBuffer(c.Path)
		case c.After != nil:
			if len(c.Steps) == 0 && !b.book.Deleted(c.Path) {
				b.book.Reconcile(c.Path, c.After.Text.String(), true) // another buffer: nobody has typed what differs
			} else {
				b.book.TextChanged(c.Path, c.After.Text.String())
			}
			if !c.After.Dirty && b.book.Deleted(c.Path) {
				b.reappeared(c.Path)
			} else if !c.After.Dirty {
				b.book.Saved(c.Path)
			}
		}
	})
	if b.watcher != nil {
		b.watcher.Subscribe(b.changedOnDisk)
	}
	b.book.Subscribe(func(f review.File) {
		b.out.push(&ReviewChanged{Path: f.Path, Kind: f.Kind, Hunks: f.Hunks})
	})
}

// closedBuffer has the book look at the disk: the text of a buffer that was closed without being saved is nowhere any more, and
// what was pending in it alone is gone. It is called on the goroutine that tells of buffers, so that a buffer that is opened
// next is told of after it.
func (b *Bridge) closedBuffer(path string) {
	b.book.Unsettle(path)
	if !b.fs.Remote() && !b.overlay.Lost(path) { // else it is asked when somebody wants to know
		b.lookAtDisk(b.life, path)
	}
}

// lookAt has the book compare a file with its buffer, or else with the disk.
func (b *Bridge) lookAt(ctx context.Context, path string) {
	b.overlay.Hold(func() {
		if snap, open := b.overlay.Lookup(path); open && !b.book.Deleted(path) {
			b.book.Reconcile(path, snap.Text.String(), true)
		} else if !b.overlay.Lost(path) {
			b.lookAtDisk(ctx, path)
		}
	})
}

// lookAtDisk has the book compare a file that has no buffer with the disk: what differs is the user's. What cannot be read stays
// unsettled, and so does what a command of an agent may have changed.
func (b *Bridge) lookAtDisk(ctx context.Context, path string) {
	if b.host.CommandsOut() {
		b.book.Unsettle(path)
		return
	}
	snap, err := b.disk.WithOutside(path).Read(ctx, path)
	switch {
	case err == nil:
		b.book.Reconcile(path, snap.Text.String(), true)
	case missing(err):
		b.book.Reconcile(path, "", false)
	}
}

// reappeared has the book look whether a file is on disk again whose deletion is pending.
func (b *Bridge) reappeared(path string) {
	if _, err := os.Lstat(path); err == nil {
		b.lookAtDisk(b.life, path)
	}
}

// Review lists the files with pending hunks.
func (b *Bridge) Review(ctx context.Context, f review.Filter) []review.File {
	b.settleReview(ctx)
	return b.book.Files(f)
}

// Base is the text of a file as the user last accepted it; false if nothing of it is pending.
func (b *Bridge) Base(path string) (string, bool) { return b.book.Base(path) }

// Canonical is the path under which files are known here: absolute, links resolved, also for what does not exist.
func (b *Bridge) Canonical(path string) string {
	if r, err := b.disk.Resolve(path); err == nil {
		return r.Real
	}
	return path
}

// Keep accepts hunks: they become part of the base. It returns how many there were.
func (b *Bridge) Keep(sel review.Selector) (resolved int, conflicts []review.Conflict) {
	return b.book.Keep(sel)
}

// Undo puts the base's text back, in buffers by verified edits and on disk by atomic writes. It does what it can; what
// cannot be undone is left as it is and named.
func (b *Bridge) Undo(ctx context.Context, sel review.Selector) (resolved int, conflicts []review.Conflict) {
	b.settlePicked(ctx, sel)
	plan, conflicts := b.book.PlanUndo(sel)
	return b.carryOut(ctx, plan, conflicts)
}

// LastTurn is the newest turn of which something can still be undone, pending or kept, and the files that it is about;
// "" if there is none.
func (b *Bridge) LastTurn() (turn string, paths []string) { return b.book.LastTurn() }

// Redo takes an undo back.
func (b *Bridge) Redo(ctx context.Context, sel review.Selector) (resolved int, conflicts []review.Conflict) {
	b.settlePicked(ctx, sel)
	plan, conflicts := b.book.PlanRedo(sel)
	return b.carryOut(ctx, plan, conflicts)
}

// settleReview compares what came back from the journal with what is there now: nobody told of what happened to those
// files while no bridge was running.
func (b *Bridge) settleReview(ctx context.Context) {
	for _, path := range b.book.Unsettled() {
		if !b.fs.Remote() {
			b.lookAt(ctx, path)
			continue
		}
		if b.host.CommandsOut() {
			continue
		}
		snap, err := b.fs.Read(ctx, "", path, fsproxy.WithOutside())
		switch {
		case err == nil:
			b.book.Reconcile(path, snap.Text.String(), true)
		case missing(err):
			b.book.Reconcile(path, "", false)
		}
	}
	for _, f := range b.book.Files(review.Filter{}) {
		switch {
		case f.Missing:
			b.findVanished(ctx, f.Path)
		case f.Kind != review.KindDelete && !b.fs.Remote() && !there(f.Path):
			b.changedOnDisk(f.Path) // nobody watches a file for good that is not open
		}
	}
}

// settlePicked is settleReview before a plan is made: what another program wrote a moment ago into files that are closed has not
// been told of yet, and would look like a change of the lines that the plan is for.
func (b *Bridge) settlePicked(ctx context.Context, sel review.Selector) {
	for _, f := range b.book.Files(review.Filter{Path: sel.Path, Turn: sel.Turn, Session: sel.Session}) {
		if sel.Hunks == nil || slices.ContainsFunc(f.Hunks, func(h review.Hunk) bool { return slices.Contains(sel.Hunks, h.ID) }) {
			b.changedOnDisk(f.Path)
			b.host.Account(f.Path) // an undo must not take it for what it made itself
		}
	}
	b.settleReview(ctx)
}

func (b *Bridge) carryOut(ctx context.Context, plan []review.UndoFile, conflicts []review.Conflict) (resolved int, _ []review.Conflict) {
	for _, u := range plan {
		actual, err := b.undoFile(ctx, u)
		b.host.Wrote(u.Path)
		if u.To != "" {
			b.host.Wrote(u.To)
		}
		if err != nil {
			b.book.Drop(u)
			for _, id := range u.Hunks {
				conflicts = append(conflicts, review.Conflict{ID: id, Path: u.Path, Reason: err.Error()})
			}
			continue
		}
		n, more := b.book.Done(u, actual)
		if u.Action == review.ActionRestore {
			b.overlay.Hold(func() { // its buffer did not count until now
				if snap, open := b.overlay.Lookup(u.Path); open {
					b.book.TextChanged(u.Path, snap.Text.String())
				}
			})
		}
		resolved += n
		conflicts = append(conflicts, more...)
	}
	return resolved, conflicts
}

// undoFile carries out the plan for one file and returns the text that is there afterwards.
func (b *Bridge) undoFile(ctx context.Context, u review.UndoFile) (string, error) {
	const label = "Undo Copilot"
	path := u.Path
	switch u.Action {
	case review.ActionRemove:
		err := b.fs.Remove(ctx, fsproxy.ChangeRequest{Path: path, Outside: true}, u.Current)
		if err == nil {
			b.removeFolders(u.Dirs)
		}
		return "", err
	case review.ActionMove:
		if err := b.fs.Rename(ctx, fsproxy.ChangeRequest{Path: path, Outside: true}, u.To); err != nil {
			return "", err
		}
		path = u.To
	}
	req := fsproxy.WriteRequest{Path: path, Text: u.Target, Base: &u.Current, Label: label, Outside: true, Mode: u.Mode, BOM: u.BOM}
	if u.Action == review.ActionRestore && !b.fs.Remote() {
		r, err := b.fs.Restore(ctx, req)
		if err != nil {
			return "", err
		}
		return r.After.Text.String(), nil
	}
	r, err := b.fs.Write(ctx, req)
	if err == nil {
		err = b.bringBack(ctx, r.After)
	}
	if err == nil && (r.Saved || !r.After.Open || u.Current == u.Target && !r.After.Dirty) && !b.fs.Remote() {
		err = b.toTheByte(ctx, u, path, r.After)
	}
	if err != nil {
		return "", err
	}
	return r.After.Text.String(), nil
}

// toTheByte gives a file that an undo has written the line ends and the byte order mark of the text that is back: where a
// command has put another file in its place, the write went by those of that one.
func (b *Bridge) toTheByte(ctx context.Context, u review.UndoFile, path string, after *fsproxy.Snapshot) error {
	mark, mode := after.BOM, fs.FileMode(0)
	if u.Marked {
		mark = u.BOM // nothing of the other one is left
		if u.Remode {
			mode = u.Mode
		}
	}
	switch {
	case u.Disk != nil && path == u.Path:
		return b.fs.Exact(ctx, path, u.Disk, mark, mode)
	case !after.Open:
		return b.fs.Exact(ctx, path, &u.Target, mark, mode)
	case u.Marked:
		return b.fs.Exact(ctx, path, nil, mark, mode)
	}
	return nil
}

// bringBack puts a file that a command took away on disk again where the editor kept its buffer: a buffer without
// unsaved text looks as if it had nothing to save.
func (b *Bridge) bringBack(ctx context.Context, snap *fsproxy.Snapshot) error {
	if _, err := os.Lstat(snap.Path); !snap.Open || snap.Dirty || !missing(err) {
		return nil
	}
	_, err := b.disk.WithOutside(snap.Path).Save(ctx, snap.Path, disk.SaveRequest{Text: snap.Text.String(), Like: snap, New: true})
	b.host.Wrote(snap.Path)
	return err
}

// removeFolders removes folders that were made for a file, innermost first, as far as they are empty.
func (b *Bridge) removeFolders(dirs []string) {
	for _, dir := range slices.Backward(dirs) {
		if os.Remove(dir) != nil { // never removes a folder with something in it
			return
		}
	}
}

// journalNotice tells the user what happened to the journal. It may be called while the bridge is being made.
func (b *Bridge) journalNotice(text string) {
	b.cfg.Log.Warn().Msg(text)
	b.out.push(&StatusChanged{Kind: StatusError, Message: text})
}

// CurrentText is the text of a file with pending hunks as the review book knows it.
func (b *Bridge) CurrentText(path string) (string, bool) { return b.book.Text(path) }

// changedOnDisk takes in what another program did to a file under review that is not open in the editor.
func (b *Bridge) changedOnDisk(path string) {
	if b.book.Deleted(path) && !b.fs.Remote() {
		b.reappeared(path)
		return
	}
	if _, open := b.overlay.Lookup(path); open {
		return // the editor decides what becomes of its buffer
	}
	if b.fs.Remote() {
		b.book.Unsettle(path) // it is asked when somebody wants to know
		return
	}
	if _, known := b.book.Text(path); !known {
		return
	}
	b.overlay.Hold(func() {
		if _, open := b.overlay.Lookup(path); !open {
			b.lookAtDisk(b.life, path)
		}
	})
	if b.host.CommandsOut() && b.noPrompt() { // a command in the background: no turn's end compares it
		b.host.Account(path)
	}
	b.findVanished(b.life, path)
}
