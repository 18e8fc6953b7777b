package session

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// newHost makes what the session's agent may ask for.
func (s *Session) newHost() *host.Service {
	cfg := host.Session{
		ID: s.ID, Cwd: s.Cwd, Gate: s.gate, Log: s.log, Life: s.life, Go: s.work.Go, Turn: turnOf, Tell: s.all.Teller(s.ID),
		TurnNow: func() string { return turnOf(s.turnContext()) }, Prompted: s.prompted,
		Watched: s.approvals.Watching, CommandAllowed: s.approvals.Command, Compared: s.reportUnapproved,
		Input:   s.input,
		Running: func(titles []string) { s.in.put(commandsIn{titles}) },
	}
	if _, reads := s.all.cfg.Remote.(Reader); reads {
		cfg.ReadAsAsked = s.readAsAsked
	}
	return s.all.cfg.Host.Session(cfg)
}

// Teller shows the user what happens beside the answers to a session's agent.
func (all *Set) Teller(session string) func(host.News) {
	return func(n host.News) {
		all.cfg.Out.Push(&SessionChanged{Session: session, Event: &Happening{Type: n.Kind, Message: n.Message, Data: n.Data}})
	}
}

// hostCall is a call of an editor tool on its way through package host.
type hostCall struct {
	s   *Session
	use *calls.Use
}

// Changed has the last ACP update of the call carry the diff.
func (c hostCall) Changed(d permission.FileDiff) { c.s.in.put(diffIn{c.use, d}) }

// Began shows the terminal of the call's command in the call, as soon as both are known.
func (c hostCall) Began(ctx context.Context, t *terminalproxy.Terminal) {
	c.s.showAway(ctx, c.use, t.RemoteID())
	c.s.in.put(terminalIn{c.use, t.ID()})
}
