package acpfront

import (
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// turns are the editor's prompts that have no answer yet.
type turns struct {
	mu     sync.Mutex
	open   map[string]prompt            // by turn
	early  map[string]*bridge.TurnEnded // ended before the prompt was noted
	cancel map[string]time.Time         // by session, when it was asked to stop
	asking map[*openQuestion]bool       // questions that the editor has not answered
}

// openQuestion is one that the editor is asked. own says that the editor has cancelled its session since: it answers by itself then, and
// is not told that the question is withdrawn. Editors that are told all the same print the message (agent-shell 0.50.1) or throw
// (agentic.nvim, November 2025). Guarded by turns.mu.
type openQuestion struct {
	session string
	own     bool
}

// prompt is a session/prompt without an answer.
type prompt struct {
	req     *acp.Request
	session string
}

func newTurns() turns {
	return turns{open: map[string]prompt{}, early: map[string]*bridge.TurnEnded{}, cancel: map[string]time.Time{}, asking: map[*openQuestion]bool{}}
}

// asks notes that the editor is asked something in a session; asked says that it is over.
func (t *turns) asks(session string) *openQuestion {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := &openQuestion{session: session}
	t.asking[q] = true
	return q
}

func (t *turns) asked(q *openQuestion) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.asking, q)
}

// answersItself says whether the editor has cancelled the session of a question since it was put.
func (t *turns) answersItself(q *openQuestion) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return q.own
}

// prompt takes a session/prompt: it runs, or waits for the one before. A session that is not known is the agent's to
// complain of.
func (s *Server) prompt(req *acp.Request) {
	b, err := s.bridge()
	if err != nil {
		req.Reply(nil, err)
		return
	}
	id, _ := acp.StringOf(acp.Member(req.Params(), "sessionId"))
	ses := b.Alias(id)
	if ses == nil {
		s.pass(b, req, b.CallAgent)
		return
	}
	if s.runCommand(b, req, id, ses.ID, ses.Cwd) {
		return
	}
	before, sent := s.nextInOrder()
	t, err := ses.Prompt(bridge.Prompt{Params: req.Params(), Back: req.Context(), After: before})
	if err != nil {
		sent()
		answer(req, nil, err)
		return
	}
	s.turns.begin(t.ID, prompt{req, ses.ID}, s)
	if t.Queued > 0 {
		s.work.Go(func() { <-before; sent() }) // it waits for the turns before it, what the editor says next does not
		s.work.Go(func() { s.takeBack(ses.ID, t.ID, req) })
		return
	}
	s.work.Go(func() { t.Sent(s.life); sent() })
}

// takeBack removes a prompt from the queue that the editor does not want answered any more.
func (s *Server) takeBack(session, turn string, req *acp.Request) {
	<-req.Context().Done()
	if b, err := s.bridge(); err == nil {
		b.Withdraw(session, turn)
	}
}

// begin notes whose prompt a turn is.
func (t *turns) begin(turn string, p prompt, s *Server) {
	t.mu.Lock()
	end := t.early[turn]
	delete(t.early, turn)
	if end == nil {
		t.open[turn] = p
	}
	t.mu.Unlock()
	if end != nil {
		s.ended(p.req, end)
	}
}

// any says whether a session has prompts without an answer. The caller holds mu.
func (t *turns) any(session string) bool {
	for _, p := range t.open {
		if p.session == session {
			return true
		}
	}
	return false
}

// take is the prompt of a turn that has ended.
func (t *turns) take(end *bridge.TurnEnded) *acp.Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.cancel, end.Session)
	p := t.open[end.Turn]
	delete(t.open, end.Turn)
	if p.req == nil && !end.Own {
		t.early[end.Turn] = end
	}
	return p.req
}

// ended answers a prompt. The agent's answer goes as it came; what has none was cancelled here, or failed.
func (s *Server) ended(req *acp.Request, end *bridge.TurnEnded) {
	switch {
	case end.Answer != nil:
		req.Reply(end.Answer, nil)
	case end.StopReason == acp.StopReasonCancelled && req.Context().Err() != nil:
		req.Reply(nil, &acp.Error{Code: acp.CodeRequestCancelled, Message: "request cancelled"})
	case end.StopReason == acp.StopReasonCancelled:
		req.Reply(jsontext.Value(`{"stopReason":"cancelled"}`), nil)
	case end.Err != nil:
		answer(req, nil, end.Err)
	default:
		req.Reply(&acp.PromptResponse{StopReason: end.StopReason}, nil)
	}
}

// cancel ends what runs and what waits in a session; false where there is nothing. A second one a moment later is the
// same wish as far as the turn that is being cancelled goes; prompts that have come between the two end by it.
func (s *Server) cancel(b *bridge.Bridge, id string, params jsontext.Value) bool {
	ses := b.Alias(id)
	if ses == nil {
		return false
	}
	s.turns.mu.Lock()
	if !s.turns.any(ses.ID) && !ses.OnItsOwn() {
		s.turns.mu.Unlock()
		return false
	}
	last, twice := s.turns.cancel[ses.ID]
	twice = twice && time.Since(last) < cancelAgain
	if !twice {
		s.turns.cancel[ses.ID] = time.Now()
	}
	for q := range s.turns.asking {
		q.own = q.own || q.session == ses.ID
	}
	s.turns.mu.Unlock()
	if err := b.Cancel(ses.ID, bridge.Cancellation{Params: params, Repeated: twice}); err != nil {
		s.log.Debug().Err(err).Msg("cancel")
	}
	return true
}
