package fsproxy

import "sync"

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
