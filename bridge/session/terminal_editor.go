package session

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// Terminals are an editor's terminals. Call passes one of the agent's terminal/* on as it came.
type Terminals interface {
	terminalproxy.Place
	acp.Caller
}

// terminalInEditor has the editor run a command, or say something about one that it runs. Whether it may run is asked here.
func (s *Session) terminalInEditor(ctx context.Context, req *acp.Request) (any, error) {
	params := s.routing.OutwardParams(req.Params())
	if req.Method() != acp.MethodTerminalCreate {
		// Not ended by a cancel of the turn: the agent wants to know how its command ended.
		asked := context.WithValue(acp.TakenBackBy(s.life, req.Context()), servedKey{}, servedOf(ctx))
		raw, err := s.all.cfg.Terminals.Call(asked, req.Method(), params)
		id, _ := acp.StringOf(acp.Member(params, "terminalId"))
		exit := acp.Member(raw, "exitStatus")
		if req.Method() != acp.MethodTerminalOutput || len(exit) > 0 && string(exit) != "null" {
			s.host.AwayEnded(id, req.Method() == acp.MethodTerminalRelease)
		}
		return raw, err
	}
	return acp.ReadParams(req, func(p *acp.CreateTerminalRequest) (any, error) {
		var release func()
		err := permission.AsShown(func() (err error) { _, release, err = s.host.MayRun(ctx, p); return err })
		if err != nil {
			return nil, err
		}
		raw, err := s.all.cfg.Terminals.Call(ctx, req.Method(), params)
		if err != nil {
			release()
			return nil, err
		}
		if id, ok := acp.StringOf(acp.Member(raw, "terminalId")); ok {
			s.host.AwayBegan(ctx, id, release)
		} else {
			release()
		}
		return raw, nil
	})
}

// releaseAway ends the commands of an agent that is gone: nobody else would.
func (s *Session) releaseAway() {
	for _, id := range s.host.Away() {
		params, err := acp.Marshal(&acp.ReleaseTerminalRequest{SessionID: acp.SessionID(s.alias()), TerminalID: acp.TerminalID(id)})
		if err == nil {
			_, err = s.all.cfg.Terminals.Call(s.life, acp.MethodTerminalRelease, params)
		}
		if err != nil {
			s.log.Debug().Err(err).Str("terminal", id).Msg("release a terminal of the editor")
		}
		s.host.AwayEnded(id, true)
	}
}

// showAway shows the terminal of a tool's command in the tool call, as soon as both are known.
func (s *Session) showAway(ctx context.Context, use *calls.Use, id string) {
	if id == "" {
		return
	}
	s.in.put(awayIn{use, id})
	s.work.Go(func() {
		call := callOf(ctx, "")
		if call == "" {
			return
		}
		running := acp.ToolCallStatusInProgress
		kind := acp.ToolKindExecute
		u := &acp.ToolCallUpdate{ToolCallID: call, Kind: &kind, Status: &running, Content: []acp.ToolCallContent{&acp.Terminal{TerminalID: acp.TerminalID(id)}}}
		m := &Message{Message: acp.NewUpdate(acp.SessionID(s.alias()), u), Session: s.ID, Turn: turnOf(ctx)}
		s.conversation.Claim(m)
		s.all.cfg.Out.Push(m)
	})
}

// agentGone ends the session's commands: nobody is left to read their output or to stop them.
func (s *Session) agentGone() {
	s.all.cfg.Runner.CloseSession(s.ID)
	s.releaseAway()
}
