package guard

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// ErrInputEnded is the cause of a context that ended because standard input did:
// our parent is gone or done.
var ErrInputEnded = errors.New("standard input ended")

// Signalled is the cause of a context that a signal ended.
type Signalled struct{ Signal syscall.Signal }

func (s *Signalled) Error() string { return "ended by signal: " + s.Signal.String() }

// Lifetime turns what ends a process from outside into the end of a context, so
// that it can leave in order: SIGTERM, SIGINT, SIGHUP and the end of standard
// input. SIGPIPE only counts; the write that caused it returns EPIPE. There is
// one Lifetime in a process, made in main.
type Lifetime struct {
	cancel   context.CancelCauseFunc
	limit    func() // starts the clock of the orderly end, once
	signals  chan os.Signal
	done     chan struct{}
	stop     sync.Once
	signal   atomic.Int32 // the first one that ended us, 0 if none
	pipes    atomic.Int64
	override func() bool
}

// Watch begins a Lifetime. interrupt, if not nil, is asked first at each SIGINT
// and says whether that was enough: Ctrl-C may end a turn instead of us. Once a
// signal has ended the context, a second one ends the process at once, and so
// does [OrderlyEnd]: what guardians hold is then killed by them.
func Watch(parent context.Context, interrupt func() bool) (context.Context, *Lifetime) {
	ctx, cancel := context.WithCancelCause(parent)
	l := &Lifetime{cancel: cancel, signals: make(chan os.Signal, 8), done: make(chan struct{}), override: interrupt}
	l.limit = sync.OnceFunc(func() {
		go func() {
			if !waitFor(l.done, OrderlyEnd) {
				os.Exit(l.ExitCode(1))
			}
		}()
	})
	// Notify and never Ignore: what is ignored would be ignored in every
	// program we start, and `yes | head` would not end. What our parent told
	// us to ignore (nohup, a background job) stays ignored.
	watched := []os.Signal{syscall.SIGPIPE, syscall.SIGTERM}
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if !signal.Ignored(sig) {
			watched = append(watched, sig)
		}
	}
	signal.Notify(l.signals, watched...)
	go l.run()
	return ctx, l
}

func (l *Lifetime) run() {
	for {
		select {
		case <-l.done:
			return
		case sig := <-l.signals:
			l.arrived(sig.(syscall.Signal))
		}
	}
}

func (l *Lifetime) arrived(sig syscall.Signal) {
	switch {
	case sig == syscall.SIGPIPE:
		l.pipes.Add(1)
	case l.signal.Load() != 0:
		os.Exit(l.ExitCode(1))
	case sig == syscall.SIGINT && l.override != nil && l.override():
	default:
		l.signal.Store(int32(sig))
		l.limit()
		l.cancel(&Signalled{sig})
	}
}

// Input passes standard input on and ends the context at its end, also at an
// error, which here means the same. What was read before is not lost.
func (l *Lifetime) Input(stdin io.Reader) io.Reader { return &input{stdin, l} }

type input struct {
	r io.Reader
	l *Lifetime
}

func (i *input) Read(p []byte) (int, error) {
	n, err := i.r.Read(p)
	if err != nil {
		i.l.limit()
		i.l.cancel(ErrInputEnded)
	}
	return n, err
}

// BrokenPipes counts the writes to a pipe that nobody read any more.
func (l *Lifetime) BrokenPipes() int64 { return l.pipes.Load() }

// ExitCode is the status for os.Exit: 128 and the number of the signal that
// ended us (143 for SIGTERM, 130 for SIGINT), otherwise code.
func (l *Lifetime) ExitCode(code int) int {
	if sig := l.signal.Load(); sig != 0 {
		return 128 + int(sig)
	}
	return code
}

// Stop ends the Lifetime: signals do again what they do by default.
func (l *Lifetime) Stop() {
	l.stop.Do(func() {
		signal.Stop(l.signals)
		close(l.done)
		l.cancel(context.Canceled)
	})
}
