package guard

import "golang.org/x/sys/unix"

// macOS has no subreaper: an orphan goes to launchd. It is still found by its
// session, which is ours unless it asked for one of its own.
func becomeReaper() {}

func clearSignalMask() {}

func dup(from, to int) error { return unix.Dup2(from, to) }

const zombie = 5 // SZOMB in sys/proc.h

func processes() []process {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	out := make([]process, 0, len(all))
	for i := range all {
		k := &all[i]
		if k.Proc.P_stat == zombie {
			continue
		}
		p := process{pid: int(k.Proc.P_pid), ppid: int(k.Eproc.Ppid), pgid: int(k.Eproc.Pgid)}
		p.sid, _ = unix.Getsid(p.pid)
		out = append(out, p)
	}
	return out
}

// CloseOnExec marks every descriptor above 2 close-on-exec. Go's own are so
// already, but what an editor leaks into us would reach every program we start.
// Call it first in main.
func CloseOnExec() { closeOnExecEach("/dev/fd") }

func selfPath(self string) string { return self }
