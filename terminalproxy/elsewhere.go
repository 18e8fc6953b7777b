package terminalproxy

import (
	"context"
	"os"
	"strings"
	"sync"
	"time"
)

// Place runs commands somewhere else, where the user sees them: in the terminals of an ACP editor.
type Place interface {
	// Start starts argv in dir for a session. Limit is how many bytes of output are to be kept.
	Start(ctx context.Context, session string, argv []string, dir string, limit int) (Elsewhere, error)
}

// Elsewhere is a command at a [Place]; the methods are ACP v1's terminal/*.
type Elsewhere interface {
	ID() string
	Output(ctx context.Context) (Output, error)
	Wait(ctx context.Context) (Exit, error)
	Kill(ctx context.Context) error
	Release(ctx context.Context) error
}

// RemoteID is the id of the terminal at its [Place], "" if it runs here.
func (t *Terminal) RemoteID() string {
	if e, ok := t.proc.(*elsewhere); ok {
		return e.cmd.ID()
	}
	return ""
}

// elsewhere is such a command as the process of a terminal here: what it writes is asked for now and then and put into
// the terminal's pipe, so that all that is built on terminals works the same.
type elsewhere struct {
	cmd  Elsewhere
	life context.Context
	end  context.CancelFunc
	out  *os.File
	seen string // of the output, what was put into the pipe

	done   chan struct{}
	status Exit
	free   sync.Once
}

// startElsewhere starts a plan at the place. After a start it owns the plan's output.
func (r *Runner) startElsewhere(p plan, session string, limit int) (process, error) {
	ctx, end := context.WithCancel(context.Background())
	cmd, err := r.cfg.Place.Start(ctx, session, p.argv, p.dir, limit)
	if err != nil {
		end()
		return nil, err
	}
	e := &elsewhere{cmd: cmd, life: ctx, end: end, out: p.output, done: make(chan struct{})}
	r.work.Go(func() { e.follow(r.cfg.Clock) })
	return e, nil
}

// follow copies the output until the command has ended.
func (e *elsewhere) follow(clock Clock) {
	defer close(e.done)
	defer e.out.Close()
	ended := make(chan Exit, 1)
	go func() {
		exit, err := e.cmd.Wait(e.life)
		if err != nil {
			exit = signalled("SIGKILL") // released, or the place is gone
		}
		ended <- exit
	}()
	for {
		select {
		case e.status = <-ended:
			e.copy()
			return
		case <-clock.After(pollEvery):
			e.copy()
		}
	}
}

// copy asks for the output and puts what is new into the pipe.
func (e *elsewhere) copy() {
	ctx, cancel := context.WithTimeout(e.life, closeWait)
	defer cancel()
	out, err := e.cmd.Output(ctx)
	if err != nil {
		return
	}
	news := news(e.seen, out.Text)
	e.seen = out.Text
	_, _ = e.out.WriteString(news) // nobody reads any more after a release
}

// news is what a text has that seen, an earlier one that may have lost its beginning since, does not.
func news(seen, now string) string {
	if rest, ok := strings.CutPrefix(now, seen); ok {
		return rest
	}
	tail := seen[max(0, len(seen)-overlap):]
	for ; len(tail) > 0; tail = tail[min(len(tail), overlap/8):] {
		if i := strings.LastIndex(now, tail); i >= 0 {
			return now[i+len(tail):]
		}
	}
	return now
}

func (e *elsewhere) PID() int              { return 0 }
func (e *elsewhere) Done() <-chan struct{} { return e.done }
func (e *elsewhere) Gone() <-chan struct{} { return e.done }
func (e *elsewhere) exit() Exit            { return e.status }

// Terminate implements process.
func (e *elsewhere) Terminate() {
	go func() {
		ctx, cancel := context.WithTimeout(e.life, closeWait)
		defer cancel()
		_ = e.cmd.Kill(ctx) // its end tells
	}()
}

// Close implements process: the place forgets the command, which ends it.
func (e *elsewhere) Close() error {
	var err error
	e.free.Do(func() {
		ctx, cancel := context.WithTimeout(e.life, closeWait)
		defer cancel()
		err = e.cmd.Release(ctx)
		waitFor(e.done, closeWait)
		e.end()
		<-e.done
	})
	return err
}

const (
	// pollEvery is how often the output of a command elsewhere is asked for.
	pollEvery = 250 * time.Millisecond

	// overlap is how much of an earlier output is looked for in a later one.
	overlap = 4 << 10
)
