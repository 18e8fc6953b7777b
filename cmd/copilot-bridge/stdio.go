package main

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// stdio makes one stream of two. Close interrupts a Read that waits, where the system can (see pollable).
type stdio struct {
	in  io.Reader
	out io.Writer

	once sync.Once
	err  error
}

func newStdio(in io.Reader, out io.Writer) *stdio { return &stdio{in: pollable(in), out: out} }

func (s *stdio) Read(p []byte) (int, error) { return s.in.Read(p) }

// SyscallConn implements [syscall.Conn] for where standard output can be written to without waiting.
func (s *stdio) SyscallConn() (syscall.RawConn, error) {
	if f, ok := s.out.(syscall.Conn); ok {
		return f.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}

func (s *stdio) Write(p []byte) (int, error) { return s.out.Write(p) }

// Close closes what can be closed of both, once.
func (s *stdio) Close() error {
	s.once.Do(func() {
		for _, v := range []any{s.in, s.out} {
			if c, ok := v.(io.Closer); ok {
				s.err = errors.Join(s.err, c.Close())
			}
		}
	})
	return s.err
}
