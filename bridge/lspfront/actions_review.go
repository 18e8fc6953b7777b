package lspfront

import (
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// hunks are the actions on the pending hunks that the request touches. They are found by the range and what is pending
// now, never by what a client sends back of a diagnostic: Helix, eglot and kak-lsp drop its data.
func (a *actionPlace) hunks() (out []protocol.CodeAction) {
	f, now, _ := a.s.pendingIn(a.path)
	here := a.touched(now, f.Hunks)
	if len(here) == 0 {
		return nil
	}
	for _, h := range here {
		where := ""
		if len(here) > 1 {
			where = fmt.Sprintf(" line %d", h.StartLine+1)
		}
		arg := hunkParams{Hunk: h.ID}
		diags := a.diagnosed(now, f, h)
		keep := a.s.action("keep", a.s.title("keep")+where, arg)
		keep.Diagnostics = diags
		out = append(out, keep)
		if h.Undoable {
			undo := a.s.action("undo", a.s.title("undo")+where, arg)
			undo.Diagnostics, undo.Edit = diags, a.undoEdit(f, []review.Hunk{h})
			out = append(out, undo)
		}
	}
	if lines := a.r.lines(); !a.empty() && slices.ContainsFunc(here, func(h review.Hunk) bool { return lines.Part(h) }) {
		arg := hunkParams{URI: a.uri, Range: &a.r}
		out = append(out, a.s.action("keep", "Keep the selected lines", arg), a.s.action("undo", "Undo the selected lines", arg))
	}
	all := fileParams{URI: a.uri}
	out = append(out, a.s.action("keepAll", "", all))
	if f.Undoable {
		undo := a.s.action("undoAll", "", all)
		undo.Edit = a.undoEdit(f, f.Hunks)
		out = append(out, undo)
	}
	return out
}

// diagnosed is the diagnostic that an action on a hunk resolves, as it was published.
func (a *actionPlace) diagnosed(now text.Text, f review.File, h review.Hunk) []protocol.Diagnostic {
	if a.s.Rich(plain.Review) {
		return nil
	}
	return []protocol.Diagnostic{a.s.plain.PendingDiagnostic(now, f, h)}
}

// undoEdit is the undoing of hunks as an edit that the editor makes by itself before it runs the command: there is no
// moment in which it can be stale. Nil where that is not all there is to do: a file that was created, deleted or moved
// is, and so is one that the bridge would save. Nor for editors that take no version with an edit. The review book sees the old text come back and the command finds the
// work done.
func (a *actionPlace) undoEdit(f review.File, hunks []review.Hunk) *protocol.WorkspaceEdit {
	s := a.s
	b, err := s.Bridge()
	if err != nil || f.Kind != review.KindEdit || s.Rich(plain.Save) || !s.client.documentChanges {
		return nil
	}
	snap, open := b.Overlay().Lookup(a.path)
	if !open {
		return nil
	}
	var edits []fsproxy.TextEdit
	for _, h := range hunks {
		if h.End > snap.Text.Len() || snap.Text.Slice(h.Start, h.End) != h.NewText {
			return nil
		}
		edits = append(edits, fsproxy.TextEdit{Start: h.Start, End: h.End, New: h.OldText})
	}
	list := textEdits(snap.Text, edits, s.client.enc)
	u := uri.URI(s.URI(a.path))
	elements := make([]protocol.TextDocumentEditElement, len(list))
	for i := range list {
		elements[i] = &list[i]
	}
	return &protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{&protocol.TextDocumentEdit{
		TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u}, Version: &snap.Version,
		},
		Edits: elements,
	}}}
}

// questions are the answers to the questions that are shown as diagnostics here.
func (a *actionPlace) questions() []protocol.CodeAction {
	var out []protocol.CodeAction
	for _, q := range a.s.plain.Waiting() {
		if !q.Shown || q.Path != "" && (q.Path != a.path || !a.touches(q.Line, q.Line+1)) {
			continue
		}
		now, _ := a.s.Text(a.path)
		for _, c := range q.Answers {
			command := "allow"
			if k := c.Option.Kind; k == acp.PermissionOptionKindRejectOnce || k == acp.PermissionOptionKindRejectAlways {
				command = "reject"
			}
			act := a.s.action(command, c.Title+": "+escape.ClipMiddle(q.Title, plain.MaxTitle), answerParams{ID: q.ID, Option: c.Option.OptionID})
			if q.Path != "" {
				act.Diagnostics = []protocol.Diagnostic{q.Diagnostic(now)}
			}
			out = append(out, act)
		}
	}
	return out
}
