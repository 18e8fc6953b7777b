package session

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// serve answers a request of the agent (the client side of ACP v1), on a goroutine of its own. Every request gets
// exactly one answer: [acp.Request.Reply] takes the first, and a panic is one too.
func (s *Session) serve(over bool, e serve) {
	req, at := e.req, e.at
	if over {
		at.Fill()
		req.Reply(nil, agents.ErrClosed)
		return
	}
	term := s.terminalOf(req)
	s.work.Go(func() {
		if e.watch != nil {
			defer s.in.put(unwatchIn{e.watch})
		}
		if e.ask != nil {
			defer s.in.put(askOverIn{e.ask})
		}
		if acts(req.Method()) {
			defer s.in.put(doneIn{})
		}
		defer func() {
			if p := recover(); p != nil {
				s.log.Error().Str("panic", fmt.Sprintf("%T", p)).Bytes("stack", debug.Stack()).Str("method", req.Method()).Msg("request of the agent")
				req.Reply(nil, &acp.Error{Code: acp.CodeInternal, Message: req.Method() + ": internal error of copilot-bridge"})
			}
		}()
		ctx, cancel := s.during(req.Context())
		defer cancel()
		if at != nil {
			defer at.Lend().Stop()
			defer at.Fill()
		}
		ctx = context.WithValue(ctx, servedKey{}, &served{req: req, at: at, term: term, watch: e.watch, stale: e.stale, ask: e.ask})
		result, err := s.answer(ctx, req, e.call)
		req.Reply(result, wireError(err))
	})
}

func (s *Session) answer(ctx context.Context, req *acp.Request, known *acp.ToolCallUpdate) (any, error) {
	switch req.Method() {
	case acp.MethodSessionRequestPermission:
		return acp.ReadParamsOfQuestion(req, func(p *acp.RequestPermissionRequest) (any, error) {
			if err := permission.CheckOptions(p.Options); err != nil {
				s.gate.Record(policy.Request{Name: "session/request_permission"}, policy.Decision{Verdict: policy.Deny, Reason: err.Error()}, policy.ByNobody)
				return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: req.Method() + ": " + err.Error()}
			}
			return s.requestPermission(ctx, p, known), nil
		})
	case acp.MethodFSReadTextFile:
		return acp.ReadParams(req, func(p *acp.ReadTextFileRequest) (any, error) { return s.host.ReadTextFile(ctx, p) })
	case acp.MethodFSWriteTextFile:
		return acp.ReadParams(req, func(p *acp.WriteTextFileRequest) (any, error) { return s.host.WriteTextFile(ctx, p) })
	case acp.MethodTerminalCreate, acp.MethodTerminalOutput, acp.MethodTerminalWaitForExit, acp.MethodTerminalKill, acp.MethodTerminalRelease:
		if s.all.cfg.Terminals != nil {
			return s.terminalInEditor(ctx, req)
		}
		servedOf(ctx).at.Fill() // none of it is the editor's
	}
	term, asked := servedOf(ctx).term, req.Context()
	switch req.Method() {
	case acp.MethodTerminalCreate:
		return acp.ReadParams(req, func(p *acp.CreateTerminalRequest) (any, error) { return s.host.CreateTerminal(ctx, p) })
	case acp.MethodTerminalOutput:
		return acp.ReadParams(req, func(p *acp.TerminalOutputRequest) (any, error) { return s.host.TerminalOutput(term, p) })
	case acp.MethodTerminalWaitForExit:
		return acp.ReadParams(req, func(p *acp.WaitForTerminalExitRequest) (any, error) { return s.host.WaitForExit(asked, term, p) })
	case acp.MethodTerminalKill:
		return acp.ReadParams(req, func(p *acp.KillTerminalRequest) (any, error) { return s.host.KillTerminal(asked, term, p) })
	case acp.MethodTerminalRelease:
		return acp.ReadParams(req, func(p *acp.ReleaseTerminalRequest) (any, error) { return s.host.ReleaseTerminal(asked, term, p) })
	case acp.MethodElicitationCreate:
		return acp.ReadParamsOfQuestion(req, func(p *acp.CreateElicitationRequest) (any, error) { return s.elicit(ctx, p) })
	}
	return nil, &acp.Error{Code: acp.CodeMethodNotFound, Message: "this client has no method " + req.Method()}
}

// wireError gives a failure the code that agents understand.
func wireError(err error) error {
	var e *acp.Error
	var notText *disk.NotTextError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case missing(err), errors.Is(err, terminalproxy.ErrUnknownTerminal):
		return &acp.Error{Code: acp.CodeResourceNotFound, Message: err.Error()}
	case errors.As(err, &notText), errors.Is(err, fsproxy.ErrNotRegular):
		return &acp.Error{Code: acp.CodeInvalidParams, Message: err.Error()}
	case errors.Is(err, context.Canceled):
		return &acp.Error{Code: acp.CodeRequestCancelled, Message: "cancelled"}
	}
	return &acp.Error{Code: acp.CodeInternal, Message: err.Error()}
}

// terminalOf is the terminal that a request is about, nil if it is about none. It is looked up in the order of the wire.
func (s *Session) terminalOf(req *acp.Request) *terminalproxy.Terminal {
	switch req.Method() {
	case acp.MethodTerminalOutput, acp.MethodTerminalWaitForExit, acp.MethodTerminalKill, acp.MethodTerminalRelease:
	default:
		return nil
	}
	if s.all.cfg.Terminals != nil { // the editor knows its own
		return nil
	}
	id, _ := acp.StringOf(acp.Member(req.Params(), "terminalId"))
	return s.host.Terminal(id)
}
