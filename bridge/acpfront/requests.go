package acpfront

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// request sorts what the editor asks, on the reading goroutine.
func (s *Server) request(req *acp.Request) {
	switch req.Method() {
	case acp.MethodInitialize:
		s.work.Go(func() { s.answer(req)(s.initialize(req)) })
		return
	case acp.MethodSessionPrompt:
		s.prompt(req)
		return
	}
	b, err := s.bridge()
	if err != nil {
		req.Reply(nil, err)
		return
	}
	do := b.CallAgent
	switch req.Method() {
	case acp.MethodSessionNew, methodFork:
		do = b.Open
	case acp.MethodSessionLoad, acp.MethodSessionResume:
		do = b.Load
	case acp.MethodSessionClose, acp.MethodSessionDelete:
		do = b.CloseWith
	case acp.MethodSessionSetMode, acp.MethodSessionSetConfigOption:
		do = b.SetWith
	}
	before, sent := s.then()
	s.work.Go(func() {
		defer sent()
		<-before
		ctx := acp.WhenQueued(acp.TakenBackBy(s.life, req.Context()), sent)
		raw, err := do(ctx, req.Method(), req.Params())
		b.InOrder(func() { s.answer(req)(raw, err) })
	})
}

// methodFork is an unstable method of ACP v1.
const methodFork = "session/fork"

// answer is how a request is answered.
func (s *Server) answer(req *acp.Request) func(result any, err error) {
	return func(result any, err error) {
		if err != nil {
			err = wireError(err)
		}
		req.Reply(result, err)
	}
}

// then puts one more message into the order in which the editor speaks: before is closed when the one before has been
// sent to the agent, or will not be; sent says the same of this one. Only the reading goroutine calls it.
func (s *Server) then() (before <-chan struct{}, sent func()) {
	before = s.chain
	mine := make(chan struct{})
	s.chain = mine
	return before, onceClose(mine)
}

func onceClose(c chan struct{}) func() {
	done := make(chan struct{}, 1)
	return func() {
		select {
		case done <- struct{}{}:
			close(c)
		default:
		}
	}
}

// notify sorts what the editor tells, on the reading goroutine.
func (s *Server) notify(m *acp.Message) {
	b, err := s.bridge()
	if err != nil {
		return
	}
	if m.Method == acp.MethodSessionCancel && s.cancel(b, string(m.SessionID()), m.Params()) {
		return
	}
	before, sent := s.then()
	s.work.Go(func() {
		defer sent()
		<-before
		if err := b.TellAgent(acp.WhenQueued(s.life, sent), m.Method, m.Params()); err != nil {
			s.log.Warn().Err(err).Str("method", m.Method).Msg("notification of the editor")
		}
	})
}

// forward has the editor answer a request of the agent's whose meaning is between the two. shown ends with the bridge:
// an editor that has stopped reading does not hold that up.
func (s *Server) forward(shown context.Context, m *bridge.Message) {
	req := m.Request
	if req.Method() == acp.MethodElicitationCreate && s.capabilities().Elicitation == nil {
		req.Reply(jsontext.Value(`{"action":"decline"}`), nil)
		return
	}
	asks := req.Method() == acp.MethodElicitationCreate
	if asks && !m.Params().IsValid(jsontext.AllowInvalidUTF8(true)) {
		req.Reply(nil, &acp.Error{Code: acp.CodeInvalidParams, Message: req.Method() + ": a member is there twice; nobody was asked"})
		return
	}
	queued := make(chan struct{})
	s.work.Go(func() {
		done := onceClose(queued)
		defer done()
		ctx := acp.WhenQueued(acp.TakenBackBy(s.life, req.Context()), done)
		raw, err := s.conn.Call(ctx, req.Method(), m.Params())
		if asks && err == nil {
			if bad := acp.Unmarshal(raw, new(acp.CreateElicitationResponse)); bad != nil { // no answer is no consent
				s.log.Warn().Err(bad).Str("method", req.Method()).Msg("answer of the editor")
				raw = jsontext.Value(`{"action":"cancel"}`)
			}
		}
		req.Reply(raw, err)
	})
	select {
	case <-queued:
	case <-shown.Done():
	}
}

// tell sends the editor a notification. It waits while the editor does not read.
func (s *Server) tell(ctx context.Context, m *acp.Message) {
	if err := s.conn.Forward(ctx, m); err != nil {
		s.log.Debug().Err(err).Str("method", m.Method).Msg("the editor is gone")
	}
}
