package session

import (
	"slices"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
)

// The inputs of step that say where the agent has the session.
type (
	openIn    struct{ opener chan struct{} }  // somebody wants to make it known to an agent; opener is closed when it may
	openedIn  struct{ opener chan struct{} }  // and has done so, or does not want to any more
	loadingIn struct{ agent *agents.Process } // nil: the load is over
	boundIn   struct {                        // the agent knows it
		agent  *agents.Process
		remote acp.SessionID
		loaded string
	}
	toolsLostIn struct { // the agent is without the editor tools; the next prompt closes and loads the session, which starts them again
		agent *agents.Process
		why   string
	}
	reopenIn    struct{}               // the agent must be given it anew
	agreedIn    struct{ state string } // the user allowed what the workspace brings along
	restoringIn struct{ on bool }
)

// atAgent takes in where the agent has the session, and what is known of it there.
func (s *state) atAgent(in any) (out []effect) {
	switch in := in.(type) {
	case openIn:
		s.openers = append(s.openers, in.opener)
		if len(s.openers) == 1 {
			out = append(out, reply{func() { close(in.opener) }, nil})
		}
	case openedIn:
		i := slices.Index(s.openers, in.opener)
		s.openers = slices.Delete(s.openers, i, i+1)
		if i == 0 && len(s.openers) > 0 {
			next := s.openers[0]
			out = append(out, reply{func() { close(next) }, nil})
		}
	case loadingIn:
		s.loading = in.agent
	case boundIn:
		s.agent, s.Remote, s.loaded = in.agent, in.remote, in.loaded
		s.toolsLost, s.elsewhere = false, false
	case toolsLostIn:
		if s.agent == in.agent && !s.toolsLost {
			s.toolsLost = true
			out = append(out, emit{&SessionChanged{Session: s.ID, Event: &Happening{Type: "tools_lost", Message: in.why + "; the next prompt starts them again"}}})
		}
	case reopenIn:
		s.toolsLost = true
	case agreedIn:
		s.agreed = in.state
	case restoringIn:
		s.restoring = in.on
	case titleIn:
		s.Title, s.titled = in.title, s.titled || in.user
		out = append(out, emit{&SessionChanged{Session: s.ID, Title: &in.title}})
	}
	return out
}
