//go:build unix

package main

import (
	"io"
	"io/fs"
	"os"
	"syscall"
)

// pollable is standard input as a file whose Close ends a Read that waits for the editor: Neovim 0.10 leaves its end
// of the pipe open after "exit". A pipe or socket is switched to non-blocking for that, which its other end does not
// notice; a terminal, which others share, is left alone.
func pollable(in io.Reader) io.Reader {
	f, ok := in.(*os.File)
	if !ok {
		return in
	}
	fi, err := f.Stat()
	if err != nil || fi.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return in
	}
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return in
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		syscall.Close(fd)
		return in
	}
	return os.NewFile(uintptr(fd), f.Name())
}
