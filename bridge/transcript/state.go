package transcript

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// Conversation is what was said in a session. The bridge keeps it, and keeps the agent's state beside it. Its methods may
// be called from any goroutine that works for a turn, or loads the session.
type Conversation interface {
	// Turn is the id of the turn that runs, "" between turns.
	Turn() string
	// Said visits what was said, oldest first, in the turn that runs too. What was said before that has arrived when it
	// does; it waits for that, until ctx ends. An error says that this is not all. visit must not use the conversation.
	Said(ctx context.Context, visit func(conversation.Said)) error
	// AddSent adds what the model is told in the place of a turn's prompt; it is on disk then.
	AddSent(turn string, sent conversation.Sent)
	// AgentState is what PutAgentState was given last, in an earlier run too, nil if that is nothing.
	AgentState() ([]byte, error)
	PutAgentState([]byte) error
	// Folder is where files of the session are put, "" where nothing is kept.
	Folder() string
	// Foreign says that the bridge did not know the session before it was loaded.
	Foreign() bool
}

// state is how a session stands to what was said in it. It is kept beside that, whole, at every change.
type state struct {
	CLI         cliSession `json:"cli"`
	Limit       int        `json:"limit,omitzero"` // the context window that the program has named, in tokens
	Summary     *summary   `json:"summary,omitzero"`
	Until       string     `json:"until,omitzero"`       // the last turn that Summary stands for
	Checkpoints int        `json:"checkpoints,omitzero"` // how many summaries there were
}

// cliSession is the program's own session that a conversation is held in.
type cliSession struct {
	ID      string `json:"id,omitzero"`
	Cwd     string `json:"cwd"`
	Started bool   `json:"started,omitzero"` // it is certain that the program has it
	Known   string `json:"known,omitzero"`   // the last turn that it knows
}

// summary stands for what compaction has replaced.
type summary struct {
	Text  string   `json:"text"`
	Users []string `json:"users,omitzero"` // what the user had said, shortened, oldest first
	Plan  string   `json:"plan,omitzero"`
}

// restore reads the state that an earlier run has kept; false if there is none. With one that cannot be read the program
// is told everything, in a new session of its own.
func (s *session) restore() bool {
	raw, err := s.conv.AgentState()
	if err == nil && raw == nil {
		return false
	}
	var st state
	if err == nil {
		err = json.Unmarshal(raw, &st, jsontext.AllowInvalidUTF8(true))
	}
	if err != nil {
		s.a.log.Warn().Err(err).Str("session", string(s.id)).Msg("how far the program knows the session cannot be read; it is told all of it")
		st = state{CLI: cliSession{Cwd: s.cwd}}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = st
	return true
}

// change changes the state and keeps it. Where that cannot be the session goes on, and the next run knows less.
func (s *session) change(f func(*state)) {
	s.saving.Lock()
	defer s.saving.Unlock()
	s.mu.Lock()
	f(&s.state)
	raw, err := json.Marshal(&s.state, jsontext.AllowInvalidUTF8(true))
	s.mu.Unlock()
	if err == nil {
		err = s.conv.PutAgentState(raw)
	}
	if err != nil {
		s.a.log.Warn().Err(err).Str("session", string(s.id)).Msg("the state of the session is not saved")
	}
}

// now is the state as it is.
func (s *session) now() state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// limit is the context window in tokens: what the program has named, if that is less than what is configured.
func (s *session) limit() int {
	if n := s.now().Limit; n > 0 {
		return min(n, s.a.cfg.TokenLimit)
	}
	return s.a.cfg.TokenLimit
}

// prompt is what the user says in the turn that runs, in the words that the model is told it in.
type prompt struct {
	turn  string // its id, "" where none runs
	text  string
	again bool // it was cut off, and is sent once more
	said  bool // the bridge's conversation has it in these words
}

// past is what was said before the turn that runs. What its prompt repeats is left out.
func (s *session) past(ctx context.Context, p *prompt) (*history, error) {
	st := s.now()
	h := &history{summary: st.Summary, until: st.Until}
	err := s.conv.Said(ctx, func(said conversation.Said) {
		if p.turn == "" || said.Turn != p.turn {
			h.add(said)
		} else if said.Prompt != nil && promptText(said.Prompt) == p.text {
			p.said = true
		}
	})
	h.leave()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		s.a.log.Warn().Err(err).Str("session", string(s.id)).Msg("not all that was said can be read")
	}
	h.turn++
	h.repeated(p.text, p.again)
	return h, nil
}
