package session

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// steered is something the user added to a running turn, told to the agent. No editor is shown it: it knows.
type steered struct {
	session string
	addition
}

func (*steered) IsEvent() {}

// Steer adds to the turn that runs: the agent is told with the result of its next editor tool, or, where none comes any
// more, in a turn of its own. It returns the turn; false where there is none or the agent has no editor tools.
func (all *Set) Steer(session string, blocks []acp.ContentBlock) (turn string, ok bool, err error) {
	s, err := all.Session(session)
	if err != nil {
		return "", false, err
	}
	var text []string
	for _, block := range blocks {
		t, isText := block.(*acp.TextContent)
		if !isText {
			return "", false, nil // a result is text
		}
		text = append(text, t.Text)
	}
	turn, _ = ask(s, func(q question[string]) any { return steerIn{q, strings.Join(text, "\n")} })
	return turn, turn != "", nil
}

// addition is what the user added to a turn.
type addition struct{ turn, text string }

// steers adds to the turn that runs, and returns it; "" where there is none or its agent cannot be told.
func (s *state) steers(text string) (turn string) {
	if s.phase != running || s.agent == nil || s.agent.Tools == nil || s.toolsLost {
		return ""
	}
	s.steer = append(s.steer, text)
	return s.turn.id
}

// takeSteer is what the agent is to be told, once.
func (s *Session) takeSteer() addition {
	a, _ := ask(s, func(q question[addition]) any { return takeSteerIn{q} })
	return a
}

// steerLate makes a turn of what the agent could not be told in the one that is over, unless it was cancelled: the next
// one, before those that wait.
func (s *Session) steerLate(cancelled bool) {
	if a := s.takeSteer(); a.text != "" && !cancelled {
		if _, err := s.Prompt(Prompt{Blocks: []acp.ContentBlock{acp.Text(a.text)}, next: true}); err != nil {
			s.log.Warn().Err(err).Msg("what was added to a turn came too late")
		}
	}
}

// Aside implements [tools.Asider].
func (l *Link) Aside(c tools.Caller) string {
	s := of(l.Session(acp.SessionID(c.AgentSession)))
	if s == nil {
		return ""
	}
	a := s.takeSteer()
	if a.text == "" {
		return ""
	}
	s.all.cfg.Out.Push(&steered{s.ID, a})
	return "[While you were working, the user added: " + a.text + "]"
}
