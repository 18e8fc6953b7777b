//go:build unix

package main

import (
	"os"
	"syscall"
)

var moreSignals = []os.Signal{syscall.SIGHUP, syscall.SIGPIPE}

func isPipe(s syscall.Signal) bool { return s == syscall.SIGPIPE }
