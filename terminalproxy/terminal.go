package terminalproxy

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// Terminal is a command and its output. Its methods may be called from any goroutine; a call that waits ends with
// its ctx, and what it had begun goes on.
type Terminal struct {
	r     *Runner
	s     *session
	info  Info // but for Exit, fixed before anybody else sees the terminal
	limit int
	proc  process
	out   *os.File // the read end of the command's output

	// Set before the start, for the shell tools.
	headLimit int          // this much of the beginning is kept beside the end
	tap       func(string) // gets the live output too
	atExit    func()       // called once, before anybody hears of the end

	mu      sync.Mutex
	ring    ring
	dec     decoder
	head    []byte
	lines   int64
	exit    *Exit
	exitEnd int64 // how much had been written when the exit became known

	finished sync.Once

	changed chan struct{} // holds a token when there is something new to tell
	done    chan struct{} // closed when exit is known and what was written before it is in the ring
	read    chan struct{} // closed when nothing more is read
	lost    chan struct{} // closed when the process does not die: nobody waits for it any longer

	released bool // guarded by r.mu: the id is not valid any more
	shut     sync.Once
	gone     chan struct{} // closed when nothing is left of the command
}

// watch starts what a terminal does by itself.
func (t *Terminal) watch() {
	t.ring.keep = max(t.limit, liveWindow)
	t.changed = make(chan struct{}, 1)
	t.done, t.read = make(chan struct{}), make(chan struct{})
	t.lost, t.gone = make(chan struct{}), make(chan struct{})
	t.r.work.Go(t.drain)
	t.r.work.Go(t.interruptAtExit)
	if t.r.cfg.OnOutput != nil || t.tap != nil {
		t.r.work.Go(t.tell)
	}
}

// ID is the terminal's id, unique in this Runner.
func (t *Terminal) ID() string { return t.info.ID }

// PID is the process id of the command.
func (t *Terminal) PID() int { return t.info.PID }

// Info describes the terminal as it is now.
func (t *Terminal) Info() Info {
	t.mu.Lock()
	defer t.mu.Unlock()
	info := t.info
	info.Exit = t.exit
	return info
}

// Output is what was written so far: at most the limit, from the end, whole characters. It works after a release too.
func (t *Terminal) Output() Output {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Output{Text: t.ring.tail(t.limit), Truncated: t.ring.end > int64(t.limit), Exit: t.exit}
}

// Wait waits for the end of the command, whatever it left running. After a release it tells how the command was
// ended. The error is ctx's.
func (t *Terminal) Wait(ctx context.Context) (Exit, error) {
	select {
	case <-t.done:
	case <-ctx.Done():
		if !isClosed(t.done) { // both at once: the end is the better news
			return Exit{}, ctx.Err()
		}
	}
	return *t.exit, nil
}

// Kill ends the command and everything it has started: TERM, and KILL after two seconds. It returns when the command
// has ended; the id stays valid. The error is [ErrReleased] or ctx's.
func (t *Terminal) Kill(ctx context.Context) error {
	t.r.mu.Lock()
	released := t.released
	t.r.mu.Unlock()
	if released {
		return ErrReleased
	}
	t.proc.Terminate()
	_, err := t.Wait(ctx)
	return err
}

// Release makes the id invalid at once and ends what still runs, as Kill does, and with KILL what a command that has
// ended left behind. It returns when nothing is left and its place is free. The error is [ErrReleased] or ctx's.
func (t *Terminal) Release(ctx context.Context) error {
	r := t.r
	r.mu.Lock()
	if t.released {
		r.mu.Unlock()
		return ErrReleased
	}
	t.released = true
	delete(t.s.terminals, t.info.ID)
	t.s.rememberReleased(t)
	r.work.Add(1) // not too late for Close, which would have set released
	t.s.ends.Add(1)
	r.mu.Unlock()

	free := make(chan struct{})
	go func() {
		defer r.work.Done()
		defer t.s.ends.Done()
		t.shutdown()
		r.mu.Lock()
		r.held--
		r.mu.Unlock()
		close(free)
	}()
	select {
	case <-free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// shutdown ends everything and returns when nothing is left. Every waiter has its answer then.
func (t *Terminal) shutdown() {
	t.shut.Do(func() {
		defer close(t.gone)
		if !isClosed(t.proc.Done()) {
			t.proc.Terminate()
			waitFor(t.proc.Done(), guard.KillGrace+closeWait)
		}
		if err := t.proc.Close(); err != nil {
			t.r.cfg.Log.Warn().Str("terminal", t.info.ID).Err(err).Msg("end a command")
			close(t.lost)
		}
		waitFor(t.read, closeWait)
		t.out.Close()
		<-t.read
	})
	<-t.gone
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

func waitFor(ch <-chan struct{}, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-ch:
	case <-timer.C:
	}
}
