package lspfront

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

type reviewListParams struct {
	URI    string `json:"uri"`
	TurnID string `json:"turnId"`
}

type reviewListResult struct {
	Files []wireFile `json:"files"`
}

func reviewList(ctx context.Context, s *Server, p reviewListParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	filter := review.Filter{Turn: p.TurnID}
	if p.URI != "" {
		if filter.Path, err = s.docs.path(p.URI); err != nil {
			return nil, invalid(err.Error())
		}
	}
	out := reviewListResult{Files: []wireFile{}}
	for _, f := range b.Review(ctx, filter) {
		out.Files = append(out.Files, s.file(f))
	}
	return out, nil
}

type resolveParams struct {
	Action string   `json:"action"`
	Hunks  []string `json:"hunks"`
	URI    string   `json:"uri"`
	TurnID string   `json:"turnId"`
}

type resolveResult struct {
	Resolved  int            `json:"resolved"`
	Conflicts []wireConflict `json:"conflicts"`
}

type wireConflict struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

func reviewResolve(ctx context.Context, s *Server, p resolveParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	sel := review.Selector{Hunks: p.Hunks, Turn: p.TurnID}
	if p.URI != "" {
		if sel.Path, err = s.docs.path(p.URI); err != nil {
			return nil, invalid(err.Error())
		}
	}
	if p.Hunks == nil && p.URI == "" && p.TurnID == "" {
		return nil, invalid("say what to resolve: hunks, uri or turnId")
	}
	var n int
	var bad []review.Conflict
	switch p.Action {
	case "keep":
		n, bad = b.Keep(sel)
	case "undo":
		sel.Kept = sel.Turn != "" && sel.Hunks == nil // a whole turn, with what was kept of it
		n, bad = b.Undo(ctx, sel)
	default:
		return nil, invalid(`action must be "keep" or "undo"`)
	}
	out := resolveResult{Resolved: n, Conflicts: []wireConflict{}}
	for _, c := range bad {
		out.Conflicts = append(out.Conflicts, wireConflict{c.ID, c.Reason})
	}
	if n == 0 && len(p.Hunks) > 0 && len(bad) == len(p.Hunks) {
		return nil, &bridge.Error{Code: bridge.CodeStaleHunk, Message: "nothing was resolved: " + bad[0].Reason, Hint: "list the hunks again", Retryable: true}
	}
	return out, nil
}

type reviewBaseParams struct {
	URI string `json:"uri"`
}

type reviewBaseResult struct {
	Text    string `json:"text"`
	Version *int32 `json:"version"`
}

// reviewBase is the text before what is pending, for a side-by-side diff; the file's own text if nothing is.
func reviewBase(_ context.Context, s *Server, p reviewBaseParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	path, err := s.docs.path(p.URI)
	if err != nil {
		return nil, invalid(err.Error())
	}
	now, version := s.textOf(path)
	if base, ok := b.Base(path); ok {
		return reviewBaseResult{base, version}, nil
	}
	return reviewBaseResult{now.String(), version}, nil
}
