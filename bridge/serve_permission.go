package bridge

import (
	"context"
	"encoding/json"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// requestPermission is ACP v1 session/request_permission: the agent asks about a tool of its own. Our rules and our
// person decide; the agent is only ever told "once", because an allow_always opens every later write of its session
// (Copilot CLI 1.0.102).
func (s *Session) requestPermission(ctx context.Context, p *acp.RequestPermissionRequest) *acp.RequestPermissionResponse {
	cancelled := &acp.RequestPermissionResponse{Outcome: &acp.CancelledPermissionOutcome{}}
	r, q, targets := s.agentQuestion(p)
	err := s.permit(ctx, r, q)
	if ctx.Err() != nil {
		return cancelled
	}
	kind := acp.PermissionOptionKindAllowOnce
	if err != nil {
		kind = acp.PermissionOptionKindRejectOnce
	}
	for _, o := range p.Options {
		if o.Kind == kind {
			if err == nil && r.Tool == policy.ToolEdit { // a yes to a read is none to a write
				s.grant(targets)
			}
			return &acp.RequestPermissionResponse{Outcome: &acp.SelectedPermissionOutcome{OptionID: o.OptionID}}
		}
	}
	return cancelled // an agent that offers no "once" gets no answer it could take for "always"
}

func (s *Session) grant(targets []target) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range targets {
		s.allows.add(t.Real)
	}
}

// agentQuestion is what the agent asks about, as far as it can be told from the tool call. The rules see what it is
// from the input (a command, a path), not from the kind the agent gives it: Copilot calls a create outside its folders
// a read.
func (s *Session) agentQuestion(p *acp.RequestPermissionRequest) (policy.Request, Question, []target) {
	call := &p.ToolCall
	title := string(call.ToolCallID)
	if call.Title != nil && *call.Title != "" {
		title = *call.Title
	}
	q := Question{Title: escape.Inline(title), ToolCall: call, Cwd: s.Cwd}
	r := policy.Request{Tool: policy.ToolMCP, Name: title}
	var in struct {
		Command  string `json:"command"`
		Path     string `json:"path"`
		FilePath string `json:"filepath"`
		FileName string `json:"fileName"`
		File     string `json:"file_path"`
	}
	_ = json.Unmarshal(call.RawInput, &in) // best effort: what cannot be read asks as an unknown tool
	if in.Command != "" {
		r.Tool, r.Argv = policy.ToolShell, []string{"bash", "-c", in.Command}
		q.Argv = r.Argv
		return r, q, nil
	}
	if call.Kind != nil {
		switch *call.Kind {
		case acp.ToolKindRead, acp.ToolKindSearch:
			r.Tool = policy.ToolRead
		case acp.ToolKindEdit, acp.ToolKindDelete, acp.ToolKindMove:
			r.Tool = policy.ToolEdit
		case acp.ToolKindExecute:
			r.Tool = policy.ToolShell
		}
	}
	paths := callPaths(call.Locations, call.Content)
	for _, name := range []string{in.Path, in.FilePath, in.FileName, in.File} {
		if name != "" {
			paths = append(paths, name)
		}
	}
	if in.FileName != "" || hasDiff(call.Content) {
		r.Tool = policy.ToolEdit
	}
	var targets []target
	seen := map[string]bool{}
	for _, name := range paths {
		t, err := s.resolve(name)
		if err != nil || seen[t.Path] {
			continue
		}
		seen[t.Path] = true
		op := policy.OpWrite
		if r.Tool == policy.ToolRead {
			op = policy.OpRead
		}
		r.Paths = append(r.Paths, s.pathOf(t, op))
		q.Notes = append(q.Notes, t.notes()...)
		targets = append(targets, t)
	}
	for _, c := range call.Content {
		if d, ok := c.(*acp.Diff); ok {
			fd := FileDiff{Path: d.Path, NewText: d.NewText, Created: d.OldText == nil}
			if d.OldText != nil {
				fd.OldText = *d.OldText
			}
			q.Diffs = append(q.Diffs, fd)
		}
	}
	return r, q, targets
}

func hasDiff(content []acp.ToolCallContent) bool {
	for _, c := range content {
		if _, ok := c.(*acp.Diff); ok {
			return true
		}
	}
	return false
}
