package lspfront

import (
	"fmt"
	"regexp"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// builtinPrompts are the code actions on a selection where the settings have none.
func builtinPrompts() []promptAction {
	return []promptAction{
		{Title: "Fix with Copilot", Text: "Fix what is wrong in this code. Change as little as is needed.", Kind: string(protocol.CodeActionKindRefactorRewrite)},
		{Title: "Explain with Copilot", Text: "Explain this code. Do not change any file.", Kind: string(kindSource)},
		{Title: "Write tests with Copilot", Text: "Write tests for this code, in the way the tests of this project are written.", Kind: string(protocol.CodeActionKindRefactorRewrite)},
	}
}

// prompts are the actions that send a prompt about the selection. Those that are not about a place are offered for
// the whole file where nothing is selected.
func (a *actionPlace) prompts() []protocol.CodeAction {
	list := a.s.config.get().Prompts
	if list == nil {
		list = builtinPrompts()
	}
	var out []protocol.CodeAction
	for _, p := range list {
		kind := promptKind(p.Kind)
		arg := promptArg{Text: p.Text, URI: a.uri}
		switch {
		case p.Text == "" || p.Title == "":
			continue
		case !a.empty():
			arg.Range = &a.r
		case kind != kindSource:
			continue
		}
		out = append(out, a.prompt(p.Title, kind, arg))
	}
	return out
}

// promptArg is what the command prompt is given by an action.
type promptArg struct {
	Text  string     `json:"text"`
	URI   string     `json:"uri"`
	Range *wireRange `json:"range,omitzero"`
}

// prompt is an action that sends a prompt.
func (a *actionPlace) prompt(title string, kind protocol.CodeActionKind, arg promptArg) protocol.CodeAction {
	act := a.s.action("prompt", escape.Clip(escape.Inline(title), plain.MaxTitle), arg)
	act.Kind = &kind
	return act
}

// promptKind is the kind of a prompt's action. A kind that editors run by themselves (source.fixAll on save) is not
// taken over.
func promptKind(kind string) protocol.CodeActionKind {
	switch {
	case kind == "refactor" || strings.HasPrefix(kind, "refactor."):
		return protocol.CodeActionKind(kind)
	case kind == string(kindSource) || strings.HasPrefix(kind, string(kindSource)+"."):
		return protocol.CodeActionKind(kind)
	}
	return protocol.CodeActionKindRefactorRewrite
}

// commentPrompt is a prompt written as a comment: up to four signs of a comment, "copilot:", and what is wanted.
var commentPrompt = regexp.MustCompile(`(?i)^\s*[^\s\w]{1,4}\s*copilot:\s*(.+?)\s*(?:\*/|-->|\*\)|%\})?\s*$`)

// comment is the action on a line such as "// copilot: make this faster".
func (a *actionPlace) comment() []protocol.CodeAction {
	b, err := a.s.Bridge()
	if err != nil {
		return nil
	}
	snap, open := b.Overlay().Lookup(a.path)
	if !open {
		return nil
	}
	at := a.r.lines()
	var out []protocol.CodeAction
	for line := at.Start; line < min(at.End, snap.Text.Lines(), at.Start+maxCommentLines); line++ {
		m := commentPrompt.FindStringSubmatch(snap.Text.Line(line))
		if m == nil {
			continue
		}
		text := fmt.Sprintf("%s\n\nThis was asked in a comment on line %d of %s. Remove the comment when you are done.", m[1], line+1, a.path)
		arg := promptArg{Text: text, URI: a.uri}
		out = append(out, a.prompt("Copilot: "+m[1], protocol.CodeActionKindRefactorRewrite, arg))
	}
	return out
}

// running are the actions that cancel a turn and take out the prompts behind it: many editors show progress without a
// button for it.
func (a *actionPlace) running() []protocol.CodeAction {
	if len(a.s.plain.Running()) == 0 || a.s.Rich(plain.Updates) {
		return nil
	}
	out := []protocol.CodeAction{a.s.action("cancel", "", none{})}
	b, err := a.s.Bridge()
	if err != nil {
		return out
	}
	session := a.s.user.session()
	list, err := a.s.waiting(b)
	if err != nil {
		return out
	}
	for _, w := range list[:min(len(list), maxQueuedShown)] {
		title := "Remove the waiting prompt: " + escape.Clip(escape.Inline(w.Text()), plain.MaxTitle)
		out = append(out, a.s.action("cancel", title, cancelParams{session, w.Turn}))
	}
	return out
}
