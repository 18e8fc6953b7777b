//go:build e2e

package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// which is a call of ask.
func which() model.Step {
	return tool("ask", obj{"question": "Which\x1b[31m one?", "options": []string{"first", "second"}})
}

// answered says whether the newest results have one that begins so.
func (w *world) answered(text string) bool {
	return slices.ContainsFunc(w.results(), func(r string) bool { return strings.Contains(r, text) })
}

// TestE2ECopilotAsks: the tool ask in the rich tier: an option, other words, and a question that is closed, each in words of its own.
func TestE2ECopilotAsks(t *testing.T) {
	w := copilot(t, nil)
	replies := []any{obj{"value": obj{"answer": "second"}}, obj{"value": obj{"other": "neither"}}, nil}
	asked := make(chan string, len(replies))
	e := w.startAs(&editor{input: func(p json.RawMessage) any {
		asked <- string(p)
		reply := replies[0]
		replies = replies[1:]
		return reply
	}}, nil)
	s := e.newSession()
	for _, want := range []string{"The user chose: second", "The user chose none of the options and answered: neither", "The user closed the question without an answer"} {
		e.turn(s, "x "+model.Script(which(), model.Say("fin")))
		if p := <-asked; !w.answered(want) || strings.Contains(p, `\u001b`) || !strings.Contains(p, `"const":"second"`) {
			t.Errorf("want %q: the model was given %q, the editor was asked %s", want, w.results(), p)
		}
	}
}

// TestE2ECopilotAsksInPlainLSP: the same by a message with buttons.
func TestE2ECopilotAsksInPlainLSP(t *testing.T) {
	w := copilot(t, nil)
	titles := make(chan []string, 2)
	picks := []string{"first", ""}
	e := w.startAs(&editor{choose: func(message string, all []string) string {
		titles <- all
		pick := picks[0]
		picks = picks[1:]
		return pick
	}}, nil)
	for _, want := range []string{"The user chose: first", "The user closed the question without an answer"} {
		e.command("prompt", obj{"text": "x " + model.Script(which(), model.Say("fin"))})
		if all := <-titles; !slices.Equal(all, []string{"first", "second"}) {
			t.Errorf("it offers %q", all)
		}
		e.until("the answer at the model", func() bool { return w.answered(want) })
	}
}

// TestE2EACPCopilotAsks: an editor with ACP's forms is asked by one; where there are none the tool is not offered.
func TestE2EACPCopilotAsks(t *testing.T) {
	w := copilot(t, nil)
	e := w.startACPWith(obj{"elicitation": obj{"form": obj{}}})
	e.elicited = obj{"action": "accept", "content": obj{"answer": "first"}}
	if reason := e.turn(e.newSession(), "x "+model.Script(which(), model.Say("fin"))); reason != "end_turn" || !w.answered("The user chose: first") {
		t.Errorf("%s, the model was given %q", reason, w.results())
	}
	w = copilot(t, nil)
	e = w.startACP(false)
	e.turn(e.newSession(), "x "+model.Script(model.Say("fin")))
	if w.model.ToolNames()["editor-ask"] || !w.model.ToolNames()["editor-edit"] {
		t.Errorf("an editor without forms gets the tools %v", w.model.ToolNames())
	}
}

// TestE2ECommentsAreOnePrompt: comments on a hunk and on a line move with the text, outlive the bridge that is killed, and reach Copilot
// as one prompt.
func TestE2ECommentsAreOnePrompt(t *testing.T) {
	w := copilot(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "b\n"})
	e := w.start()
	e.open("a.txt", "one\ntwo\nthree\n")
	s := e.newSession()
	e.turn(s, "x "+model.Script(tool("edit", obj{"path": w.path("a.txt"), "old_str": "three", "new_str": "THREE"}), model.Say("fin")))
	hunk := e.hunks("a.txt")[0].ID
	e.call("copilot-bridge/comments/add", obj{"hunk": hunk, "text": "not so loud"}, nil)
	e.call("copilot-bridge/comments/add", obj{"uri": uri(w.path("b.txt")), "range": lines(0, 1), "text": "what is this?"}, nil)
	e.typeText(w.path("a.txt"), "zero\n"+e.text("a.txt"))
	e.until("the comment that moved", func() bool {
		for _, m := range e.notes {
			if m.Method == "copilot-bridge/comments/didChange" && strings.Contains(string(m.Params), `"line":3`) {
				return true
			}
		}
		return false
	})
	e.cmd.Process.Kill()
	<-e.over

	e = w.start()
	e.open("a.txt", "zero\none\ntwo\nTHREE\n")
	var list struct {
		Comments []struct{ ID, Quoted, Text string }
	}
	e.call("copilot-bridge/comments/list", obj{}, &list)
	if len(list.Comments) != 2 || list.Comments[0].Quoted != "THREE\n" {
		t.Fatalf("after a kill: %+v", list)
	}
	e.call("copilot-bridge/comments/edit", obj{"id": list.Comments[1].ID, "text": "a name?"}, nil)
	var sent struct{ TurnID string }
	e.call("copilot-bridge/comments/send", obj{"sessionId": e.newSession(), "text": "Please " + model.Script(model.Say("fin"))}, &sent)
	if end := e.ended(sent.TurnID); end.Reason != "end_turn" || !w.told("1. a.txt, line 4") || !w.told("not so loud") || !w.told("2. b.txt, line 1") || !w.told("a name?") {
		t.Errorf("%s %s", end.Reason, end.Error)
	}
	e.call("copilot-bridge/comments/list", obj{}, &list)
	if len(list.Comments) != 0 {
		t.Errorf("sent, there are left: %+v", list)
	}
}

// TestE2ECommentsInPlainLSP: by commands, a diagnostic and code actions.
func TestE2ECommentsInPlainLSP(t *testing.T) {
	w := copilot(t, map[string]string{"a.txt": "one\ntwo\n"})
	e := w.startAs(&editor{choose: func(string, []string) string { return "" }}, nil)
	e.open("a.txt", "one\ntwo\n")
	e.command("comment", obj{"uri": uri(w.path("a.txt")), "range": lines(1, 2), "text": "three?"})
	e.until("the diagnostic", func() bool {
		for _, m := range e.notes {
			if m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "Your comment, not sent yet: three?") {
				return true
			}
		}
		return false
	})
	var actions []struct{ Title string }
	e.call("textDocument/codeAction", obj{"textDocument": obj{"uri": uri(w.path("a.txt"))}, "range": lines(1, 1), "context": obj{"diagnostics": []any{}}}, &actions)
	if !slices.ContainsFunc(actions, func(a struct{ Title string }) bool { return strings.HasPrefix(a.Title, "Send the comments") }) ||
		!slices.ContainsFunc(actions, func(a struct{ Title string }) bool { return strings.HasPrefix(a.Title, "Remove the comment: three?") }) {
		t.Errorf("actions: %v", actions)
	}
	e.command("sendReview", obj{"text": "x " + model.Script(model.Say("fin"))})
	e.until("the comment at the model", func() bool { return w.told("1. a.txt, line 2") && w.told("three?") })
}

func lines(from, to int) obj {
	return obj{"start": obj{"line": from, "character": 0}, "end": obj{"line": to, "character": 0}}
}

// command runs one of the bridge's commands.
func (e *editor) command(name string, arg obj) {
	e.t.Helper()
	e.call("workspace/executeCommand", obj{"command": "copilot-bridge." + name, "arguments": []obj{arg}}, nil)
}
