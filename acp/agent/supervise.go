package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Clock is the time, as far as a Supervisor needs it.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

type realClock struct{}

func (realClock) Now() time.Time                         { return time.Now() }
func (realClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Supervisor restarts an agent that crashed: after growing pauses, and not more
// than five times a minute. The zero value is ready. One Supervisor is for one
// agent, and remembers its restarts over all calls of Restart.
type Supervisor struct {
	Clock Clock // nil for the real one

	mu    sync.Mutex
	tries []time.Time // of the last minute, oldest first
}

// GaveUpError says that an agent is not started any more.
type GaveUpError struct {
	Tries int
	Last  error // the last crash or failure to start
}

func (e *GaveUpError) Error() string {
	return fmt.Sprintf("the agent crashed %d times within a minute and is not restarted again (last: %v); fix the cause, then restart it", e.Tries, e.Last)
}

func (e *GaveUpError) Unwrap() error { return e.Last }

// Restart starts an agent again that ended because of crash. It waits until the
// restart is due and calls start, and so on until start succeeds. It gives up
// with a [*GaveUpError] when the restarts of the last minute are used up, at
// once when start fails with something that does not pass by itself, such as a
// missing program, and when ctx ends. It must not be called twice at a time.
func (s *Supervisor) Restart(ctx context.Context, crash error, start func(context.Context) error) error {
	last := crash
	for {
		pause, ok := s.due()
		if !ok {
			return &GaveUpError{Tries: len(restartDelays), Last: last}
		}
		select {
		case <-s.clock().After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
		s.tried()
		if last = start(ctx); last == nil {
			return nil
		}
		var failure *StartError
		if errors.As(last, &failure) && failure.Permanent() || ctx.Err() != nil {
			return last
		}
	}
}

// Reset forgets earlier restarts. It is for a user who restarts the agent by
// hand: that counts as a beginning.
func (s *Supervisor) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries = nil
}

// due is the pause before the next restart, or false if there may be none.
func (s *Supervisor) due() (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock().Now()
	for len(s.tries) > 0 && now.Sub(s.tries[0]) >= restartWindow {
		s.tries = s.tries[1:]
	}
	if len(s.tries) >= len(restartDelays) {
		return 0, false
	}
	return restartDelays[len(s.tries)], true
}

func (s *Supervisor) tried() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries = append(s.tries, s.clock().Now())
}

func (s *Supervisor) clock() Clock {
	if s.Clock == nil {
		return realClock{}
	}
	return s.Clock
}
