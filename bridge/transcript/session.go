package transcript

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// session is a conversation and what runs in it.
type session struct {
	a   *Agent
	id  acp.SessionID
	cwd string
	dir string // its folder in the store, "" in memory

	mu      sync.Mutex
	conv    conversation
	log     *store.Session // nil: in memory
	running context.CancelFunc
	over    chan struct{} // closed when the turn that runs is over; nil between turns
	sum     summing
	making  *job               // the summary that is being made, nil if none is
	sumStop context.CancelFunc // ends it
}

// record makes a change and keeps it.
func (s *session) record(entries ...entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range entries {
		s.put(e)
	}
}

// put is record. The caller holds mu.
func (s *session) put(e entry) {
	s.conv.apply(e)
	if s.log == nil {
		return
	}
	kept, err := encode(e)
	if err != nil {
		s.a.log.Error().Err(err).Msg("an entry of the transcript is not kept")
		return
	}
	s.log.Append(kept)
}

// sync makes what was recorded last. A store that cannot says so itself, and the session goes on.
func (s *session) sync() {
	s.mu.Lock()
	log, turns := s.log, s.conv.end()
	s.mu.Unlock()
	if log == nil {
		return
	}
	log.SetMeta(func(m *store.Meta) { m.Turns, m.Updated = turns, s.a.now().UTC() })
	_ = log.Sync() // told of by its Notice
}

// load reads a session of ours, or takes over one of Copilot's.
func (s *session) load() error {
	if s.a.store != nil {
		log, err := s.a.store.Load(string(s.id))
		if err == nil {
			s.log = log
			s.dir, _ = sessionDir(s.a.cfg.Dir, string(s.id))
			return s.restore()
		}
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	c, ok := copilot.FindSession(s.a.cfg.Env, string(s.id))
	if !ok {
		return &acp.Error{Code: acp.CodeResourceNotFound, Message: fmt.Sprintf("there is no session %s", s.id)}
	}
	return s.adopt(c)
}

func (s *session) restore() error {
	skipped, err := s.log.Entries(func(e store.Entry) {
		if e, ok := decode(e); ok {
			s.conv.apply(e)
		}
	})
	if err != nil {
		s.log.Close()
		return fmt.Errorf("read the transcript of session %s: %w", s.id, err)
	}
	if skipped {
		s.a.log.Info().Str("session", string(s.id)).Msg("of a very long transcript only the end is used")
	}
	if id := s.conv.cli.ID; id != "" && id != string(s.id) {
		s.alias(id)
	}
	return nil
}

// adopt takes over a session that was begun elsewhere, with ACP for one.
func (s *session) adopt(c copilot.SessionState) error {
	if s.a.store != nil {
		log, err := s.a.store.Create(store.Meta{ID: string(s.id), Cwd: s.cwd, Title: c.Name, Created: s.a.now().UTC(), Updated: s.a.now().UTC()})
		if err != nil {
			return err
		}
		s.log = log
		s.dir, _ = sessionDir(s.a.cfg.Dir, string(s.id))
	}
	turn := 0
	err := copilot.ReadMessages(c.Log, func(m copilot.Message) {
		r := assistant
		if m.User {
			r = user
			turn++
		}
		if text := strings.TrimSpace(m.Text); text != "" {
			s.record(entry{Message: &message{Role: r, Text: text, Turn: turn}})
		}
	})
	if err != nil {
		s.a.log.Warn().Err(err).Msg("what was said in the session before is not known")
	}
	s.record(entry{CLI: &cliSession{ID: c.ID, Cwd: c.Cwd, Started: true, Known: s.conv.end()}})
	s.sync()
	return nil
}

// replay shows what was said.
func (s *session) replay() {
	s.mu.Lock()
	messages := s.conv.messages
	s.mu.Unlock()
	for _, m := range messages {
		chunk := acp.ContentChunk{Content: acp.Text(m.Text)}
		switch m.Role {
		case user:
			s.update(&acp.UserMessageChunk{ContentChunk: chunk})
		case assistant:
			s.update(&acp.AgentMessageChunk{ContentChunk: chunk})
		}
	}
}

func (s *session) update(u acp.SessionUpdate) {
	s.a.cfg.Handler.Update(&acp.SessionNotification{SessionID: s.id, Update: u})
}

func (s *session) tell(e Event) {
	if s.a.cfg.Event != nil {
		s.a.cfg.Event(s.id, e)
	}
}

func (s *session) alias(also string) {
	if s.a.cfg.Alias != nil && also != string(s.id) {
		s.a.cfg.Alias(s.id, acp.SessionID(also))
	}
}

// limit is the context window in tokens: what the program has named, else what is configured.
func (s *session) limit() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conv.window(s.a.cfg.TokenLimit)
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
	if s.sumStop != nil {
		s.sum.giveUp()
		s.sumStop()
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

// shut lets go of the log.
func (s *session) shut() {
	s.mu.Lock()
	log := s.log
	s.log = nil
	s.mu.Unlock()
	if log != nil {
		if err := log.Close(); err != nil {
			s.a.log.Debug().Err(err).Msg("close the transcript")
		}
	}
}

func (s *session) empty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conv.end() == 0
}
