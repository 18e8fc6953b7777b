package agents

import (
	"errors"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// TestFailuresCountForTheirServersOnly: a server of the user's that breaks its agents says nothing of the others, nor does a
// turn of those that all is well. A missing sign-in is no failure.
func TestFailuresCountForTheirServersOnly(t *testing.T) {
	r := newRig(t, func(c *Config) {
		c.Command = []string{"no such program"} // its help cannot be asked: nothing is offered, and the count shows that it was about to be
	})
	one, two := r.get(server("one")), r.get(server("two"))
	r.cfg.Start = nil
	fail := func(a *Process) { r.acpFailed(a.group, errors.New("boom")) }
	for range offerAfter - 1 {
		fail(one)
		fail(two)
	}
	r.acpFailed(one.group, agent.ErrSignedOut)
	two.Succeeded()
	fail(two)
	if r.offered {
		t.Fatal("offered too early")
	}
	fail(one)
	if !r.offered {
		t.Error("not offered")
	}
	r.cfg.Start = r.start
	if err := r.Restart(r.ctx); err != nil || r.offered || one.group.failures != 0 {
		t.Errorf("a restart goes on from where it was: %v", err)
	}
}
