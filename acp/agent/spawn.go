package agent

import (
	"os"

	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// spawn starts the program with pipes as its standard streams.
func (a *Agent) spawn(cfg Config) error {
	var ends [6]*os.File // in, out, err: the reading and the writing end of each
	defer func() {
		for _, i := range []int{0, 3, 5} { // the program's ends are its own now
			if ends[i] != nil {
				_ = ends[i].Close()
			}
		}
	}()
	closeOurs := func() {
		for _, i := range []int{1, 2, 4} {
			if ends[i] != nil {
				_ = ends[i].Close()
			}
		}
	}
	for i := 0; i < len(ends); i += 2 {
		r, w, err := os.Pipe()
		if err != nil {
			closeOurs()
			return err
		}
		ends[i], ends[i+1] = r, w
	}
	proc, err := guard.Start(guard.Config{
		Self: cfg.Guard, Argv: cfg.Command, Env: cfg.Env, Dir: cfg.Dir,
		Stdin: ends[0], Stdout: ends[3], Stderr: ends[5],
	})
	if err != nil {
		closeOurs()
		return err
	}
	a.proc = proc
	a.pipes = &pipes{in: ends[1], out: ends[2]}
	a.stderr = ends[4]
	a.errs = listen(a.stderr, a.log)
	return nil
}
