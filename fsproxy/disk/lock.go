package disk

import (
	"context"
	"slices"
	"sync"
)

// Locks are locks by name. The zero value is ready.
type Locks struct {
	mu   sync.Mutex
	held map[string]*lock
}

// lock is held by the goroutine that put a token in its channel; users counts those who hold
// or want it, so that the last one out removes it.
type lock struct {
	token chan struct{}
	users int
}

// Acquire takes the locks of all keys, or none and ctx's error. Several are taken
// in sorted order, so that two who want the same ones do not wait for each other.
// The returned function releases them, once.
func (l *Locks) Acquire(ctx context.Context, keys ...string) (release func(), err error) {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for i, key := range keys {
		if err := l.take(ctx, key); err != nil {
			l.release(keys[:i])
			return nil, err
		}
	}
	return func() { l.release(keys) }, nil
}

func (l *Locks) take(ctx context.Context, key string) error {
	l.mu.Lock()
	if l.held == nil {
		l.held = make(map[string]*lock)
	}
	k := l.held[key]
	if k == nil {
		k = &lock{token: make(chan struct{}, 1)}
		l.held[key] = k
	}
	k.users++
	l.mu.Unlock()
	select {
	case k.token <- struct{}{}:
		return nil
	case <-ctx.Done():
		l.leave(key)
		return ctx.Err()
	}
}

func (l *Locks) release(keys []string) {
	for _, key := range keys {
		l.mu.Lock()
		<-l.held[key].token
		l.mu.Unlock()
		l.leave(key)
	}
}

// leave says one user less.
func (l *Locks) leave(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[key].users--; l.held[key].users == 0 {
		delete(l.held, key)
	}
}
