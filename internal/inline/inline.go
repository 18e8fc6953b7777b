// Package inline lets one have something at a time, in the order in which they came: a screen that shows one question.
//
// A place in the line is taken at once and waited for later, which no semaphore can do: who comes second must not overtake who comes
// first on the way to it. A [Line] may be used by any goroutine, a [Place] by one.
package inline

import (
	"context"
	"slices"
	"sync"
)

// Line is a line of those that wait, the first of whom has its turn. The zero value is an empty one.
type Line struct {
	mu     sync.Mutex
	places []*Place
}

// Place is one place in a line.
type Place struct {
	line  *Line
	first chan struct{} // closed when it has its turn
}

// Join takes the last place.
func (l *Line) Join() *Place {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := &Place{l, make(chan struct{})}
	if l.places = append(l.places, p); len(l.places) == 1 {
		close(p.first)
	}
	return p
}

// Wait waits for the turn, until ctx ends. Either way the place is held until Leave.
func (p *Place) Wait(ctx context.Context) error {
	select {
	case <-p.first:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Leave gives the place up, and with it the turn if it has come. A second call does nothing.
func (p *Place) Leave() {
	l := p.line
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.places, p)
	if i < 0 {
		return
	}
	l.places = slices.Delete(l.places, i, i+1)
	if i == 0 && len(l.places) > 0 {
		close(l.places[0].first)
	}
}
