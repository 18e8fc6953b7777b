package tracking

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// Follow ties the review book to the buffers and to the editor: what the user types moves the hunks, and
// every change of the hunks is shown.
func (t *Tracker) Follow() {
	t.cfg.Overlay.Subscribe(func(c fsproxy.Change) {
		if c.After != nil && t.cfg.Host.CommandsOut() {
			t.cfg.Host.ShownMeanwhile(c)
		}
		if c.After != nil && t.cfg.Book.HasComments(c.Path) {
			t.cfg.Book.CommentsFollow(c.Path, c.After.Text.String())
		}
		switch {
		case !t.cfg.Book.Tracks(c.Path):
		case c.Closed:
			t.closedBuffer(c.Path)
		case c.After != nil:
			if len(c.Steps) == 0 && !t.cfg.Book.Deleted(c.Path) {
				t.cfg.Book.Reconcile(c.Path, c.After.Text.String(), true) // another buffer: nobody has typed what differs
			} else {
				t.cfg.Book.TextChanged(c.Path, c.After.Text.String())
			}
			if !c.After.Dirty && t.cfg.Book.Deleted(c.Path) {
				t.reappeared(c.Path)
			} else if !c.After.Dirty {
				t.cfg.Book.Saved(c.Path)
			}
		}
	})
	if t.cfg.Watcher != nil {
		t.cfg.Watcher.Subscribe(t.ChangedOnDisk)
	}
	t.cfg.Book.Subscribe(t.cfg.Changed)
	t.cfg.Book.SubscribeComments(t.cfg.Commented)
}

// closedBuffer has the book look at the disk: the text of a buffer that was closed without being saved is nowhere any more, and
// what was pending in it alone is gone. It is called on the goroutine that tells of buffers, so that a buffer that is opened
// next is told of after it.
func (t *Tracker) closedBuffer(path string) {
	t.cfg.Book.Unsettle(path)
	if !t.cfg.FS.Remote() && !t.cfg.Overlay.Lost(path) { // else it is asked when somebody wants to know
		t.lookAtDisk(t.cfg.Life, path)
	}
}

// lookAt has the book compare a file with its buffer, or else with the disk.
func (t *Tracker) lookAt(ctx context.Context, path string) {
	t.cfg.Overlay.Hold(func() {
		if snap, open := t.cfg.Overlay.Lookup(path); open && !t.cfg.Book.Deleted(path) {
			t.cfg.Book.Reconcile(path, snap.Text.String(), true)
		} else if !t.cfg.Overlay.Lost(path) {
			t.lookAtDisk(ctx, path)
		}
	})
}

// lookAtDisk has the book compare a file that has no buffer with the disk: what differs is the user's. What cannot be read stays
// unsettled, and so does what a command of an agent may have changed.
func (t *Tracker) lookAtDisk(ctx context.Context, path string) {
	if t.cfg.Host.CommandsOut() {
		t.cfg.Book.Unsettle(path)
		return
	}
	if !t.looks.TryAcquire(1) {
		t.cfg.Book.Unsettle(path)
		return
	}
	defer t.looks.Release(1)
	for range maxLooks {
		as := t.cfg.Book.Changes()
		snap, err := t.cfg.Disk.WithOutside(path).Read(ctx, path)
		var current bool
		switch {
		case err == nil:
			current = t.cfg.Book.ReconcileAsOf(as, path, snap.Text.String(), true)
		case errors.Is(err, fs.ErrNotExist):
			current = t.cfg.Book.ReconcileAsOf(as, path, "", false)
		default:
			return
		}
		if current {
			return
		}
	}
	t.cfg.Book.Unsettle(path) // somebody will ask for what is pending
}

// reappeared has the book look whether a file is on disk again whose deletion is pending.
func (t *Tracker) reappeared(path string) {
	if _, err := os.Lstat(path); err == nil {
		t.lookAtDisk(t.cfg.Life, path)
	}
}

// Review lists the files with pending hunks.
func (t *Tracker) Review(ctx context.Context, f review.Filter) []review.File {
	t.Settle(ctx)
	return t.cfg.Book.Files(f)
}

// Base is the text of a file as the user last accepted it; false if nothing of it is pending.
func (t *Tracker) Base(path string) (string, bool) { return t.cfg.Book.Base(path) }

// Canonical is the path under which files are known here: absolute, links resolved, also for what does not exist.
func (t *Tracker) Canonical(path string) string {
	return t.cfg.Disk.Canonical(path)
}

// Keep accepts hunks: they become part of the base. It returns how many there were.
func (t *Tracker) Keep(sel review.Selector) (resolved int, conflicts []review.Conflict) {
	return t.cfg.Book.Keep(sel)
}

// Undo puts the base's text back, in buffers by verified edits and on disk by atomic writes. It does what it can; what
// cannot be undone is left as it is and named.
func (t *Tracker) Undo(ctx context.Context, sel review.Selector) (resolved int, conflicts []review.Conflict) {
	return t.decide(ctx, sel, t.cfg.Book.PlanUndo)
}

// LastTurn is the newest turn of which something can still be undone, pending or kept, and the files that it is about;
// "" if there is none.
func (t *Tracker) LastTurn() (turn string, paths []string) { return t.cfg.Book.LastTurn() }

// Redo takes an undo back.
func (t *Tracker) Redo(ctx context.Context, sel review.Selector) (resolved int, conflicts []review.Conflict) {
	return t.decide(ctx, sel, t.cfg.Book.PlanRedo)
}

// decide has the book make a plan of files as they are now, and carries it out.
func (t *Tracker) decide(ctx context.Context, sel review.Selector, plan func(review.Selector) ([]review.UndoFile, []review.Conflict)) (resolved int, conflicts []review.Conflict) {
	t.settlePicked(ctx, sel)
	if err := t.looks.Acquire(ctx, maxConcurrentLooks); err != nil { // another plan is being carried out
		return 0, []review.Conflict{{ID: sel.Turn, Path: sel.Path, Reason: err.Error()}}
	}
	files, conflicts := plan(sel)
	resolved, conflicts = t.carryOut(ctx, files, conflicts)
	t.looks.Release(maxConcurrentLooks)
	t.Settle(ctx) // what was looked at meanwhile
	return resolved, conflicts
}

// Settle compares what came back from the journal with what is there now: nobody told of what happened to those
// files while no bridge was running.
func (t *Tracker) Settle(ctx context.Context) {
	for _, path := range t.cfg.Book.Unsettled() {
		if !t.cfg.FS.Remote() {
			t.lookAt(ctx, path)
			continue
		}
		if t.cfg.Host.CommandsOut() {
			continue
		}
		snap, err := t.cfg.FS.Read(ctx, "", path, fsproxy.WithOutside())
		switch {
		case err == nil:
			t.cfg.Book.Reconcile(path, snap.Text.String(), true)
		case errors.Is(err, fs.ErrNotExist):
			t.cfg.Book.Reconcile(path, "", false)
		}
	}
	for _, f := range t.cfg.Book.Files(review.Filter{}) {
		switch {
		case f.Missing:
			t.findVanished(ctx, f.Path)
		case f.Kind != review.KindDelete && !t.cfg.FS.Remote() && !there(f.Path):
			t.ChangedOnDisk(f.Path) // nobody watches a file for good that is not open
		}
	}
}

// settlePicked is Settle before a plan is made: what another program wrote a moment ago into files that are closed has not
// been told of yet, and would look like a change of the lines that the plan is for.
func (t *Tracker) settlePicked(ctx context.Context, sel review.Selector) {
	for _, f := range t.cfg.Book.Files(review.Filter{Path: sel.Path, Turn: sel.Turn, Session: sel.Session}) {
		if sel.Hunks == nil || slices.ContainsFunc(f.Hunks, func(h review.Hunk) bool { return slices.Contains(sel.Hunks, h.ID) }) {
			t.ChangedOnDisk(f.Path)
			t.cfg.Host.Account(f.Path) // an undo must not take it for what it made itself
		}
	}
	t.Settle(ctx)
}

func (t *Tracker) carryOut(ctx context.Context, plan []review.UndoFile, conflicts []review.Conflict) (resolved int, _ []review.Conflict) {
	for _, u := range plan {
		actual, err := t.undoFile(ctx, u)
		t.cfg.Host.Wrote(u.Path)
		if u.To != "" {
			t.cfg.Host.Wrote(u.To)
		}
		if err != nil {
			t.cfg.Book.Drop(u)
			for _, id := range u.Hunks {
				conflicts = append(conflicts, review.Conflict{ID: id, Path: u.Path, Reason: err.Error()})
			}
			continue
		}
		n, more := t.cfg.Book.Done(u, actual)
		if u.Action == review.ActionRestore {
			t.cfg.Overlay.Hold(func() { // its buffer did not count until now
				if snap, open := t.cfg.Overlay.Lookup(u.Path); open {
					t.cfg.Book.TextChanged(u.Path, snap.Text.String())
				}
			})
		}
		resolved += n
		conflicts = append(conflicts, more...)
	}
	return resolved, conflicts
}

// undoFile carries out the plan for one file and returns the text that is there afterwards. A path that leads elsewhere by now,
// through a link that was put there, is not followed.
func (t *Tracker) undoFile(ctx context.Context, u review.UndoFile) (string, error) {
	const label = "Undo Copilot"
	path := u.Path
	switch u.Action {
	case review.ActionRemove:
		err := t.cfg.FS.Remove(ctx, fsproxy.ChangeRequest{Path: path, Outside: true, Exact: true}, u.Current)
		if err == nil {
			t.removeFolders(u.Dirs)
		}
		return "", err
	case review.ActionMove:
		if err := t.cfg.FS.Rename(ctx, fsproxy.ChangeRequest{Path: path, Outside: true, Exact: true}, u.To); err != nil {
			return "", err
		}
		path = u.To
	}
	req := fsproxy.WriteRequest{Path: path, Text: u.Target, Base: &u.Current, Label: label, Outside: true, Exact: true, Mode: u.Mode, BOM: u.BOM}
	if u.Action == review.ActionRestore && !t.cfg.FS.Remote() {
		r, err := t.cfg.FS.Restore(ctx, req)
		if err != nil {
			return "", err
		}
		return r.After.Text.String(), nil
	}
	r, err := t.cfg.FS.Write(ctx, req)
	if err == nil {
		err = t.bringBack(ctx, r.After)
	}
	if err == nil && (r.Saved || !r.After.Open || u.Current == u.Target && !r.After.Dirty) && !t.cfg.FS.Remote() {
		err = t.toTheByte(ctx, u, path, r.After)
	}
	if err != nil {
		return "", err
	}
	return r.After.Text.String(), nil
}

// toTheByte gives a file that an undo has written the line ends and the byte order mark of the text that is back: where a
// command has put another file in its place, the write went by those of that one.
func (t *Tracker) toTheByte(ctx context.Context, u review.UndoFile, path string, after *fsproxy.Snapshot) error {
	mark, mode := after.BOM, fs.FileMode(0)
	if u.Marked {
		mark = u.BOM // nothing of the other one is left
		if u.Remode {
			mode = u.Mode
		}
	}
	switch {
	case u.Disk != nil && path == u.Path:
		return t.cfg.FS.Exact(ctx, path, u.Disk, mark, mode)
	case !after.Open:
		return t.cfg.FS.Exact(ctx, path, &u.Target, mark, mode)
	case u.Marked:
		return t.cfg.FS.Exact(ctx, path, nil, mark, mode)
	}
	return nil
}

// bringBack puts a file that a command took away on disk again where the editor kept its buffer: a buffer without
// unsaved text looks as if it had nothing to save.
func (t *Tracker) bringBack(ctx context.Context, snap *fsproxy.Snapshot) error {
	if _, err := os.Lstat(snap.Path); !snap.Open || snap.Dirty || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	_, err := t.cfg.Disk.WithOutside(snap.Path).Save(ctx, snap.Path, disk.SaveRequest{Text: snap.Text.String(), Like: snap, New: true})
	t.cfg.Host.Wrote(snap.Path)
	return err
}

// removeFolders removes folders that were made for a file, innermost first, as far as they are empty.
func (t *Tracker) removeFolders(dirs []string) {
	for _, dir := range slices.Backward(dirs) {
		if os.Remove(dir) != nil { // never removes a folder with something in it
			return
		}
	}
}

// CurrentText is the text of a file with pending hunks as the review book knows it.
func (t *Tracker) CurrentText(path string) (string, bool) { return t.cfg.Book.Text(path) }

// ChangedOnDisk takes in what another program did to a file under review that is not open in the editor.
func (t *Tracker) ChangedOnDisk(path string) {
	if t.cfg.Book.Deleted(path) && !t.cfg.FS.Remote() {
		t.reappeared(path)
		return
	}
	if _, open := t.cfg.Overlay.Lookup(path); open {
		return // the editor decides what becomes of its buffer
	}
	if t.cfg.FS.Remote() {
		t.cfg.Book.Unsettle(path) // it is asked when somebody wants to know
		return
	}
	if _, known := t.cfg.Book.Text(path); !known {
		return
	}
	t.cfg.Overlay.Hold(func() {
		if _, open := t.cfg.Overlay.Lookup(path); !open {
			t.lookAtDisk(t.cfg.Life, path)
		}
	})
	if t.cfg.Host.CommandsOut() && t.cfg.Idle() { // a command in the background: no turn's end compares it
		t.cfg.Host.Account(path)
	}
	t.findVanished(t.cfg.Life, path)
}
