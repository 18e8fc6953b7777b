package guard

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// becomeReaper makes us the parent of every descendant that loses its own, and
// gives us a name of our own, so that killing "copilot-bridge" by name leaves
// somebody to clean up.
func becomeReaper() {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	_ = os.WriteFile("/proc/self/comm", []byte("copilot-guard"), 0)
}

func clearSignalMask() {
	_ = unix.PthreadSigmask(unix.SIG_SETMASK, &unix.Sigset_t{}, nil)
}

func dup(from, to int) error { return unix.Dup3(from, to, 0) }

// processes reads the process table from /proc. What vanishes meanwhile, and
// what hidepid hides, is not in it; neither can be killed by us.
func processes() []process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	out := make([]process, 0, len(names))
	buf := make([]byte, 512)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		fd, err := syscall.Open("/proc/"+name+"/stat", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err != nil {
			continue
		}
		n, _ := syscall.Read(fd, buf)
		_ = syscall.Close(fd)
		if n > 0 {
			if p, ok := parseStat(pid, buf[:n]); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

// parseStat reads state, parent, group and session. They follow the program's
// name, which may itself hold blanks and parentheses: the last one closes it.
func parseStat(pid int, stat []byte) (process, bool) {
	_, rest, ok := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte(") "))
	fields := bytes.Fields(rest)
	if !ok || len(fields) < 4 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return process{}, false
	}
	p := process{pid: pid}
	for i, to := range []*int{&p.ppid, &p.pgid, &p.sid} {
		n, err := strconv.Atoi(string(fields[i+1]))
		if err != nil {
			return process{}, false
		}
		*to = n
	}
	return p, true
}

// CloseOnExec marks every descriptor above 2 close-on-exec. Go's own are so
// already, but what an editor leaks into us would reach every program we start.
// Call it first in main.
func CloseOnExec() {
	if unix.CloseRange(3, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	closeOnExecEach("/proc/self/fd") // before Linux 5.11
}

// selfPath runs the very file we run, also after an update has replaced it.
func selfPath(self string) string {
	if exe, err := os.Executable(); err != nil || exe != self || !exists("/proc/self/exe") {
		return self
	}
	return "/proc/self/exe"
}
