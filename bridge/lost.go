package bridge

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// lostPrompt is a prompt that the agent has not answered and that the person did not cancel: the agent or the bridge
// ended in the middle of it, or it waited for its turn when the bridge ended. It is never sent again by itself.
type lostPrompt struct {
	turn   string
	prompt []acp.ContentBlock
	refs   []ContextRef
	sent   bool // the agent may have read it and may have acted on it
	over   bool // its end was told, and it was offered then
}

// again is the turn that sends it once more.
func (l lostPrompt) again() *turn { return &turn{blocks: l.prompt, refs: l.refs, repeats: true} }

// interrupted offers the prompt again.
func (l *lostPrompt) interrupted(message string) *Happening {
	blocks := []any{}
	for _, b := range l.prompt {
		if raw, err := acp.Marshal(b); err == nil {
			blocks = append(blocks, jsontext.Value(raw))
		}
	}
	return &Happening{Type: "turn_interrupted", Message: message, said: true,
		Data: map[string]any{"turnId": l.turn, "prompt": promptText(l.prompt), "blocks": blocks, "sent": l.sent}}
}

// bridgeEnded says what became of a prompt that ended with the bridge.
func bridgeEnded(l lostPrompt) string {
	if l.sent {
		return "The last turn was cut off when the bridge or the editor ended. What was said and changed up to then is kept; the prompt was not sent again."
	}
	return "A prompt was still waiting when the bridge or the editor ended. It was not sent."
}

// lose says of a turn that failed whether its prompt can be sent again. After a sign-in it is not offered: what the
// person is told then is how to sign in.
func (t *turn) lose(end *TurnEnded) {
	if end.Err.Code != CodeAgentUnavailable && end.Err.Code != CodeNotSignedIn {
		return
	}
	l := &lostPrompt{turn: t.id, prompt: t.blocks, refs: t.refs, over: true}
	select {
	case <-t.sent:
		l.sent = true
	default:
	}
	end.lost, end.Lost = l, end.Err.Code == CodeAgentUnavailable
	if end.Lost && l.sent {
		e := *end.Err
		e.Hint = survives(end.Files) + "; send the prompt again, the agent is started anew"
		end.Err = &e
	}
}

// agentEnded says what became of a prompt that ended with the agent.
func agentEnded(end *TurnEnded) string {
	if !end.lost.sent {
		return end.Err.Message + ". The prompt was not sent."
	}
	return end.Err.Message + "; " + survives(end.Files) + ". The prompt was not sent again."
}

// survives says what there is of a turn that was cut off.
func survives(files []FileCount) string {
	const maxNamed = 3
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f.Path))
	}
	said := "what it had said is kept"
	switch n := len(names); {
	case n == 0:
		return said
	case n > maxNamed:
		return fmt.Sprintf("%s, and so are its changes to %s and %d more files, to be reviewed or undone", said, strings.Join(names[:maxNamed], ", "), n-maxNamed)
	default:
		return said + ", and so are its changes to " + strings.Join(names, ", ") + ", to be reviewed or undone"
	}
}

// lose notes prompts that can be sent again; beyond maxLost the oldest go, which stay in the transcript.
func (s *Session) lose(list ...lostPrompt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = append(s.lost, list...)
	s.lost = s.lost[max(0, len(s.lost)-maxLost):]
}

// SendAgain sends a prompt that was lost with the agent or the bridge, once: CodeInvalidParams if there is none. turn ""
// is the one that was lost last.
func (b *Bridge) SendAgain(session, turn string) (Turn, error) {
	s, err := b.Session(session)
	if err != nil {
		return Turn{}, err
	}
	s.mu.Lock()
	at := len(s.lost) - 1
	for turn != "" && at >= 0 && s.lost[at].turn != turn {
		at--
	}
	if at < 0 {
		s.mu.Unlock()
		return Turn{}, &Error{Code: CodeInvalidParams, Message: "there is no prompt that was lost and not sent again", Hint: "send a new one"}
	}
	l := s.lost[at]
	s.lost = append(s.lost[:at:at], s.lost[at+1:]...)
	s.mu.Unlock()
	t, n, err := s.takeTurn(l.again(), false)
	if err != nil {
		s.lose(l)
		return Turn{}, err
	}
	return Turn{ID: t.id, Queued: n}, nil
}
