package acpfront

import (
	"os"
	"strings"
	"testing"
)

// answered sends a prompt that the agent is not to see, and returns what the editor is told meanwhile.
func (r *rig) answered(session, text string) string {
	r.t.Helper()
	before := len(r.editor.said())
	m := r.editor.response(r.editor.request("session/prompt", obj{"sessionId": session, "prompt": []any{obj{"type": "text", "text": text}}}))
	if got := str(m.Result, "stopReason"); got != "end_turn" {
		r.t.Errorf("%s: answered %s %s", text, m.Result, m.Error)
	}
	return r.editor.said()[before:]
}

// TestTheReviewIsASlashCommand: what the agent changed can be looked at, undone and kept in an editor that only speaks ACP.
func TestTheReviewIsASlashCommand(t *testing.T) {
	o := setup{files: map[string]string{"a.txt": "one\n"}}
	r := newRig(t, o)
	r.editor.auto["session/request_permission"] = allowsOnce
	r.buffers(map[string]string{})
	a, _ := r.connect(o)
	r.session(a, "s1")
	a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"compact","description":"d","z":1.0}]}}}`)
	list := string(r.editor.expect("session/update").Params)
	for _, part := range []string{`{"name":"compact","description":"d","z":1.0}`, `"name":"review"`, `"name":"keep"`, `"name":"undo"`} {
		if !strings.Contains(list, part) {
			t.Errorf("the commands are %s", list)
		}
	}
	write := func(text string) {
		id, m := r.prompt(a, "s1", "go")
		a.answerTo("fs/write_text_file", obj{"sessionId": "s1", "path": r.path("a.txt"), "content": text})
		r.end(a, id, m)
	}
	if got := r.answered("s1", "/review"); got != "Nothing is pending." {
		t.Errorf("said %q", got)
	}
	write("two\n")
	if got := r.answered("s1", "/review"); !strings.Contains(got, "a.txt") || !strings.Contains(got, "-one\n+two\n") {
		t.Errorf("said %q", got)
	}
	if got := r.answered("s1", "/undo nothing.txt"); got != "Nothing is pending." {
		t.Errorf("said %q", got)
	}
	if got := r.answered("s1", " /undo a.txt "); got != "Undone: 1 change." {
		t.Errorf("said %q", got)
	}
	if b, err := os.ReadFile(r.path("a.txt")); err != nil || string(b) != "one\n" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	write("three\n")
	if got := r.answered("s1", "/keep"); got != "Kept: 1 change." {
		t.Errorf("said %q", got)
	}
	if got := r.answered("s1", "/review"); got != "Nothing is pending." {
		t.Errorf("said %q", got)
	}
	id, m := r.prompt(a, "s1", "/compact now") // and all others are the agent's
	r.end(a, id, m)
}

// TestACommandOfTheAgentsWins: where the agent has one of that name.
func TestACommandOfTheAgentsWins(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"review","description":"d"}]}}}`)
	if list := string(r.editor.expect("session/update").Params); !strings.Contains(list, `"name":"bridge-review"`) {
		t.Errorf("the commands are %s", list)
	}
	id, m := r.prompt(a, "s1", "/review")
	r.end(a, id, m)
	if got := r.answered("s1", "/bridge-review"); got != "Nothing is pending." {
		t.Errorf("said %q", got)
	}
}

// TestATerminalIsTextForAnEditorWithoutTerminals: the agent was promised terminals, which the bridge has (kimi-code 2.1.0).
func TestATerminalIsTextForAnEditorWithoutTerminals(t *testing.T) {
	for caps, text := range map[string]bool{fsCaps: true, strings.TrimSuffix(fsCaps, "}") + `,"terminal":true}`: false} {
		o := setup{caps: caps}
		r := newRig(t, o)
		r.editor.auto["session/request_permission"] = allowsOnce
		r.editor.auto["terminal/create"] = func(message) any { return obj{"terminalId": "theirs"} }
		r.editor.auto["terminal/wait_for_exit"] = func(message) any { return obj{"exitCode": 0} }
		r.editor.auto["terminal/release"] = func(message) any { return obj{} }
		a, _ := r.connect(o)
		r.session(a, "s1")
		id, m := r.prompt(a, "s1", "go")
		made := a.answerTo("terminal/create", obj{"sessionId": "s1", "command": "echo printed; echo more"})
		terminal := str(made.Result, "terminalId")
		a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c1","title":"echo","kind":"execute","content":[{"type":"terminal","terminalId":` + quoted(terminal) + `}]}}}`)
		a.answerTo("terminal/wait_for_exit", obj{"sessionId": "s1", "terminalId": terminal})
		a.answerTo("terminal/release", obj{"sessionId": "s1", "terminalId": terminal})
		r.end(a, id, m)
		all := strings.Join(r.editor.updates(), "\n")
		if shown := strings.Contains(all, `printed\nmore`) && !strings.Contains(all, `"type":"terminal"`); shown != text {
			t.Errorf("%s: shown as text: %v\n%s", caps, shown, all)
		}
	}
}
