package acptest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
)

func ignoreSignals() { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP) }

// spawnTree starts a child that starts a grandchild, and returns their process ids once both ignore signals.
func spawnTree() ([]string, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	err = growTree("child", write)
	_ = write.Close()
	if err != nil {
		return nil, err
	}
	var pids []string
	for lines := bufio.NewScanner(read); lines.Scan(); {
		if _, err := strconv.Atoi(lines.Text()); err != nil {
			return nil, fmt.Errorf("spawn tree: %s", lines.Text())
		}
		pids = append(pids, lines.Text())
	}
	if len(pids) != 2 {
		return nil, fmt.Errorf("spawn tree: want two processes, have %v", pids)
	}
	return pids, nil
}

// growTree starts this executable once more. Of the agent's streams the new process has none: only out, until it has said
// its id.
func growTree(role string, out *os.File) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), treeEnv+"="+role)
	cmd.Stdout = out
	if role == "grandchild" {
		detach(cmd)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the %s: %w", role, err)
	}
	return cmd.Process.Release()
}
