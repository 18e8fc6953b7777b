package acpfront

import (
	"context"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// request sorts what the editor asks, see take.
func (s *Server) request(req *acp.Request) {
	switch req.Method() {
	case acp.MethodInitialize:
		first := s.starting.begin()
		s.work.Go(func() {
			result, err := s.initialize(req)
			answer(req, result, err)
			if first {
				s.starting.end(s.take)
			}
		})
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
	do := answerer(b.CallAgent)
	switch req.Method() {
	case acp.MethodSessionNew, methodFork:
		do = s.levelled(b, b.Open)
	case acp.MethodSessionLoad, acp.MethodSessionResume:
		do = s.levelled(b, b.Load)
	case acp.MethodSessionClose, acp.MethodSessionDelete:
		do = b.CloseWith
	case methodSetTitle:
		do = b.TitleWith
	case acp.MethodSessionSetMode:
		do = b.SetWith
	case acp.MethodSessionSetConfigOption:
		var ours bool
		if do, ours = s.setOption(b, req.Params()); !ours {
			do = s.levelled(b, b.SetWith)
		}
	}
	s.pass(b, req, do)
}

// answerer does what the editor asks with a method and its params, and returns the answer.
type answerer func(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error)

// pass has the bridge do what the editor asks, in its turn, and answers. Only take calls it.
func (s *Server) pass(b *bridge.Bridge, req *acp.Request, do answerer) {
	before, sent := s.nextInOrder()
	s.work.Go(func() {
		defer sent()
		<-before
		ctx := acp.WhenQueued(acp.TakenBackBy(s.life, req.Context()), sent)
		raw, err := do(ctx, req.Method(), req.Params())
		b.InOrder(func() { answer(req, raw, err) })
	})
}

// Unstable methods of ACP v1.
const (
	methodFork     = "session/fork"
	methodSetTitle = "session/set_title"
)

// answer answers a request.
func answer(req *acp.Request, result any, err error) {
	if err != nil {
		err = wireError(err)
	}
	req.Reply(result, err)
}

// nextInOrder puts one more message into the order in which the editor speaks: before is closed when the one before has been
// sent to the agent, or will not be; sent says the same of this one. Only take calls it.
func (s *Server) nextInOrder() (before <-chan struct{}, sent func()) {
	before = s.chain
	mine := make(chan struct{})
	s.chain = mine
	return before, onceClose(mine)
}

func onceClose(c chan struct{}) func() { return sync.OnceFunc(func() { close(c) }) }

// reply is what the editor answered.
type reply struct {
	raw jsontext.Value
	err error
}

// call asks the editor on a goroutine of its own, after before, which may be nil; then is given the reply there. queued
// is closed when the request is in the queue to the editor, or never will be.
func (s *Server) call(ctx context.Context, method string, params jsontext.Value, before func(), then func(reply)) (queued <-chan struct{}) {
	inQueue := make(chan struct{})
	s.work.Go(func() {
		done := onceClose(inQueue)
		defer done()
		if before != nil {
			before()
		}
		raw, err := s.conn.Call(acp.WhenQueued(ctx, done), method, params)
		then(reply{raw, err})
	})
	return inQueue
}

// notify sorts what the editor tells, see take.
func (s *Server) notify(m *acp.Message) {
	b, err := s.bridge()
	if err != nil {
		return
	}
	if m.Method == acp.MethodSessionCancel && s.cancel(b, string(m.SessionID()), m.Params()) {
		return
	}
	before, sent := s.nextInOrder()
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
	asks := req.Method() == acp.MethodElicitationCreate
	if asks && s.capabilities().Elicitation == nil {
		req.Reply(jsontext.Value(`{"action":"decline"}`), nil)
		return
	}
	if asks && !m.Params().IsValid(jsontext.AllowInvalidUTF8(true)) {
		req.Reply(nil, &acp.Error{Code: acp.CodeInvalidParams, Message: req.Method() + ": a member is there twice; nobody was asked"})
		return
	}
	queued := s.call(acp.TakenBackBy(s.life, req.Context()), req.Method(), m.Params(), nil, func(r reply) {
		if asks && r.err == nil {
			if bad := acp.Unmarshal(r.raw, new(acp.CreateElicitationResponse)); bad != nil { // no answer is no consent
				s.log.Warn().Err(bad).Str("method", req.Method()).Msg("answer of the editor")
				r.raw = jsontext.Value(`{"action":"cancel"}`)
			}
		}
		req.Reply(r.raw, r.err)
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
