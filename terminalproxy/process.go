package terminalproxy

import (
	"context"
	"errors"
	"os"

	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// plan is a command ready to be executed.
type plan struct {
	argv   []string
	env    []string
	dir    string
	output *os.File // becomes descriptors 1 and 2
	away   bool     // it runs at the Runner's Place
}

// process is what a terminal needs of a started command; *guard.Process is one, tests have another.
type process interface {
	PID() int
	Done() <-chan struct{} // closed when the command itself has ended
	Terminate()            // TERM to the whole tree, KILL after two seconds; returns at once
	Close() error          // KILL to what is left; returns when it is gone
	exit() Exit            // valid once Done is closed
}

type guarded struct{ *guard.Process }

func (r *Runner) startGuarded(p plan) (process, error) {
	proc, err := guard.Start(guard.Config{Self: r.cfg.Guard, Argv: p.argv, Env: p.env, Dir: p.dir, Stdout: p.output, Stderr: p.output})
	if err != nil {
		return nil, err
	}
	return guarded{proc}, nil
}

func (g guarded) exit() Exit {
	e, err := g.Wait(context.Background()) // at once: it has ended
	switch {
	case errors.Is(err, guard.ErrLost):
		return signalled("SIGKILL")
	case e.Signal != "":
		return signalled(e.Signal)
	}
	code := uint32(e.Code)
	return Exit{Code: &code}
}

func signalled(name string) Exit { return Exit{Signal: &name} }
