//go:build !unix

package acptest

import "os/exec"

// detach does nothing: without sessions every descendant is alike.
func detach(*exec.Cmd) {}
