package lspfront

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

type sessionNewParams struct {
	Cwd        string         `json:"cwd"`
	MCPServers jsontext.Value `json:"mcpServers"`
	Title      string         `json:"title"`
}

func sessionNew(ctx context.Context, s *Server, p sessionNewParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	req := bridge.NewSessionRequest{Cwd: p.Cwd, Title: p.Title}
	if len(p.MCPServers) > 0 {
		// The agent's own form, so the agent's own decoder.
		var r acp.NewSessionRequest
		raw := append(append([]byte(`{"cwd":"/","mcpServers":`), p.MCPServers...), '}')
		if err := acp.Unmarshal(raw, &r); err != nil {
			return nil, invalid("mcpServers: " + err.Error())
		}
		req.MCPServers = r.MCPServers
	}
	if p.Cwd != "" && !filepath.IsAbs(p.Cwd) {
		return nil, invalid(fmt.Sprintf("cwd %q is not an absolute path", p.Cwd))
	}
	info, err := b.NewSession(ctx, req)
	if err != nil {
		return nil, err
	}
	s.plain.setSession(info.ID)
	return encodeInfo(info), nil
}

type sessionParams struct {
	SessionID string `json:"sessionId"`
}

type sessionLoadParams struct {
	SessionID string `json:"sessionId"`
	Cwd       string `json:"cwd"`
}

func sessionLoad(ctx context.Context, s *Server, p sessionLoadParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	if p.Cwd != "" && !filepath.IsAbs(p.Cwd) {
		return nil, invalid(fmt.Sprintf("cwd %q is not an absolute path", p.Cwd))
	}
	info, err := b.LoadSession(ctx, p.SessionID, p.Cwd)
	if err != nil {
		return nil, err
	}
	b.Flush(ctx) // the history comes before the result
	s.plain.setSession(info.ID)
	return encodeInfo(info), nil
}

type sessionListParams struct {
	Cursor string `json:"cursor"`
	Cwd    string `json:"cwd"`
}

type sessionListResult struct {
	Sessions   []listed `json:"sessions"`
	NextCursor string   `json:"nextCursor,omitzero"`
}

func sessionList(_ context.Context, s *Server, p sessionListParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	out := sessionListResult{Sessions: []listed{}}
	for _, i := range b.Sessions() {
		if p.Cwd == "" || filepath.Clean(p.Cwd) == i.Cwd {
			out.Sessions = append(out.Sessions, encodeListed(i))
		}
	}
	return out, nil
}

func sessionClose(ctx context.Context, s *Server, p sessionParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	if err := b.CloseSession(ctx, p.SessionID); err != nil {
		return nil, err
	}
	s.plain.forgetSession(p.SessionID)
	return struct{}{}, nil
}

type promptParams struct {
	SessionID     string         `json:"sessionId"`
	Prompt        jsontext.Value `json:"prompt"`
	Context       []contextParam `json:"context"`
	WorkDoneToken jsontext.Value `json:"workDoneToken"`
	Steer         bool           `json:"steer"`  // for the turn that runs, if it can be told
	TurnID        string         `json:"turnId"` // of a prompt that waits and is replaced
}

type contextParam struct {
	URI     string     `json:"uri"`
	Range   *wireRange `json:"range"`
	Version *int32     `json:"version"`
}

type promptResult struct {
	TurnID  string `json:"turnId"`
	Queued  int    `json:"queued"`
	Steered bool   `json:"steered,omitzero"`
}

func sessionPrompt(ctx context.Context, s *Server, p promptParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	prompt, err := promptBlocks(p.Prompt)
	if err != nil {
		return nil, err
	}
	var refs []bridge.ContextRef
	for _, c := range p.Context {
		ref, err := s.contextRef(c)
		if err != nil {
			return nil, invalid("context: " + err.Error())
		}
		refs = append(refs, ref)
	}
	if p.TurnID != "" {
		return promptResult{TurnID: p.TurnID}, b.EditPrompt(ctx, p.SessionID, p.TurnID, prompt)
	}
	if p.Steer {
		turn, ok, err := b.Steer(p.SessionID, prompt)
		if ok || err != nil {
			return promptResult{TurnID: turn, Steered: true}, err
		}
	}
	t, err := b.Prompt(p.SessionID, prompt, refs)
	if err != nil {
		return nil, err
	}
	if len(p.WorkDoneToken) > 0 {
		s.plain.useToken(t.ID, p.WorkDoneToken)
	}
	return promptResult{TurnID: t.ID, Queued: t.Queued}, nil
}

// contextRef is a place in the editor as the bridge counts: lines from 1, both included.
func (s *Server) contextRef(c contextParam) (bridge.ContextRef, error) {
	path, err := s.docs.path(c.URI)
	if err != nil {
		return bridge.ContextRef{}, err
	}
	ref := bridge.ContextRef{Path: path}
	if c.Range != nil {
		ref.StartLine, ref.EndLine = int(c.Range.Start.Line)+1, int(c.Range.End.Line)+1
		if c.Range.End.Character == 0 && ref.EndLine > ref.StartLine {
			ref.EndLine-- // the range ends before the line's first character
		}
	}
	return ref, nil
}

type cancelParams struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId"`
}

func sessionCancel(_ context.Context, s *Server, p cancelParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	return struct{}{}, b.Cancel(p.SessionID, p.TurnID)
}

type setParams struct {
	SessionID string         `json:"sessionId"`
	ID        string         `json:"id"`
	Value     jsontext.Value `json:"value"`
}

type setResult struct {
	ConfigOptions []jsontext.Value `json:"configOptions,omitzero"`
}

func sessionSetMode(ctx context.Context, s *Server, p setParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	return setResult{}, b.SetMode(ctx, p.SessionID, p.ID)
}

func sessionSetOption(ctx context.Context, s *Server, p setParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(p.Value, &value); err != nil {
		return nil, invalid("value must be a string or a boolean")
	}
	options, err := b.SetOption(ctx, p.SessionID, p.ID, value)
	if err != nil {
		return nil, err
	}
	return setResult{rawOptions(options)}, nil
}
