package session

import (
	"context"
	"errors"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// newGate makes the gate that every request of the session's agent passes.
func (s *Session) newGate(level policy.Level) *permission.Gate {
	return s.all.cfg.Authority.Session(permission.Session{
		ID: s.ID, Cwd: s.Cwd, Dirs: s.Dirs, Log: s.log, Level: level,
		AllowEdits: func() { _, _ = s.setLevel(policy.LevelEdits, policy.LevelAsk) }, // a session that has ended asks nothing
		AskUser:    s.askUser, Unasked: s.unasked, Untrusted: s.untrusted, StartedFrom: func(ctx context.Context, t permission.Target) []string { return s.host.StartedFrom(ctx, t) },
		Notice: func(text string) {
			s.all.cfg.Out.Push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "notice", Message: text}})
		},
	})
}

// askUser puts a question to the user and shows that the bridge waits for them. It is called by the gate only, which has made
// the question safe to show. changed says that an editor which is also shown what the agent says of the call has been shown
// something else meanwhile.
func (s *Session) askUser(ctx context.Context, q *Question) (ans Answer, changed bool, err error) {
	if s.all.cfg.Editor == nil {
		return Answer{}, false, errors.New("there is nobody to ask")
	}
	q.Turn = turnOf(ctx)
	if q.ToolCall == nil {
		title := q.Title
		q.ToolCall = &acp.ToolCallUpdate{ToolCallID: callOf(ctx, q.ID), Title: &title}
	}
	ctx, asked, err := s.inOrder(ctx)
	if err != nil {
		return Answer{}, false, err
	}
	defer asked()
	s.in.put(askingIn{q.Title})
	defer s.in.put(answeredIn{})
	if !s.all.cfg.SpeaksACP {
		ans, err = s.all.cfg.Editor.Ask(ctx, q)
		return ans, false, err
	}
	w := calls.NewWatch(nil, &acp.ToolCallUpdate{ToolCallID: q.ToolCall.ToolCallID, Title: q.ToolCall.Title})
	if r := servedOf(ctx); q.Raw != nil && r.watch != nil {
		w = r.watch // since the question came
	} else {
		s.in.put(watchIn{w})
		defer s.in.put(unwatchIn{w})
	}
	ans, err = s.all.cfg.Editor.Ask(ctx, q)
	changed, known := ask(s, func(q question[bool]) any { return changedIn{q, w} })
	return ans, changed || !known, err
}

// callOf is the ACP tool call that a tool of ours runs in; both are announced on different connections, so it may take
// a moment to be known. If it never is, the question's own id stands in.
func callOf(ctx context.Context, fallback string) acp.ToolCallID {
	use := useOf(ctx)
	if use == nil {
		return acp.ToolCallID(fallback)
	}
	ctx, cancel := context.WithTimeout(ctx, matchWait)
	defer cancel()
	if id, found := use.Await(ctx); found {
		return id
	}
	return acp.ToolCallID(fallback)
}

// useKey is where a context carries the call of our tool that it belongs to.
type useKey struct{}

// useOf is that call, nil if there is none.
func useOf(ctx context.Context) *calls.Use {
	use, _ := ctx.Value(useKey{}).(*calls.Use)
	return use
}
