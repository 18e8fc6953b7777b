package bridge

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// steered is something the user added to a running turn, told to the agent. No editor is shown it: it knows.
type steered struct{ session, turn, text string }

func (*steered) IsEvent() {}

// Steer adds to the turn that runs: the agent is told with the result of its next editor tool, or, where none comes any
// more, in a turn of its own. It returns the turn; false where there is none or the agent has no editor tools.
func (b *Bridge) Steer(session string, blocks []acp.ContentBlock) (turn string, ok bool, err error) {
	s, err := b.Session(session)
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
	s.mu.Lock()
	defer s.mu.Unlock()
	turn = turnOf(s.turnCtx)
	if turn == "" || s.turnCtx.Err() != nil || s.agent == nil || s.agent.Tools == nil || s.toolsLost {
		return "", false, nil
	}
	s.steer = append(s.steer, strings.Join(text, "\n"))
	return turn, true, nil
}

// takeSteer is what the agent is to be told, once.
func (s *Session) takeSteer() (turn, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text = strings.Join(s.steer, "\n")
	s.steer = nil
	return turnOf(s.turnCtx), text
}

// steerLate makes a turn of what the agent could not be told in the one that is over, unless it was cancelled: the next
// one, before those that wait.
func (s *Session) steerLate(cancelled bool) {
	if _, text := s.takeSteer(); text != "" && !cancelled {
		if _, err := s.Prompt(Prompt{Blocks: []acp.ContentBlock{acp.Text(text)}, next: true}); err != nil {
			s.log.Warn().Err(err).Msg("what was added to a turn came too late")
		}
	}
}

// Aside implements [tools.Asider].
func (l *link) Aside(c tools.Caller) string {
	s := of(l.Session(acp.SessionID(c.AgentSession)))
	if s == nil {
		return ""
	}
	turn, text := s.takeSteer()
	if text == "" {
		return ""
	}
	s.b.out.push(&steered{s.ID, turn, text})
	return "[While you were working, the user added: " + text + "]"
}
