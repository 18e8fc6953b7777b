package guard

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Config says what to start. The zero value of a field is the quiet choice:
// no input, no output, the bridge's own environment and folder.
type Config struct {
	// Self is the argv prefix that runs [Main], normally {executable, "guard"}.
	// Nil starts the program without a guardian, in a process group of its own:
	// good enough for a short command, not for an agent. Windows ignores it.
	Self []string
	// Argv is the program and its arguments. A name without a slash is looked
	// up in the PATH of Env by [LookPath].
	Argv []string
	// Env is the whole environment, nil for the bridge's own. Of two entries
	// with one name the last one counts.
	Env []string
	// Dir is the working folder, "" for the bridge's own.
	Dir string
	// Stdin, Stdout and Stderr become descriptors 0, 1 and 2; nil is the null
	// device. The caller closes its copies after Start, whatever Start returns.
	Stdin, Stdout, Stderr *os.File
}

// Exit is how the program itself ended, not its descendants.
type Exit struct {
	// Code is the exit status, -1 if a signal ended the program.
	Code int
	// Signal is the name of that signal ("SIGKILL"), else "".
	Signal string
}

// ErrLost is what [Process.Wait] returns when the guardian itself was killed:
// how the program ended is unknown, what could be found of it was killed.
var ErrLost = errors.New("the guardian process was killed from outside, and what it guarded with it")

// Process is a started program and everything that descends from it. All
// methods may be called from any goroutine, any number of times.
type Process struct {
	pid  int
	tree tree

	ended   chan struct{} // the program itself has ended; exit and err are set
	endOnce sync.Once
	exit    Exit
	err     error

	gone chan struct{} // nothing of the tree is left and its guardian is reaped
}

// tree is what differs between the systems. No method blocks.
type tree interface {
	interrupt()
	terminate()
	kill()
	release() // kill everything and let the guardian go
	abandon() // release did not help in time: the last resort
}

// Start starts a program. The error is a [*StartError] and means that nothing
// runs. Start returns when the program has been executed.
func Start(cfg Config) (*Process, error) {
	if err := check(cfg); err != nil {
		return nil, err
	}
	return start(cfg)
}

// check finds what can be said before anything is started, because afterwards
// the system has only a bare errno for it.
func check(cfg Config) error {
	if len(cfg.Argv) == 0 || cfg.Argv[0] == "" {
		return &StartError{Kind: NotFound, Reason: "the command is empty"}
	}
	name := cfg.Argv[0]
	for _, s := range cfg.Argv {
		if strings.IndexByte(s, 0) >= 0 {
			return &StartError{Kind: Invalid, Name: name, Reason: "an argument contains a NUL byte"}
		}
	}
	for _, s := range cfg.Env {
		if strings.IndexByte(s, 0) >= 0 {
			return &StartError{Kind: Invalid, Name: name, Reason: "an environment variable contains a NUL byte"}
		}
	}
	if cfg.Dir != "" {
		switch info, err := os.Stat(cfg.Dir); {
		case err != nil:
			return &StartError{Kind: BadDir, Name: name, Reason: "the working folder cannot be used: " + err.Error(), Err: err}
		case !info.IsDir():
			return &StartError{Kind: BadDir, Name: name, Reason: "the working folder " + cfg.Dir + " is not a folder"}
		}
	}
	return nil
}

// command prepares the process that the bridge itself starts.
func command(cfg Config, path string, argv []string, attr *syscall.SysProcAttr) *exec.Cmd {
	cmd := &exec.Cmd{Path: path, Args: argv, Env: cfg.Env, Dir: cfg.Dir, SysProcAttr: attr}
	// A nil *os.File in an interface is not nil, and would not become /dev/null.
	if cfg.Stdin != nil {
		cmd.Stdin = cfg.Stdin
	}
	if cfg.Stdout != nil {
		cmd.Stdout = cfg.Stdout
	}
	if cfg.Stderr != nil {
		cmd.Stderr = cfg.Stderr
	}
	return cmd
}

func newProcess(pid int, t tree) *Process {
	return &Process{pid: pid, tree: t, ended: make(chan struct{}), gone: make(chan struct{})}
}

// end records how the program ended. Only the first call counts.
func (p *Process) end(e Exit, err error) {
	p.endOnce.Do(func() {
		p.exit, p.err = e, err
		close(p.ended)
	})
}

// PID is the process id of the program itself, not of its guardian.
func (p *Process) PID() int { return p.pid }

// Done is closed when the program itself has ended.
func (p *Process) Done() <-chan struct{} { return p.ended }

// Wait waits until the program itself has ended, whatever it left behind. The
// error is ctx's or [ErrLost].
func (p *Process) Wait(ctx context.Context) (Exit, error) {
	select {
	case <-p.ended:
		return p.exit, p.err
	default:
	}
	select {
	case <-p.ended:
		return p.exit, p.err
	case <-ctx.Done():
		return Exit{Code: -1}, ctx.Err()
	}
}

// Interrupt sends SIGINT to the program's process group, as Ctrl-C would.
func (p *Process) Interrupt() { p.tree.interrupt() }

// Terminate asks the whole tree to end (SIGTERM) and kills what is left of it
// after [KillGrace]. It returns at once.
func (p *Process) Terminate() { p.tree.terminate() }

// Kill kills the whole tree now, descendants in other sessions included. It
// returns at once; Wait tells when the program has ended.
func (p *Process) Kill() { p.tree.kill() }

// Close kills everything that still lives of the tree, at once, and waits until
// it is gone. It must be called once the process is no longer needed, also after
// the program has ended: it may have left something behind.
func (p *Process) Close() error {
	p.tree.release()
	if waitFor(p.gone, closeLimit) {
		return nil
	}
	p.tree.abandon()
	if waitFor(p.gone, closeLimit) {
		return nil
	}
	return errors.New("some of the processes started by this command do not die; they may belong to another user or hang in the kernel")
}

func waitFor(ch <-chan struct{}, limit time.Duration) bool {
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-ch:
		return true
	case <-t.C:
		return false
	}
}

// Gone is closed when nothing of the tree is left, also what had gone to the
// background.
func (p *Process) Gone() <-chan struct{} { return p.gone }
