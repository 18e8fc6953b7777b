package fsproxy_test

import (
	"io/fs"
	"runtime"
)

// modeOf is a file's mode as the system tells it: Windows knows only whether a file may be written.
func modeOf(unix fs.FileMode) fs.FileMode {
	if runtime.GOOS == "windows" {
		return 0o666
	}
	return unix
}
