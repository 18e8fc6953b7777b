//go:build unix

package guard

import (
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// plain is a tree without a guardian: a process group, and what can be seen
// below it. It outlives the bridge if the bridge does not end in order.
type plain struct {
	group int // the program's process id
	own   int // our session: tells our group from a later one with its number

	mu    sync.Mutex
	grace *time.Timer
}

func startPlain(cfg Config) (*Process, error) {
	path, err := LookPath(cfg.Argv[0], cfg.Env, cfg.Dir)
	if err != nil {
		return nil, err
	}
	cmd := command(cfg, path, cfg.Argv, &syscall.SysProcAttr{Setpgid: true})
	if err := cmd.Start(); err != nil {
		return nil, execError(cfg.Argv[0], path, cfg.Argv, cmd.Environ(), err)
	}
	t := &plain{group: cmd.Process.Pid}
	t.own, _ = unix.Getsid(0)
	p := newProcess(t.group, t)
	go func() {
		defer close(p.gone)
		_ = cmd.Wait()
		ws, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
		e := Exit{Code: ws.ExitStatus()}
		if ws.Signaled() {
			e = Exit{Code: -1, Signal: signalName(ws.Signal())}
		}
		p.end(e, nil)
	}()
	return p, nil
}

func (t *plain) member(p process) bool { return p.pgid == t.group && p.sid == t.own }

// signal reaches the group and all below it; false if nothing was left.
func (t *plain) signal(sig syscall.Signal) bool {
	below := descendants(processes(), t.member, os.Getpid())
	signalEach(below, sig)
	return len(below) > 0
}

func (t *plain) interrupt() {
	for _, p := range processes() {
		if t.member(p) {
			_ = syscall.Kill(p.pid, syscall.SIGINT)
		}
	}
}

func (t *plain) terminate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.grace != nil {
		return
	}
	t.signal(syscall.SIGTERM)
	t.grace = time.AfterFunc(KillGrace, t.kill)
}

// kill repeats, because a process may fork between the look and the blow.
func (t *plain) kill() {
	for pause := firstPause; t.signal(syscall.SIGKILL) && pause < maxPause; pause *= 2 {
		time.Sleep(pause)
	}
}

func (t *plain) release() {
	t.mu.Lock()
	if t.grace != nil {
		t.grace.Stop()
	}
	t.mu.Unlock()
	t.kill()
}

func (t *plain) abandon() { t.kill() }
