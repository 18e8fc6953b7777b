//go:build linux

package terminalproxy

import (
	"context"
	"sync"
	"testing"
)

// TestCloseSessionWaitsForWhoeverEndsItsCommands: a session that is closed has no command any more, also where a release, or
// the end of the agent, was about to end it.
func TestCloseSessionWaitsForWhoeverEndsItsCommands(t *testing.T) {
	for name, first := range map[string]func(*Runner, *Terminal){
		"a release":          func(_ *Runner, term *Terminal) { _ = term.Release(context.Background()) },
		"another close":      func(r *Runner, term *Terminal) { r.CloseSession(term.Info().Session) },
		"a retired command":  func(r *Runner, term *Terminal) { r.retire(term); r.CloseSession(term.Info().Session) },
		"the end of a shell": func(r *Runner, term *Terminal) { r.retire(term); r.stopLeftovers(term.Info().Session, "") },
	} {
		t.Run(name, func(t *testing.T) {
			r := runner(t, Config{})
			term := bash(t, r, `trap '' TERM; sh -c 'trap "" TERM; echo $$; while :; do sleep 60; done' & echo $$; while :; do sleep 60; done`)
			session, list := term.Info().Session, pids(t, term, 2)
			var work sync.WaitGroup
			work.Go(func() { first(r, term) })
			until(t, "the other one has taken it", func() bool {
				r.mu.Lock()
				defer r.mu.Unlock()
				s := r.sessions[session]
				return s == nil || len(s.terminals)+len(s.leftovers) == 0
			})
			r.CloseSession(session)
			for _, pid := range list {
				if alive(pid) {
					t.Errorf("%d outlived its session", pid)
				}
			}
			work.Wait()
			if len(r.closing) != 0 {
				t.Error("something of it is kept")
			}
		})
	}
}
