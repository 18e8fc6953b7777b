//go:build unix

package guard

import (
	"syscall"
	"time"
)

// process is one line of the system's process table. Zombies are left out.
type process struct {
	pid, ppid, pgid, sid int
}

// descendants returns the processes for which is holds and everything below
// them, except the one called without.
func descendants(all []process, is func(process) bool, without int) []process {
	in := make(map[int]bool)
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if p.pid != without && !in[p.pid] && (in[p.ppid] || is(p)) {
				in[p.pid], grown = true, true
			}
		}
	}
	var out []process
	for _, p := range all {
		if in[p.pid] {
			out = append(out, p)
		}
	}
	return out
}

// killOrphans does what a guardian would have done that was itself killed: it
// ends everything in the guardian's session and below. It freezes before it
// kills, because here an orphan goes out of sight with its parent. The caller
// has not reaped the guardian, so its number still means this session only.
func killOrphans(guardian int) {
	deadline := time.Now().Add(orphanLimit)
	known := make(map[int]bool)
	seed := func(p process) bool { return p.sid == guardian || known[p.pid] }
	for pause := firstPause; time.Now().Before(deadline); pause = min(2*pause, maxPause) {
		for frozen := false; !frozen && time.Now().Before(deadline); {
			frozen = true
			for _, p := range descendants(processes(), seed, guardian) {
				if !known[p.pid] {
					known[p.pid], frozen = true, false
					_ = syscall.Kill(p.pid, syscall.SIGSTOP)
				}
			}
		}
		for pid := range known {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		left := false
		for _, p := range processes() {
			left = left || p.sid == guardian && p.pid != guardian || known[p.pid]
		}
		if !left {
			return
		}
		time.Sleep(pause)
	}
}
