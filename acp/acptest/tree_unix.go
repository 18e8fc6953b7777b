//go:build unix

package acptest

import (
	"os/exec"
	"syscall"
)

// detach puts the process into a session of its own, out of reach of signals to the group.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
