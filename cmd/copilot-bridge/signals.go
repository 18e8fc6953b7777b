package main

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// signals turns the first INT, TERM or HUP into a cancelled context and the second one into a hard end. SIGPIPE is
// caught and forgotten, so that a write to an editor that is gone is an error and not the end of this process;
// ignoring it instead would be inherited by the agent.
type signals struct {
	ctx, hard context.Context
	stop      func()
	got       atomic.Int32
}

func watchSignals(parent context.Context) *signals {
	s := &signals{}
	soft, cancelSoft := context.WithCancel(parent)
	hard, cancelHard := context.WithCancel(parent)
	ch := make(chan os.Signal, 4)
	signal.Notify(ch, append([]os.Signal{os.Interrupt, syscall.SIGTERM}, moreSignals...)...)
	quit := make(chan struct{})
	over := make(chan struct{})
	go func() {
		defer close(over)
		for {
			select {
			case sig := <-ch:
				n, ok := sig.(syscall.Signal)
				if !ok || isPipe(n) {
					continue
				}
				if s.got.CompareAndSwap(0, int32(n)) {
					cancelSoft()
				} else {
					cancelHard()
				}
			case <-quit:
				return
			}
		}
	}()
	s.ctx, s.hard = soft, hard
	s.stop = func() {
		signal.Stop(ch)
		close(quit)
		<-over
		cancelSoft()
		cancelHard()
	}
	return s
}

// orError is the error of a command that a signal ended: the exit status is the shell's, 128 and the signal's number.
func (s *signals) orError(err error) error {
	if n := s.got.Load(); n != 0 {
		return &exitError{128 + int(n)}
	}
	return err
}
