package lspfront

import (
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

type listReviewParams struct {
	URI    string `json:"uri,omitzero"`
	TurnID string `json:"turnId,omitzero"`
}

type listReviewResult struct {
	Files []reviewFile `json:"files"`
}

func listReview(q *asked, p listReviewParams) (listReviewResult, error) {
	out, filter := listReviewResult{Files: []reviewFile{}}, review.Filter{Turn: p.TurnID}
	if p.URI != "" {
		path, err := q.s.path(p.URI)
		if err != nil {
			return out, err
		}
		filter.Path = path
	}
	for _, f := range q.b.Review(q.ctx, filter) {
		out.Files = append(out.Files, q.s.file(f))
	}
	return out, nil
}

type resolveParams struct {
	Action string     `json:"action" enum:"keep,undo"`
	Hunks  []string   `json:"hunks,omitzero"`
	URI    string     `json:"uri,omitzero"`
	Range  *wireRange `json:"range,omitzero"`
	TurnID string     `json:"turnId,omitzero"`
}

type resolveResult struct {
	Resolved  int            `json:"resolved"`
	Conflicts []wireConflict `json:"conflicts"`
}

// wireConflict is a hunk that was not resolved.
type wireConflict struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

func resolve(q *asked, p resolveParams) (out resolveResult, err error) {
	sel := review.Selector{Hunks: p.Hunks, Turn: p.TurnID}
	if p.URI != "" {
		if sel.Path, err = q.s.path(p.URI); err != nil {
			return out, err
		}
	}
	switch {
	case p.Hunks == nil && p.URI == "" && p.TurnID == "":
		return out, invalid("say what to resolve: hunks, uri or turnId")
	case p.Range != nil && (p.URI == "" || p.Hunks != nil || p.TurnID != ""):
		return out, invalid("a range goes with uri, and with nothing else")
	case p.Range != nil:
		sel.Lines = p.Range.lines()
	}
	var bad []review.Conflict
	switch p.Action {
	case "keep":
		out.Resolved, bad = q.b.Keep(sel)
	case "undo":
		sel.Kept = sel.Turn != "" && sel.Hunks == nil // a whole turn, with what was kept of it
		out.Resolved, bad = q.b.Undo(q.ctx, sel)
	default:
		return out, invalid(`action must be "keep" or "undo"`)
	}
	out.Conflicts = []wireConflict{}
	for _, c := range bad {
		out.Conflicts = append(out.Conflicts, wireConflict{c.ID, c.Reason})
	}
	if out.Resolved == 0 && len(p.Hunks) > 0 && len(bad) == len(p.Hunks) {
		err = &bridge.Error{Code: bridge.CodeStaleHunk, Message: "nothing was resolved: " + bad[0].Reason, Hint: "list the hunks again", Retryable: true}
	}
	return out, err
}

type reviewBaseParams struct {
	URI string `json:"uri"`
}

type reviewBaseResult struct {
	Text    string `json:"text"`
	Version *int32 `json:"version"`
}

// reviewBase is the text before what is pending, for a side-by-side diff; the file's own text if nothing is.
func reviewBase(q *asked, p reviewBaseParams) (out reviewBaseResult, err error) {
	path, err := q.s.path(p.URI)
	if err != nil {
		return out, err
	}
	now, version := q.s.Text(path)
	if base, ok := q.b.Base(path); ok {
		return reviewBaseResult{base, version}, nil
	}
	return reviewBaseResult{now.String(), version}, nil
}

// path is the file that a URI of the editor's names.
func (s *server) path(uri string) (string, error) {
	path, err := s.docs.path(uri)
	if err != nil {
		return "", invalid(err.Error())
	}
	return path, nil
}
