package bridge

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"

	"github.com/go-json-experiment/json/jsontext"

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
		at.fill()
		req.Reply(nil, agents.ErrClosed)
		return
	}
	term := s.terminalOf(req)
	s.work.Go(func() {
		defer e.watch.end()
		defer func() {
			if p := recover(); p != nil {
				s.log.Error().Str("panic", fmt.Sprintf("%T", p)).Bytes("stack", debug.Stack()).Str("method", req.Method()).Msg("request of the agent")
				req.Reply(nil, &acp.Error{Code: acp.CodeInternal, Message: req.Method() + ": internal error of copilot-bridge"})
			}
		}()
		ctx, cancel := s.during(req.Context())
		defer cancel()
		if at != nil {
			defer at.lend().Stop()
			defer at.fill()
		}
		ctx = context.WithValue(ctx, servedKey{}, &served{req: req, at: at, term: term, watch: e.watch, stale: e.stale})
		result, err := s.answer(ctx, req, e.call)
		req.Reply(result, wireError(err))
	})
}

func (s *Session) answer(ctx context.Context, req *acp.Request, known *acp.ToolCallUpdate) (any, error) {
	switch req.Method() {
	case acp.MethodSessionRequestPermission:
		return withAny(req, func(p *acp.RequestPermissionRequest) (any, error) {
			if err := permission.CheckOptions(p.Options); err != nil {
				s.gate.Record(policy.Request{Name: "session/request_permission"}, policy.Decision{Verdict: policy.Deny, Reason: err.Error()}, policy.ByNobody)
				return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: req.Method() + ": " + err.Error()}
			}
			return s.requestPermission(ctx, p, known), nil
		})
	case acp.MethodFSReadTextFile:
		return with(req, func(p *acp.ReadTextFileRequest) (any, error) { return s.readTextFile(ctx, p) })
	case acp.MethodFSWriteTextFile:
		return with(req, func(p *acp.WriteTextFileRequest) (any, error) { return s.writeTextFile(ctx, p) })
	case acp.MethodTerminalCreate, acp.MethodTerminalOutput, acp.MethodTerminalWaitForExit, acp.MethodTerminalKill, acp.MethodTerminalRelease:
		if s.b.cfg.Terminals != nil {
			return s.terminalInEditor(ctx, req)
		}
		servedOf(ctx).at.fill() // none of it is the editor's
	}
	switch req.Method() {
	case acp.MethodTerminalCreate:
		return with(req, func(p *acp.CreateTerminalRequest) (any, error) { return s.createTerminal(ctx, p) })
	case acp.MethodTerminalOutput:
		return with(req, func(p *acp.TerminalOutputRequest) (any, error) { return s.terminalOutput(ctx, p) })
	case acp.MethodTerminalWaitForExit:
		return with(req, func(p *acp.WaitForTerminalExitRequest) (any, error) { return s.waitForExit(ctx, req.Context(), p) })
	case acp.MethodTerminalKill:
		return with(req, func(p *acp.KillTerminalRequest) (any, error) {
			return &acp.KillTerminalResponse{}, s.withTerminal(ctx, p.TerminalID, func(t *terminalproxy.Terminal) error { return t.Kill(req.Context()) })
		})
	case acp.MethodTerminalRelease:
		return with(req, func(p *acp.ReleaseTerminalRequest) (any, error) {
			return &acp.ReleaseTerminalResponse{}, s.withTerminal(ctx, p.TerminalID, func(t *terminalproxy.Terminal) error { return t.Release(req.Context()) })
		})
	case acp.MethodElicitationCreate:
		return withAny(req, func(p *acp.CreateElicitationRequest) (any, error) { return s.elicit(ctx, p) })
	}
	return nil, &acp.Error{Code: acp.CodeMethodNotFound, Message: "this client has no method " + req.Method()}
}

// with decodes params strictly: what is checked and what is acted on must be the same thing. So it refuses a text that no
// file, program or editor gets as it came: halves of surrogate pairs, bytes that are no UTF-8.
func with[P any](req *acp.Request, f func(*P) (any, error)) (any, error) {
	if !req.Params().IsValid() && req.Params().IsValid(jsontext.AllowInvalidUTF8(true)) {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: req.Method() + ": it holds text that is not valid Unicode; nothing was done"}
	}
	return withAny(req, f)
}

// withAny is with for questions, where words for the user may be cut in the middle of a character. What in them is acted on
// is looked at by itself.
func withAny[P any](req *acp.Request, f func(*P) (any, error)) (any, error) {
	p := new(P)
	if err := acp.UnmarshalStrict(req.Params(), p); err != nil {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: req.Method() + ": " + err.Error()}
	}
	return f(p)
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

// readTextFile is ACP v1 fs/read_text_file. A probe for a file that does not exist is answered at once, and asks nobody, but
// for one that is [permission.Gate.Hidden].
func (s *Session) readTextFile(ctx context.Context, p *acp.ReadTextFileRequest) (any, error) {
	if !filepath.IsAbs(p.Path) {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: "path " + p.Path + " is not absolute"}
	}
	t, err := s.gate.Reach(ctx, "fs/read_text_file", p.Path)
	if err != nil {
		return nil, err
	}
	if err := s.gate.PermitRead(ctx, "fs/read_text_file", t); err != nil {
		return nil, err
	}
	if raw, ok, err := s.readByEditor(ctx, t, p); ok {
		return raw, err
	}
	snap, err := s.read(ctx, t)
	if err != nil {
		return nil, err
	}
	text, err := fsproxy.ReadLines(snap.Text.String(), p.Line, p.Limit)
	if err != nil {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: err.Error()}
	}
	return &acp.ReadTextFileResponse{Content: text}, nil
}

// writeTextFile is ACP v1 fs/write_text_file. The write is asked about unless the agent has just asked about exactly this
// change (session/request_permission) and been told yes.
func (s *Session) writeTextFile(ctx context.Context, p *acp.WriteTextFileRequest) (any, error) {
	if !filepath.IsAbs(p.Path) {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: "path " + p.Path + " is not absolute"}
	}
	t, err := s.gate.Resolve(p.Path)
	if t.Real == "" {
		return nil, err
	}
	if no := s.gate.Unwritable("fs/write_text_file", t); no != nil {
		return nil, no
	}
	if err == nil {
		err = permission.AsShown(func() error { return s.writeWhole(ctx, t, p.Content) })
	} else {
		err = s.notWritten(ctx, t, p.Content, err)
	}
	if err != nil {
		return nil, err
	}
	return &acp.WriteTextFileResponse{}, nil
}

// writeWhole asks about a whole text for a file, and writes what was shown.
func (s *Session) writeWhole(ctx context.Context, t target, text string) error {
	started, made := s.startedFrom(ctx, t), s.b.madeTo(t)
	old, err := s.gate.TextOf(ctx, t)
	if err != nil {
		return s.notWritten(ctx, t, text, err)
	}
	after, base := text, (*string)(nil)
	if old != nil {
		old, after, base = s.gate.Preview(ctx, t, old, text, started)
	}
	g := permission.ChangeGrant(t, made, old, after)
	if !s.gate.Use(g) {
		part, err := s.gate.PermitWrite(ctx, "fs/write_text_file", t, g)
		if err != nil {
			return err
		}
		if part != nil {
			return s.writePart(ctx, t, part)
		}
	}
	_, err = s.write(ctx, t, text, base, g, started...)
	return err
}

// notWritten is the answer to a write of a text that cannot be made for what is on the disk. Of a file that is
// [permission.Gate.Hidden] that is told only after the question which any other write of it raises.
func (s *Session) notWritten(ctx context.Context, t target, text string, why error) error {
	if s.gate.Hidden(t) {
		if _, no := s.gate.PermitWrite(ctx, "fs/write_text_file", t, permission.ChangeGrant(t, 0, nil, text)); no != nil {
			return no
		}
	}
	return why
}

// writePart makes the part of a whole-file write that was allowed. The answer to the agent is an error in any case: a
// result has no room for words, and an agent that takes the write for done goes on from a text that is not there.
func (s *Session) writePart(ctx context.Context, t target, part *permission.Choice) error {
	if _, err := s.writeChosen(ctx, t, part.Grant); err != nil {
		return err
	}
	return &acp.Error{Code: acp.CodeInternal, Message: part.Note(t.Path)}
}
