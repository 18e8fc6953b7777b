package program

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// Call is one call of a program.
type Call struct {
	Guard []string // argv prefix of the guardian; see [guard.Config]
	Argv  []string
	Env   []string
	Dir   string
	Stdin string // "" is none

	JSON  bool   // it prints events; else its answer
	Tools string // the name under which it knows the editor tools, "" without them
	Stage Stage

	Leave <-chan struct{} // closed when the agent is closed: no time to leave by itself is given
	Rush  <-chan struct{} // closed when that takes too long: it is killed
}

// Run runs the program to its end and shows what it prints while it does. When ctx ends the program is interrupted, then
// terminated, then killed; when Run returns nothing of its tree is left. The error is a *Failure of a program that could
// not be started.
func (c Call) Run(ctx context.Context) (*Outcome, error) {
	o := &Outcome{}
	var d decoder = newTextOutput(c.Stage, o)
	if c.JSON {
		d = newJSONOutput(c.Stage, o, c.Tools)
	}
	var err error
	var files []*os.File
	defer func() { closeAll(files...) }()
	pipe := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
			files = append(files, r, w)
		}
		return r, w
	}
	var in, inW *os.File
	if c.Stdin != "" {
		in, inW = pipe()
	}
	out, outW := pipe()
	errs, errsW := pipe()
	if err != nil {
		return nil, notStarted(c.Argv[0], err)
	}
	proc, err := guard.Start(guard.Config{Self: c.Guard, Argv: c.Argv, Env: c.Env, Dir: c.Dir, Stdin: in, Stdout: outW, Stderr: errsW})
	closeAll(in, outW, errsW)
	if err != nil {
		return nil, notStarted(c.Argv[0], err)
	}
	var work sync.WaitGroup
	var flooded atomic.Bool
	if inW != nil {
		work.Go(func() {
			_, _ = io.WriteString(inW, c.Stdin) // a program that does not read it says so by its answer
			closeAll(inW)
		})
	}
	read := make(chan struct{})
	work.Go(func() {
		defer close(read)
		if copyTo(out, d, maxAnswer) {
			flooded.Store(true)
			proc.Kill()
			_, _ = io.Copy(io.Discard, out) // until it is dead
		}
	})
	said := make(chan struct{})
	tail := &lastWords{}
	work.Go(func() {
		defer close(said)
		_, _ = io.Copy(tail, errs) // to its end, whatever comes
	})
	var ours bool
	o.Exit, ours = c.await(ctx, proc, d.over())
	_ = proc.Close() // what it has left behind goes too; Close has waited as long as it makes sense
	settle := time.NewTimer(drainLimit)
	defer settle.Stop()
	for _, done := range []chan struct{}{read, said} {
		select {
		case <-done:
		case <-settle.C: // somebody who got away holds the pipe
			closeAll(out, errs)
			<-done
			settle.Reset(0)
		}
	}
	closeAll(inW)
	work.Wait()
	d.done()
	o.flooded, o.stderr = flooded.Load(), escape.Text(tail.String())
	if ours && o.finished {
		o.Exit = guard.Exit{Code: o.exitCode}
	}
	return o, nil
}

// await waits for the end, and brings it about when ctx ends, or when the program has said that it is done and does not
// leave. ours: it was ended.
func (c Call) await(ctx context.Context, proc *guard.Process, over <-chan struct{}) (exit guard.Exit, ours bool) {
	select {
	case <-proc.Done():
	case <-ctx.Done():
		ours = true
	case <-over:
		grace := time.NewTimer(finishedGrace)
		defer grace.Stop()
		select {
		case <-proc.Done():
		case <-ctx.Done():
			ours = true
		case <-grace.C:
			ours = true
		}
	}
	if ours {
		c.end(proc)
	}
	exit, err := proc.Wait(context.Background())
	if err != nil { // its guardian was killed, and it with it
		exit = guard.Exit{Code: -1, Signal: "SIGKILL"}
	}
	return exit, ours
}

// end ends a program: it is interrupted, then terminated, then killed.
func (c Call) end(proc *guard.Process) {
	proc.Interrupt()
	grace := time.NewTimer(interruptGrace)
	defer grace.Stop()
	select {
	case <-proc.Done():
	case <-grace.C:
		proc.Terminate() // and kills, guard.KillGrace later
	case <-c.Leave:
		proc.Terminate()
	}
	select {
	case <-proc.Done():
	case <-c.Rush:
		proc.Kill()
	}
}

// copyTo gives what is read to d; true when there is more than limit bytes of it.
func copyTo(r io.Reader, d decoder, limit int) bool {
	buf := make([]byte, 32<<10)
	for n := 0; ; {
		k, err := r.Read(buf)
		if n += k; n > limit {
			return true
		}
		d.write(buf[:k])
		if err != nil {
			return false
		}
	}
}

// closeAll closes files; nil and what is closed already are left alone.
func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // pipes: nothing is lost that way
		}
	}
}

func notStarted(name string, err error) *Failure {
	f := &Failure{Reason: NotStarted, Message: name + " could not be started: " + escape.Inline(err.Error()), Hint: "name the program in agent.command"}
	var se *guard.StartError
	if errors.As(err, &se) && se.Kind == guard.BadDir {
		f.Hint = "put the folder back, or begin a session in another one"
	}
	return f
}

// lastWords keeps the end of what is written to it.
type lastWords struct{ b []byte }

func (l *lastWords) Write(p []byte) (int, error) {
	l.b = append(l.b, p[max(0, len(p)-maxStray):]...)
	if over := len(l.b) - maxStray; over > maxStray {
		l.b = append(l.b[:0], l.b[over:]...)
	}
	return len(p), nil
}

func (l *lastWords) String() string { return string(l.b[max(0, len(l.b)-maxStray):]) }
