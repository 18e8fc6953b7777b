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
	if g := nonBlocking(f); g != nil {
		return g
	}
	return in
}

// pollableOut is standard output as a file that can be tried without waiting, as [pollable]. Where standard error is the
// same pipe it is left alone: log lines would be lost when the pipe is full.
func pollableOut(out io.Writer) io.Writer {
	f, ok := out.(*os.File)
	if !ok {
		return out
	}
	fi, err := f.Stat()
	if err != nil {
		return out
	}
	if log, err := os.Stderr.Stat(); err == nil && os.SameFile(fi, log) {
		return out
	}
	if g := nonBlocking(f); g != nil {
		return g
	}
	return out
}

// nonBlocking is a second descriptor of a pipe or socket, which is switched to non-blocking; nil for all else.
func nonBlocking(f *os.File) *os.File {
	fi, err := f.Stat()
	if err != nil || fi.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return nil
	}
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return nil
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		syscall.Close(fd)
		return nil
	}
	return os.NewFile(uintptr(fd), f.Name())
}
