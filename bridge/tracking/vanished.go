package tracking

import (
	"context"
	"io/fs"
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// findVanished looks where a file with pending changes has gone that another program took away: if exactly one file in the folder
// that it was in has its text to the byte, the changes go along. Else they stay, for a file that is missing, and can be undone,
// which makes it again. Nothing is looked for while an agent works: its commands are compared when they are done. It reads folders
// and must not be called where buffers wait for it.
func (t *Tracker) findVanished(ctx context.Context, path string) {
	want, ok := t.cfg.Book.Vanished(path)
	if !ok || want == "" || t.cfg.FS.Remote() || t.cfg.Host.CommandsOut() || !t.cfg.Idle() { // empty files are many
		return
	}
	if !t.looks.TryAcquire(1) {
		return
	}
	defer t.looks.Release(1)
	ctx, cancel := context.WithTimeout(ctx, vanishedTime)
	defer cancel()
	var found []string
	left := maxVanishedNames
	err := workspace.Walk(ctx, t.topOf(path), func(at string, d fs.DirEntry) error {
		if left--; left < 0 {
			return context.DeadlineExceeded
		}
		if info, err := d.Info(); err != nil || info.Size() != int64(len(want)) && info.Size() != int64(len(want)+len(host.ByteOrderMark)) {
			return nil
		}
		snap, err := t.cfg.Disk.WithOutside(at).Read(ctx, at)
		if err != nil || !snap.Text.Equal(text.New(want)) {
			return nil
		}
		if found = append(found, at); len(found) > 1 {
			return workspace.ErrStop
		}
		return nil
	})
	if err != nil || len(found) != 1 || len(t.cfg.Book.Files(review.Filter{Path: found[0]})) > 0 {
		return // not all was looked at, or it cannot be told
	}
	to := found[0]
	t.cfg.Overlay.Hold(func() {
		if _, still := t.cfg.Book.Vanished(path); !still || there(path) {
			return
		}
		t.cfg.Book.Renamed(path, to)
		t.cfg.Book.Appeared(to)
		if snap, open := t.cfg.Overlay.Lookup(to); open {
			t.cfg.Book.Reconcile(to, snap.Text.String(), true)
		} else {
			t.lookAtDisk(t.cfg.Life, to)
		}
	})
}

// topOf is the folder in which a file that has gone is looked for: the highest one of the editor's or a session's that it was in.
func (t *Tracker) topOf(path string) string {
	top := filepath.Dir(path)
	for _, dir := range t.cfg.Dirs() {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		if _, ok := policy.Below(path, dir); ok && len(dir) < len(top) {
			top = dir
		}
	}
	return top
}
