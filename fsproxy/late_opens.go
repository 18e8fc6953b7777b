package fsproxy

import (
	"container/list"
	"context"
	"slices"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// lateOpens repairs a race: a file that the editor has just opened is saved by us
// before the editor's word of it arrives. Its buffer then shows the text before
// ours, as if that were unsaved, and the next save there would undo ours. The last
// saves are remembered, and such a buffer is given the change at once.
type lateOpens struct {
	mu     sync.Mutex
	saves  map[string]*list.Element // of savedOver, by path
	recent list.List
}

// savedOver are the texts a file had before and between our last saves, and the one
// it has now: the editor may have read any of them.
type savedOver struct {
	path   string
	before []text.Text
	after  text.Text
}

func (l *lateOpens) note(path string, before, after text.Text) {
	if before.Len()+after.Len() > maxSavesBytes {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.saves == nil {
		l.saves = make(map[string]*list.Element)
	}
	all := []text.Text{before}
	if e := l.saves[path]; e != nil {
		all = append(slices.Clip(e.Value.(savedOver).before), before)
		all = all[max(0, len(all)-maxSavesInRow):]
		l.recent.Remove(e)
	}
	l.saves[path] = l.recent.PushFront(savedOver{path, all, after})
	if l.recent.Len() > maxSavesKept {
		delete(l.saves, l.recent.Remove(l.recent.Back()).(savedOver).path)
	}
}

// take returns what was saved over the text that was just opened.
func (l *lateOpens) take(path string, opened text.Text) (s savedOver, late bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.saves[path]
	if e == nil {
		return savedOver{}, false
	}
	delete(l.saves, path) // an editor that opens it after this reads what is there
	s = l.recent.Remove(e).(savedOver)
	if SameText(s.after, opened) {
		return s, false
	}
	for _, t := range s.before {
		if SameText(t, opened) {
			s.before = []text.Text{t}
			return s, true
		}
	}
	return s, false
}

// openedLate is told of every change of a buffer.
func (f *FS) openedLate(c Change) {
	if c.Before != nil || c.After == nil || f.editor == nil {
		return
	}
	s, late := f.late.take(c.Path, c.After.Text)
	if !late {
		return
	}
	f.start(func() {
		at, err := f.locate(c.Path, true, true)
		if err == nil {
			err = f.bring(f.life, at, s)
		}
		if err != nil {
			f.log.Warn().Err(err).Str("path", c.Path).Msg("a buffer opened during a save was not brought up to date")
		}
	})
}

// bring makes in an open buffer the change that was saved on disk without it.
func (f *FS) bring(ctx context.Context, at target, s savedOver) error {
	release, err := f.locks.Acquire(ctx, at.LockKey)
	if err != nil {
		return err
	}
	defer release()
	return f.bringLocked(ctx, at, s)
}

func (f *FS) bringLocked(ctx context.Context, at target, s savedOver) error {
	onDisk, err := f.onDisk(ctx, at)
	if err != nil || onDisk == nil || !SameText(onDisk.Text, s.after) {
		return err // somebody has written there since
	}
	from, to := s.before[0].String(), s.after.String()
	t := &txn{f: f, path: at.Real, label: "Change on disk", goal: func(cur *Snapshot) (string, error) {
		if plain(from) == "" && plain(cur.Text.String()) == "" {
			return to, nil // the buffer of a file that was not there; whether it shows a line end makes no difference
		}
		return f.adapted(at.Path, from, to, cur)
	}}
	if _, _, err := t.run(ctx); err != nil {
		return err
	}
	f.overlay.onDisk(at.Real, onDisk)
	return nil
}
