package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// Host methods: what the editor tools do. Each finds the session of its caller, ends with the session's turn, and
// turns every failure into a text that the model can act on.

// caller finds the session a tool is called for, and notes the call so that it can be tied to its ACP tool call.
func (l *Link) caller(ctx context.Context, c tools.Caller, tool string, args map[string]any) (*Session, *calls.Use, context.Context, context.CancelFunc, error) {
	s, err := l.session(ctx, acp.SessionID(c.AgentSession))
	if err != nil {
		return nil, nil, nil, nil, errors.New("this session is not known to the editor; nothing was done")
	}
	release, ok := s.hold()
	if !ok {
		return nil, nil, nil, nil, errors.New("this session is closed; nothing was done")
	}
	use := calls.NewUse(tool, args)
	if l.Tools == nil || l.HasOnlyOurTools() && l.all.proven(l.Process) {
		s.approvals.End() // an agent that has editor tools
	}
	ask(s, func(q question[struct{}]) any { return toolIn{q, use} }) // what it does is done in a turn
	ctx, cancel := s.during(context.WithValue(ctx, useKey{}, use))
	return s, use, ctx, func() {
		cancel()
		if s.OnItsOwn() {
			s.follow() // before nothing is in the agent's hands any more
		}
		s.in.put(doneIn{use})
		release()
	}, nil
}

// call runs one tool call.
func (l *Link) call(ctx context.Context, c tools.Caller, tool string, args map[string]any, f func(ctx context.Context, s *Session, use *calls.Use) (string, error)) (string, error) {
	s, use, ctx, cancel, err := l.caller(ctx, c, tool, args)
	if err != nil {
		return "", err
	}
	defer cancel()
	text, err := f(ctx, s, use)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("cancelled by the user: %w", err)
	}
	if err != nil {
		s.in.put(refusedIn{use: use, why: host.ForUser(err)})
	}
	return text, err
}

// Connected implements [tools.Host].
func (l *Link) Connected(c tools.Caller) {
	l.all.cfg.Log.Debug().Str("agentSession", c.AgentSession).Int("pid", c.PID).Msg("editor tools connected")
	l.ExpectMoreTools()
}

// Disconnected implements [tools.Host]. Copilot does not start a tool server again: the session must be closed and
// loaded, which the next prompt does. An agent that is handed the server may start it again when it likes.
func (l *Link) Disconnected(c tools.Caller, err error) {
	if !l.Held() || l.PerTurn || errors.Is(err, tools.ErrClosed) || l.IsGone() {
		return
	}
	s := of(l.Session(acp.SessionID(c.AgentSession)))
	switch {
	case s == nil:
	case l.InjectsTools():
		l.ExpectMoreTools()
		if release, ok := s.hold(); ok {
			s.work.Go(func() { defer release(); s.awaitTools(l.Process, s.remoteID()) })
		}
	default:
		s.in.put(toolsLostIn{l.Process, "the editor tools of this session have ended (" + err.Error() + ")"})
	}
}
