package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// ExitError says how an agent ended.
type ExitError struct {
	Code   int      // exit status, -1 if there is none
	Signal string   // the name of the signal that ended it, "" if none did
	Stderr []string // its last lines on standard error, cleaned
	Asked  bool     // we closed it

	remote bool // there is no process of ours
	silent bool // we had to end it, because it had closed its output
}

func (e *ExitError) Error() string {
	switch {
	case e.Asked:
		return "the agent was stopped"
	case e.remote:
		return "the connection to the agent was closed"
	case e.silent:
		return "the agent closed its output and was ended" + e.lastLine()
	}
	return "the agent ended unexpectedly (" + e.how() + ")" + e.lastLine()
}

func (e *ExitError) how() string {
	if e.Signal != "" {
		return "killed by " + e.Signal
	}
	return fmt.Sprintf("exit status %d", e.Code)
}

func (e *ExitError) lastLine() string {
	if n := len(e.Stderr); n > 0 {
		return ": " + strings.TrimSpace(e.Stderr[n-1])
	}
	return ""
}

// watch follows the agent to its end and tells it. It is the only one who ends
// the process.
func (a *Agent) watch() {
	defer close(a.done)
	if a.proc == nil {
		a.watchConn()
	} else {
		a.watchProcess()
	}
	a.mu.Lock()
	a.ended, a.state = true, Crashed
	if a.exit.Asked {
		a.state = Stopped
	}
	tell := a.started
	a.mu.Unlock()
	close(a.exited)

	a.log.Info().Int("status", a.exit.Code).Str("signal", a.exit.Signal).Bool("asked", a.exit.Asked).Msg("agent ended")
	if tell {
		e := a.exit
		a.handler.Exited(&e)
	}
}

func (a *Agent) watchConn() {
	a.exit = ExitError{Code: -1, remote: true}
	select {
	case <-a.conn.Done():
	case <-a.closing:
		a.exit.Asked = true
	case <-a.hurry:
	}
	_ = a.conn.Close()
}

// watchProcess waits for the end of the process or sees to it, leaves nothing
// of its tree, and then lets everything be read that it has still written.
func (a *Agent) watchProcess() {
	var helpers sync.WaitGroup
	helpers.Go(func() {
		<-a.conn.Done()
		a.pipes.drain()
	})
	broken, asked := false, false
	select {
	case <-a.proc.Done():
	case <-a.conn.Done(): // it closed its output, or its stream is beyond use
		broken = a.end(brokenGrace)
	case <-a.closing:
		asked = true
		helpers.Go(func() { _ = a.conn.Close() })
		a.end(eofGrace)
	case <-a.hurry:
		a.end(0)
	}
	exit, err := a.proc.Wait(context.Background())
	if err != nil {
		a.log.Error().Err(err).Msg("the agent's guardian is gone")
	}
	if err := a.proc.Close(); err != nil {
		a.log.Error().Err(err).Msg("cannot clean up after the agent")
	}
	if !within(lastWordsLimit, a.conn.Done()) {
		a.log.Warn().Msg("not everything the agent has written was read before its end")
		_ = a.conn.Close()
	}
	a.pipes.end()
	helpers.Wait()
	if !within(lastWordsLimit, a.errs.done) {
		a.log.Warn().Msg("somebody else holds the agent's standard error")
	}
	_ = a.stderr.Close()
	<-a.errs.done
	a.exit = ExitError{
		Code: exit.Code, Signal: exit.Signal, Stderr: a.errs.last(), Asked: asked,
		silent: broken && exit.Signal != "",
	}
}

// end gives the process some time to leave, asks it, and lets guard kill it. It
// reports whether more than patience was needed.
func (a *Agent) end(patience time.Duration) bool {
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-a.proc.Done():
		return false
	case <-t.C:
		a.proc.Terminate()
	case <-a.hurry:
	}
	select {
	case <-a.proc.Done():
	case <-a.hurry:
		a.proc.Kill()
	}
	return true
}

// Close ends the agent: its input is closed, then it has a second to leave, then
// two after SIGTERM, then it is killed with everything below it. When ctx ends it
// is killed at once. Close returns when nothing is left and Exited has returned.
func (a *Agent) Close(ctx context.Context) error {
	a.mu.Lock()
	if !a.asked {
		a.asked = true
		if !a.ended {
			a.state = Stopped
		}
		close(a.closing)
	}
	a.mu.Unlock()
	select {
	case <-a.done:
		return nil
	case <-ctx.Done():
		a.rush()
	}
	<-a.done
	return ctx.Err()
}

// abort ends an agent that did not pass the handshake and waits for its end. One
// that has closed its output is probably ending: how, is what we want to know.
func (a *Agent) abort(err error) {
	if !errors.Is(err, acp.ErrClosed) || !within(2*brokenGrace, a.done) {
		a.rush()
	}
	<-a.done
}

// rush lets the end take no longer.
func (a *Agent) rush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.rushed {
		a.rushed = true
		close(a.hurry)
	}
}

func within(limit time.Duration, ch <-chan struct{}) bool {
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-ch:
		return true
	case <-t.C:
		return false
	}
}
