package fsproxy

import (
	"context"
	"sync"
)

// feed is what happens to one buffer from a moment on, kept until it is taken.
type feed struct {
	ready chan struct{} // has a token when there is something to take
	stop  func()
	life  *int // of the document that is open when it begins

	mu      sync.Mutex
	changes []Change
}

// follow returns the buffer at path, nil if it is not open, and a feed of all that
// happens to it after that. The caller stops the feed.
func (o *Overlay) follow(path string) (*Snapshot, *feed) {
	f := &feed{ready: make(chan struct{}, 1)}
	o.turn.Lock()
	defer o.turn.Unlock()
	f.stop = o.Subscribe(func(c Change) {
		if c.Path == path {
			f.put(c)
		}
	})
	snap, _ := o.Lookup(path)
	f.life = o.lifeOf(path)
	return snap, f
}

func (f *feed) put(c Change) {
	f.mu.Lock()
	f.changes = append(f.changes, c)
	f.mu.Unlock()
	select {
	case f.ready <- struct{}{}:
	default:
	}
}

func (f *feed) take() []Change {
	f.mu.Lock()
	defer f.mu.Unlock()
	cs := f.changes
	f.changes = nil
	return cs
}

// Wait returns the buffer at path as soon as ok says so of it, or ctx's error. ok
// is called with the buffer as it is, nil while it is not open, and after changes;
// when several come at once it may see only the last.
func (o *Overlay) Wait(ctx context.Context, path string, ok func(*Snapshot) bool) (*Snapshot, error) {
	snap, changes := o.follow(path)
	defer changes.stop()
	for !ok(snap) {
		select {
		case <-changes.ready:
			for _, c := range changes.take() {
				snap = c.After
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return snap, nil
}
