package lspfront

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestPromptsOnASelection guards the three that are there without settings, their kinds and what they send.
func TestPromptsOnASelection(t *testing.T) {
	r := newRig(t, setup{files: before, script: `
expect@turn session/prompt {"prompt":[{"type":"text","text":"re:Fix"},{"type":"resource","resource":{"text":"two\n"}}]}
reply@turn {"stopReason":"end_turn"}
mark fixed
`})
	u := r.open(r.dir + "/a.txt")
	list := r.actions(u, at(1, 2), nil)
	if want := []string{"Fix with Copilot", "Explain with Copilot", "Write tests with Copilot"}; !slices.Equal(titles(list), want) {
		t.Fatalf("actions %q, want %q", titles(list), want)
	}
	for _, c := range []struct {
		only string
		want []string
	}{
		{"refactor", []string{"Fix with Copilot", "Write tests with Copilot"}},
		{"refactor.rewrite", []string{"Fix with Copilot", "Write tests with Copilot"}},
		{"source", []string{"Explain with Copilot"}},
		{"source.copilot", []string{"Explain with Copilot"}},
		{"source.fixAll", nil},
		{"quickfix", nil},
		{"refact", nil},
	} {
		got := titles(r.actions(u, at(1, 2), obj{"diagnostics": []any{}, "only": []string{c.only}}))
		if !slices.Equal(got, c.want) {
			t.Errorf("only %s: %q, want %q", c.only, got, c.want)
		}
	}
	if got := titles(r.actions(u, at(1, 1), nil)); !slices.Equal(got, []string{"Explain with Copilot"}) {
		t.Errorf("without a selection: %q", got)
	}
	if got := titles(r.actions(u, at(1, 2), obj{"diagnostics": []any{}, "triggerKind": 2})); got != nil {
		t.Errorf("when the editor asks by itself: %q", got)
	}
	r.run(list, "Fix with Copilot")
	if err := r.agent(0).Await(t.Context(), "fixed"); err != nil {
		t.Fatal(err)
	}
}

// TestOwnPrompts guards the setting, and that no action gets a kind that editors run when they save.
func TestOwnPrompts(t *testing.T) {
	r := newRig(t, setup{files: before, script: quiet, options: obj{"prompts": []obj{
		{"title": "Translate", "text": "Translate this."},
		{"title": "Tidy", "text": "Tidy up.", "kind": "source.fixAll"},
		{"title": "Ask", "text": "What is it?", "kind": "source.copilot"},
		{"title": "Inline", "text": "Inline this.", "kind": "refactor.inline"},
		{"title": "Nothing"},
	}}})
	u := r.open(r.dir + "/a.txt")
	var got []string
	for _, a := range r.actions(u, at(1, 2), nil) {
		got = append(got, a.Title+" "+a.Kind)
	}
	if want := []string{"Translate refactor.rewrite", "Tidy refactor.rewrite", "Ask source.copilot", "Inline refactor.inline"}; !slices.Equal(got, want) {
		t.Errorf("actions %q, want %q", got, want)
	}
}

// TestCommentPrompts guards which comments are prompts.
func TestCommentPrompts(t *testing.T) {
	for line, want := range map[string]string{
		"// copilot: make it faster":       "make it faster",
		"\t# Copilot: make it faster ":     "make it faster",
		"-- copilot:make it faster":        "make it faster",
		"/* copilot: make it faster */":    "make it faster",
		"<!-- copilot: make it faster -->": "make it faster",
		";; copilot: a: b":                 "a: b",
		"% copilot: x":                     "x",
		"copilot: no comment":              "",
		"x = 1 // copilot: not alone":      "",
		"// copilot:":                      "",
		"// copilots: x":                   "",
	} {
		got := ""
		if m := commentPrompt.FindStringSubmatch(line); m != nil {
			got = m[1]
		}
		if got != want {
			t.Errorf("%q asks %q, want %q", line, got, want)
		}
	}
}

// TestCommentUnderTheCursor guards the action: it is found in the unsaved text and names its line.
func TestCommentUnderTheCursor(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.go": "package a\n"}, script: `
expect@turn session/prompt {"prompt":[{"type":"text","text":"re:(?s)add a test.*line 2 of .*a.go"},{"type":"resource_link"},{"type":"resource"}]}
reply@turn {"stopReason":"end_turn"}
mark heard
`})
	u := r.open(r.dir + "/a.go")
	r.type_(u, "package a\n// copilot: add a test\n")
	list := r.actions(u, extent{pos{1, 5}, pos{1, 5}}, nil)
	r.run(list, "Copilot: add a test")
	if err := r.agent(0).Await(t.Context(), "heard"); err != nil {
		t.Fatal(err)
	}
}

// TestSelectionFollowsCodeActions guards all that plain LSP knows of a cursor: without a workspace folder a session is
// opened where the user was last.
func TestSelectionFollowsCodeActions(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"one/a.txt": "a\n", "two/b.txt": "b\n"}, noFolder: true, scripts: []string{`
handshake
stub session/close
expect session/new {"cwd":"$dir/two"}
reply {"sessionId":"s1"}
expect@turn session/prompt
reply@turn {"stopReason":"end_turn"}
`}})
	r.actions(r.open(r.dir+"/two/b.txt"), at(0, 1), nil)
	r.open(r.dir + "/one/a.txt")
	r.turn("go")
}

// TestThePluginsFocusIsWhereTheUserIs: where a plugin tells of it, code actions that it asks for elsewhere do not count.
func TestThePluginsFocusIsWhereTheUserIs(t *testing.T) {
	r := newRig(t, setup{rich: []string{"focus"}, files: map[string]string{"one/a.txt": "a\n", "two/b.txt": "b\n"}, noFolder: true, scripts: []string{`
handshake
stub session/close
expect session/new {"cwd":"$dir/two"}
reply {"sessionId":"s1"}
expect@turn session/prompt
reply@turn {"stopReason":"end_turn"}
`}})
	r.notify(prefix+"focus/didChange", obj{"uri": r.open(r.dir + "/two/b.txt"), "selections": []any{at(0, 1)}})
	r.actions(r.open(r.dir+"/one/a.txt"), at(0, 1), nil)
	r.turn("go")
}

// TestConflictAndFailure guards where they are shown, that a conflict stands for its failed call, and that both go with
// the next turn.
func TestConflictAndFailure(t *testing.T) {
	r := newRig(t, setup{files: before, script: `
expect@turn session/prompt
request fs/read_text_file {"sessionId":"$session","path":"$dir/a.txt"}
answer
mark read
wait typed
update tool_call {"toolCallId":"1","title":"Edit a.txt","status":"in_progress","locations":[{"path":"$dir/a.txt","line":2}]}
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"one\nTWO\nthree\nfour\nfive\n"}
refused
update tool_call_update {"toolCallId":"1","status":"failed"}
update tool_call {"toolCallId":"2","title":"Look up \u001b[1mit","status":"in_progress","locations":[{"path":"$dir/b.txt","line":2}]}
update tool_call_update {"toolCallId":"2","status":"failed","content":[{"type":"content","content":{"type":"text","text":"no such\nthing"}}]}
reply@turn {"stopReason":"end_turn"}
expect@turn session/prompt
reply@turn {"stopReason":"end_turn"}
`})
	r.put(t, "b.txt", "a\nb\nc\n")
	r.allowing("Allow once")
	a, b := r.open(r.dir+"/a.txt"), r.open(r.dir+"/b.txt")
	turn := r.prompt("change it")
	if err := r.agent(0).Await(t.Context(), "read"); err != nil {
		t.Fatal(err)
	}
	r.type_(a, "one\nmine\nthree\nfour\nfive\n")
	r.hover(a) // a request is answered after the typing was taken in
	r.agent(0).Set("typed")
	r.ends(turn.TurnID)
	d := r.awaitDiagnostics(a, "conflict")[0]
	if d.Severity != 2 || d.Range.Start.Line != 1 || !strings.Contains(d.Message, "Copilot wanted: TWO") {
		t.Errorf("the conflict is %+v", d)
	}
	f := r.awaitDiagnostics(b, "tool-failed")[0]
	if f.Range != (extent{pos{1, 0}, pos{1, 1}}) || f.Message != "Copilot: Look up <U+001B>[1mit failed\nno such⏎thing" {
		t.Errorf("the failure is %+v", f)
	}
	if r.text(a) != "one\nmine\nthree\nfour\nfive\n" {
		t.Errorf("the text is %q", r.text(a))
	}
	r.turn("go on")
	r.awaitDiagnostics(a)
	r.awaitDiagnostics(b)
}

// TestRefusalIsNoFailure guards the user's own no against being shown as something that went wrong.
func TestRefusalIsNoFailure(t *testing.T) {
	r := newRig(t, setup{files: before, script: `
expect@turn session/prompt
request session/request_permission {"sessionId":"$session","toolCall":{"toolCallId":"1","title":"Edit","kind":"edit","locations":[{"path":"$dir/a.txt"}]},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}
answer {"outcome":{"outcome":"selected","optionId":"n"}}
update tool_call {"toolCallId":"1","title":"Edit","status":"failed","locations":[{"path":"$dir/a.txt"}]}
reply@turn {"stopReason":"end_turn"}
`})
	r.allowing("Reject")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	r.command("status", obj{}, nil)
	r.awaitDiagnostics(u)
	if got := r.sent("textDocument/publishDiagnostics"); len(got) > 0 {
		t.Errorf("published %s", got)
	}
}

// hover asks for a hover at the start of a file.
func (r *rig) hover(u string) (raw json.RawMessage) {
	r.t.Helper()
	r.call("textDocument/hover", obj{"textDocument": obj{"uri": u}, "position": pos{}}, &raw)
	return raw
}
