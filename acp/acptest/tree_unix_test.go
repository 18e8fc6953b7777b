//go:build unix

package acptest

import (
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestSpawnTreeLeavesTwoProcessesBehind(t *testing.T) {
	p := Script("ignore-signals\nspawn tree\nmark grown\nexit 0").Process(t)
	r := start(t, p)
	must(t, p.Await(within(t), "grown"))
	r.exit(0)
	pids := strings.Fields(p.Var("pids"))
	if len(pids) != 2 {
		t.Fatalf("pids %q", pids)
	}
	groups := map[int]bool{}
	for _, text := range pids {
		pid, err := strconv.Atoi(text)
		must(t, err)
		defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
		if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
			t.Errorf("process %d does not live: %v", pid, err)
		}
		group, err := syscall.Getpgid(pid)
		if err != nil {
			t.Errorf("TERM ended process %d: %v", pid, err)
		}
		groups[group] = true
	}
	if len(groups) != 2 {
		t.Errorf("want two process groups, have %v", groups)
	}
}
