package acptest

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
)

// An Agent is a scenario in play.
type Agent struct {
	*Marks
	player *player
	stop   context.CancelCauseFunc
	done   chan struct{}
	err    error
	code   int
}

// Start plays the scenario over a stream in goroutines of its own, and closes the stream at the end. It is over when the
// script is, when ctx ends, or by Stop.
func (s *Scenario) Start(ctx context.Context, stream io.ReadWriteCloser, o Options) *Agent {
	ctx, stop := context.WithCancelCause(ctx)
	a := &Agent{Marks: newMarks(), stop: stop, done: make(chan struct{})}
	a.player = newPlayer(s, stream, o, a.Marks)
	a.set = func(name string) { a.player.state.change(func() { a.player.state.set[name] = true }) }
	var reader sync.WaitGroup
	reader.Go(func() { a.player.read(ctx) })
	// A write to a peer that does not read ends only this way.
	hangUp := context.AfterFunc(ctx, func() { _ = stream.Close() })
	go func() {
		defer close(a.done)
		err := a.player.play(ctx)
		hangUp()
		stop(errStopped)
		_ = stream.Close() // the peer may have done it first
		reader.Wait()
		var exit exitError
		switch {
		case errors.As(err, &exit):
			a.code = int(exit)
		case !errors.Is(err, errStopped):
			a.err = err
		}
		a.over(a.err)
	}()
	return a
}

// Done is closed when the script is over.
func (a *Agent) Done() <-chan struct{} { return a.done }

// Wait returns when the script is over: nil when it went as written or was stopped, else a *Deviation.
func (a *Agent) Wait() error {
	<-a.done
	return a.err
}

// ExitCode is that of the exit step, 0 without one. Valid after Wait.
func (a *Agent) ExitCode() int { return a.code }

// Stop ends the script wherever it is, and waits.
func (a *Agent) Stop() {
	a.stop(errStopped)
	<-a.done
}

// TB is the part of testing.TB that is needed here; this package is linked into the program, which has no tests.
type TB interface {
	Helper()
	Error(args ...any)
	Fatal(args ...any)
	Cleanup(f func())
}

// Pipe plays the scenario at the other end of a pipe until the test is over, and fails the test if the peer deviates.
func (s *Scenario) Pipe(t TB, o Options) (io.ReadWriteCloser, *Agent) {
	t.Helper()
	ours, theirs := net.Pipe()
	a := s.Start(context.Background(), theirs, o)
	t.Cleanup(func() {
		_ = ours.Close()
		a.player.testOver()
		if err := a.Wait(); err != nil {
			t.Error(err)
		}
	})
	return ours, a
}
