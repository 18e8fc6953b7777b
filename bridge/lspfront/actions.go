package lspfront

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

type actionParams struct {
	documentParams
	Range   wireRange `json:"range"`
	Context struct {
		Only        []protocol.CodeActionKind      `json:"only"`
		TriggerKind protocol.CodeActionTriggerKind `json:"triggerKind"`
	} `json:"context"`
}

// codeAction answers from memory: editors ask whenever the cursor moves. What they did not ask for themselves gets
// nothing but the actions on our own diagnostics, or the light bulb would always be on.
func codeAction(s *server, p actionParams) (any, error) {
	path, err := s.docs.path(p.TextDocument.URI)
	if err != nil {
		return actionList(nil) // of something that is no file
	}
	if !s.Rich(plain.Focus) {
		s.selected(path, p.Range)
	}
	at := actionPlace{s: s, path: path, uri: p.TextDocument.URI, r: p.Range, only: p.Context.Only}
	var out []protocol.CodeAction
	out = append(out, at.questions()...)
	out = append(out, at.hunks()...)
	out = append(out, at.comments()...)
	if p.Context.TriggerKind != protocol.CodeActionTriggerKindAutomatic {
		out = append(out, at.comment()...)
		out = append(out, at.prompts()...)
		out = append(out, at.running()...)
		out = append(out, at.leaveSpecialModes()...)
		out = append(out, at.levelActions()...)
	}
	return actionList(at.wanted(out))
}

// actionPlace is what a request for code actions is about.
type actionPlace struct {
	s    *server
	path string
	uri  string
	r    wireRange
	only []protocol.CodeActionKind
}

// wanted are the actions of the kinds that were asked for. A kind stands for all below it.
func (a *actionPlace) wanted(list []protocol.CodeAction) []protocol.CodeAction {
	if len(a.only) == 0 {
		return list
	}
	var out []protocol.CodeAction
	for _, act := range list {
		for _, k := range a.only {
			if k == "" || *act.Kind == k || strings.HasPrefix(string(*act.Kind), string(k)+".") {
				out = append(out, act)
				break
			}
		}
	}
	return out
}

// lines are the lines that a range touches; one that ends before a line's first character does not touch that line.
func (r *wireRange) lines() *review.Lines {
	from, to := int(r.Start.Line), int(r.End.Line)+1
	if r.End.Character == 0 && r.End.Line > r.Start.Line {
		to--
	}
	return &review.Lines{Start: from, End: to}
}

// touches reports whether the request touches lines of a text; an empty stretch counts as the line it stands before.
func (a *actionPlace) touches(start, end int) bool {
	at := a.r.lines()
	return start < at.End && at.Start < max(end, start+1)
}

// touched are the hunks of the file that the request touches.
func (a *actionPlace) touched(now text.Text, hunks []review.Hunk) (out []review.Hunk) {
	for _, h := range hunks {
		start := min(h.StartLine, now.Lines()-1) // what was taken out at the end is at the last line
		if a.touches(start, h.EndLine) {
			out = append(out, h)
		}
	}
	return out
}

func (a *actionPlace) empty() bool { return a.r.Start == a.r.End }

// actionList encodes actions; the protocol package has no type for a list of nothing but literals.
func actionList(list []protocol.CodeAction) (any, error) {
	out := []byte{'['}
	for i := range list {
		b, err := protocol.Marshal(&list[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, b...)
	}
	return jsontext.Value(append(out, ']')), nil
}
