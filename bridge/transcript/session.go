package transcript

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// session is what runs in a conversation.
type session struct {
	a    *Agent
	id   acp.SessionID
	cwd  string
	conv Conversation // nil until it is loaded, or a first turn begins

	saving sync.Mutex // held while the state is changed and saved; taken before mu

	mu      sync.Mutex
	state   state
	running context.CancelFunc
	over    chan struct{} // closed when the turn that runs is over; nil between turns
	making  *job          // the summary that is being made, nil if none is
}

// open finds the conversation of a session that is new to the program: what was said before in it, elsewhere, is told.
func (s *session) open() error {
	if s.conv != nil {
		return nil
	}
	if s.conv = s.a.cfg.Conversation(s.id); s.conv == nil {
		return unknown(s.id)
	}
	s.restore()
	s.change(func(st *state) { st.CLI = cliSession{ID: string(s.id), Cwd: s.cwd} })
	return nil
}

// load opens a session of before, and shows it: one that the bridge knows, or one of Copilot's that was begun elsewhere.
func (s *session) load(ctx context.Context) error {
	if s.conv = s.a.cfg.Conversation(s.id); s.conv == nil {
		return unknown(s.id)
	}
	var shown []acp.SessionUpdate
	if err := s.conv.Said(ctx, func(said conversation.Said) { shown = append(shown, replayed(said)...) }); err != nil {
		s.a.log.Warn().Err(err).Str("session", string(s.id)).Msg("not all that was said can be read")
	}
	if !s.restore() {
		c, theirs := copilot.FindSession(s.a.cfg.Env, string(s.id))
		switch {
		case !theirs && s.conv.Foreign():
			return unknown(s.id)
		case !theirs:
			s.change(func(st *state) { st.CLI = cliSession{ID: string(s.id), Cwd: s.cwd} })
		default:
			if len(shown) == 0 {
				shown = s.theirs(c)
			}
			h, err := s.past(ctx, &prompt{})
			if err != nil {
				return err
			}
			s.change(func(st *state) {
				st.CLI = cliSession{ID: c.ID, Cwd: c.Cwd, Started: true, Known: cmp.Or(h.last, beginning)}
			})
		}
	}
	s.alias(cmp.Or(s.now().CLI.ID, string(s.id)))
	for _, u := range shown {
		s.update(u)
	}
	return nil
}

// theirs is what Copilot's own log of a session says.
func (s *session) theirs(c copilot.SessionState) (out []acp.SessionUpdate) {
	err := copilot.ReadMessages(c.Log, func(m copilot.Message) {
		chunk := acp.ContentChunk{Content: acp.Text(m.Text)}
		if m.User {
			out = append(out, &acp.UserMessageChunk{ContentChunk: chunk})
		} else {
			out = append(out, &acp.AgentMessageChunk{ContentChunk: chunk})
		}
	})
	if err != nil {
		s.a.log.Warn().Err(err).Msg("what was said in the session before is not known")
	}
	return out
}

// replayed is how a thing that was said is shown to an editor that loads the session.
func replayed(s conversation.Said) (out []acp.SessionUpdate) {
	for _, b := range s.Prompt {
		out = append(out, &acp.UserMessageChunk{ContentChunk: acp.ContentChunk{Content: b}})
	}
	switch s.Update.(type) {
	case *acp.UserMessageChunk, *acp.AgentMessageChunk, *acp.AgentThoughtChunk, *acp.ToolCall, *acp.ToolCallUpdate, *acp.Plan:
		out = append(out, s.Update)
	}
	return out
}

func unknown(id acp.SessionID) error {
	return &acp.Error{Code: acp.CodeResourceNotFound, Message: fmt.Sprintf("there is no session %s", id)}
}

func (s *session) update(u acp.SessionUpdate) {
	s.a.cfg.Handler.Message(acp.NewUpdate(s.id, u))
}

func (s *session) tell(h *conversation.Happening) {
	if s.a.cfg.Happened != nil {
		s.a.cfg.Happened(s.id, h)
	}
}

func (s *session) alias(also string) {
	if s.a.cfg.Alias != nil && also != string(s.id) {
		s.a.cfg.Alias(s.id, acp.SessionID(also))
	}
}

// begin makes room for a turn; the error says that one runs.
func (s *session) begin(ctx context.Context) (context.Context, func(), error) {
	if !s.a.begin() {
		return nil, nil, acp.ErrClosed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over != nil {
		s.a.work.Done()
		return nil, nil, &acp.Error{Code: acp.CodeInvalidRequest, Message: "a turn is running in this session"}
	}
	ctx, cancel := context.WithCancel(ctx)
	detach := context.AfterFunc(s.a.life, cancel)
	s.running, s.over = cancel, make(chan struct{})
	return ctx, func() {
		detach()
		cancel()
		s.mu.Lock()
		close(s.over)
		s.running, s.over = nil, nil
		s.mu.Unlock()
		s.a.work.Done()
	}, nil
}

// stop ends the turn and the summary under way, if any.
func (s *session) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil {
		s.running()
	}
	if s.making != nil {
		s.making.givenUp = true
		s.making.stop()
	}
}

// rested waits until nothing runs in the session.
func (s *session) rested(ctx context.Context) error {
	for {
		s.mu.Lock()
		wait := s.over
		if wait == nil && s.making != nil {
			wait = s.making.over
		}
		s.mu.Unlock()
		if wait == nil {
			return nil
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
