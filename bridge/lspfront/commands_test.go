package lspfront

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
)

const quiet = "expect@turn session/prompt\nreply@turn {\"stopReason\":\"end_turn\"}\n"

// TestCommandsAreListed guards Neovim and Helix, which run no command that is not listed, and the setting for editors
// that register their own.
func TestCommandsAreListed(t *testing.T) {
	for _, listed := range []bool{true, false} {
		s := &server{config: newConfig(bridge.Config{})}
		if !listed {
			s.config.set([]byte(`{"registerCommands": false}`), nil)
		}
		got := s.capabilities().Capabilities.ExecuteCommandProvider.Commands
		if listed && !slices.Equal(got, commandNames()) || !listed && len(got) > 0 {
			t.Errorf("listed %v: %q", listed, got)
		}
	}
	for _, name := range strings.Fields("prompt cancel queue editQueued sendAgain allow reject keep undo keepAll undoAll undoTurn nextHunk showTranscript showDiff newSession resume setMode setOption signIn status restartAgent") {
		if !slices.Contains(commandNames(), commandPrefix+name) {
			t.Errorf("there is no command %s", name)
		}
	}
}

// TestCommandsThatAreWrong guards that people are told what would be right.
func TestCommandsThatAreWrong(t *testing.T) {
	r := newRig(t, setup{script: quiet})
	for _, c := range []struct {
		command string
		args    []any
		says    string
	}{
		{"copilot-bridge.nothing", nil, "copilot-bridge.prompt"},
		{"other.prompt", nil, "no command"},
		{"copilot-bridge.prompt", nil, "text"},
		{"copilot-bridge.prompt", []any{"hello"}, "one object"},
		{"copilot-bridge.prompt", []any{obj{"txt": "hello"}}, "txt"},
		{"copilot-bridge.prompt", []any{obj{"text": "x", "uri": "untitled:1"}}, "uri"},
		{"copilot-bridge.prompt", []any{obj{"text": "x"}, obj{}}, "one object"},
		{"copilot-bridge.allow", []any{obj{"scope": "forever"}}, "scope"},
		{"copilot-bridge.allow", nil, "asks nothing"},
		{"copilot-bridge.setMode", nil, "which mode"},
		{"copilot-bridge.setOption", []any{obj{"id": "x"}}, "value"},
		{"copilot-bridge.resume", nil, "no other session"},
		{"copilot-bridge.keepAll", []any{obj{"uri": "http://x/y"}}, "http"},
	} {
		if text := r.fails(-32602, "workspace/executeCommand", obj{"command": c.command, "arguments": c.args}); !strings.Contains(text, c.says) {
			t.Errorf("%s %v: the error says %q, want %q in it", c.command, c.args, text, c.says)
		}
	}
}

// TestPromptAnswersWithoutTheAgent guards editors that stand still while a command runs: the answer does not wait for
// the agent's start, and the second prompt goes to the same session.
func TestPromptAnswersWithoutTheAgent(t *testing.T) {
	r := newRig(t, setup{scripts: []string{"wait go\n" + opening + quiet + quiet}})
	a := r.prompt("one")
	b := r.prompt("two")
	if a.SessionID != b.SessionID || a.TurnID == b.TurnID {
		t.Errorf("answers %+v and %+v", a, b)
	}
	r.agent(0).Set("go")
	r.ends(a.TurnID)
	r.ends(b.TurnID)
}

// TestPromptWithASelection guards that the agent gets the lines that were meant.
func TestPromptWithASelection(t *testing.T) {
	r := newRig(t, setup{files: before, script: `
expect@turn session/prompt {"prompt":[{"type":"text","text":"fix"},{"type":"resource","resource":{"text":"two\nthree\n"}}]}
reply@turn {"stopReason":"end_turn"}
`})
	u := r.open(r.dir + "/a.txt")
	var a promptAnswer
	r.command("prompt", obj{"text": "fix", "uri": u, "range": at(1, 3)}, &a)
	r.ends(a.TurnID)
}

// TestBlindCommandsMeanTheOldest guards that everything can be typed without an id.
func TestBlindCommandsMeanTheOldest(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "a\n", "b.txt": "b\n"}, script: `
expect@turn session/prompt
request fs/write_text_file {"sessionId":"$session","path":"$dir/b.txt","content":"B\n"}
answer
reply@turn {"stopReason":"end_turn"}
expect@turn session/prompt
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"A\n"}
answer
reply@turn {"stopReason":"end_turn"}
`})
	r.allowing("Allow once")
	a, b := r.open(r.dir+"/a.txt"), r.open(r.dir+"/b.txt")
	r.turn("first b")
	r.turn("then a")
	r.awaitDiagnostics(a, "pending-edit")
	r.awaitDiagnostics(b, "pending-edit")
	var place hunkPlace
	r.command("nextHunk", obj{}, &place)
	if place.URI != a || place.Range != (wireRange{wirePosition{0, 0}, wirePosition{1, 0}}) {
		t.Errorf("the first hunk is at %+v", place)
	}
	show := string(r.awaitSent("window/showDocument", 1))
	if !strings.Contains(show, a) || !strings.Contains(show, `"takeFocus":true`) || !strings.Contains(show, `"selection"`) {
		t.Errorf("shown: %s", show)
	}
	for _, want := range []string{b, a} {
		if r.command("nextHunk", obj{}, &place); place.URI != want {
			t.Errorf("the next hunk is in %s, want %s", place.URI, want)
		}
	}
	var diff shown
	r.command("showDiff", obj{}, &diff)
	text, err := os.ReadFile(r.state + "/pending.diff")
	if err != nil || !strings.Contains(string(text), "-a\n+A\n") || !strings.Contains(string(text), "-b\n+B\n") {
		t.Errorf("the diff is %q %v", text, err)
	}
	if fi, err := os.Stat(r.state + "/pending.diff"); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
		t.Errorf("the diff's mode: %v %v", fi.Mode(), err)
	}
	r.command("undoTurn", obj{}, nil) // the older turn
	r.awaitText(b, "b\n")
	r.awaitDiagnostics(b)
	r.command("keep", obj{}, nil)
	r.awaitDiagnostics(a)
	if r.text(a) != "A\n" {
		t.Errorf("a is %q", r.text(a))
	}
	r.command("nextHunk", obj{}, nil)
	if m := string(r.awaitSent("window/showMessage", 1)); !strings.Contains(m, "nothing is left to review") {
		t.Errorf("the user is told %s", m)
	}
	r.command("keepAll", obj{}, nil)
	r.command("undoAll", obj{}, nil) // nothing is left, and that is no failure
}

// TestSessionsByCommand guards newSession, resume and where prompts go.
func TestSessionsByCommand(t *testing.T) {
	r := newRig(t, setup{scripts: []string{"handshake\nstub session/close\nignore session/cancel\nsession s1\n" + quiet + "session s2\n" + quiet + quiet}})
	one := r.turn("in the first")
	var two sessionParams
	r.command("newSession", obj{}, &two)
	if got := r.turn("in the second"); got.SessionID != two.SessionID || got.SessionID == one.SessionID {
		t.Errorf("the prompt went to %s, the sessions are %s and %s", got.SessionID, one.SessionID, two.SessionID)
	}
	var back sessionParams
	r.command("resume", obj{}, &back)
	if back.SessionID != one.SessionID {
		t.Errorf("resumed %s, want %s", back.SessionID, one.SessionID)
	}
	var st statusAnswer
	for st.SessionID != one.SessionID { // resume goes on behind the answer
		r.command("status", obj{}, &st)
	}
	if got := r.turn("in the first again"); got.SessionID != one.SessionID {
		t.Errorf("the prompt went to %s", got.SessionID)
	}
	if st.Agent != "Scripted agent 1.0.0" && st.Agent != "scripted 1.0.0" {
		t.Errorf("status %+v", st)
	}
}

// TestModesAndOptionsByCommand guards what is set, and that a failure is said.
func TestModesAndOptionsByCommand(t *testing.T) {
	r := newRig(t, setup{scripts: []string{`
handshake
stub session/close
ignore session/cancel
expect session/new
set session s1
reply {"sessionId":"s1","modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]}}
expect session/set_mode {"modeId":"b"}
reply
expect session/set_config_option {"configId":"model","value":"x"}
fail -32602 no such model
mark over
`}})
	r.command("setMode", obj{"id": "b"}, nil)
	if text := r.untilModes(); !strings.Contains(text, "a, b") {
		t.Errorf("the modes are not named: %q", text)
	}
	r.command("setOption", obj{"id": "model", "value": "x"}, nil)
	if err := r.agent(0).Await(t.Context(), "over"); err != nil {
		t.Fatal(err)
	}
	if m := string(r.awaitSent("window/showMessage", 1)); !strings.Contains(m, "no such model") {
		t.Errorf("the user is told %s", m)
	}
}

// untilModes asks for the modes until the agent has said which it has.
func (r *rig) untilModes() (text string) {
	for !strings.Contains(text, "one of") {
		text = r.fails(-32602, "workspace/executeCommand", obj{"command": "copilot-bridge.setMode"})
	}
	return text
}

// TestRestartByCommand guards that the user hears of it.
func TestRestartByCommand(t *testing.T) {
	r := newRig(t, setup{scripts: []string{"handshake\n"}})
	r.command("restartAgent", obj{}, nil)
	if m := string(r.awaitSent("window/showMessage", 1)); !strings.Contains(m, "was restarted") {
		t.Errorf("the user is told %s", m)
	}
}

// TestSignedOut guards one message a prompt that names the command.
func TestSignedOut(t *testing.T) {
	out := "handshake {\"protocolVersion\":1,\"authMethods\":[{\"id\":\"login\",\"name\":\"Log in\",\"description\":\"run copilot login\"}]}\nstub session/close\nignore session/cancel\nexpect session/new\nfail -32000 Authentication required\n"
	r := newRig(t, setup{scripts: []string{out, out}})
	r.turn("one")
	r.turn("two")
	r.command("status", obj{}, nil) // its message is the last one
	r.wait("the status", func() bool {
		got := r.of("window/showMessage")
		return len(got) > 0 && !strings.Contains(string(got[len(got)-1]), "sign")
	})
	n := 0
	for _, m := range r.sent("window/showMessage") {
		if strings.Contains(string(m), "signed in") {
			n++
		}
	}
	if n != 2 {
		t.Errorf("the user was told %d times of 2 prompts that failed", n)
	}
}

// TestASignInThatExpires guards that a session whose sign-in has expired costs one message and one start of the agent:
// after the login the prompt is there to be sent again, in the same session, and nothing is offered or sent by itself.
func TestASignInThatExpires(t *testing.T) {
	const methods = `{"protocolVersion":1,"agentCapabilities":{"loadSession":true},"authMethods":[{"id":"login","name":"Log in","description":"run copilot login"}]}`
	r := newRig(t, setup{scripts: []string{
		"handshake " + methods + "\nstub session/close\nignore session/cancel\nsession s1\nexpect session/prompt\nreply {\"stopReason\":\"end_turn\"}\nexpect session/prompt\nfail -32000 Authentication required\neof",
		comesBack + "expect@turn session/prompt {\"prompt\":[{\"text\":\"two\"}]}\nreply@turn {\"stopReason\":\"end_turn\"}\nexpect@turn session/prompt {\"prompt\":[{\"text\":\"three\"}]}\nreply@turn {\"stopReason\":\"end_turn\"}\n",
	}})
	r.turn("one")
	r.turn("two")
	m := string(r.awaitSent("window/showMessage", 1))
	if !strings.Contains(m, "not signed in") || strings.Contains(m, "opilot") { // it is another agent, and says nothing of how
		t.Errorf("told %s", m)
	}
	var a promptAnswer
	r.command("sendAgain", obj{}, &a) // after the login
	r.ends(a.TurnID)
	r.turn("three")
	if n := len(r.sent("window/showMessage")); n != 1 {
		t.Errorf("%d messages: %s", n, r.sent("window/showMessage"))
	}
	if n := len(r.sent("window/showMessageRequest")); n != 0 {
		t.Errorf("%d questions", n)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.agents) != 2 {
		t.Errorf("%d agents were started", len(r.agents))
	}
}

// TestFailedTurn guards one short message for a turn that failed.
func TestFailedTurn(t *testing.T) {
	r := newRig(t, setup{script: "expect@turn session/prompt\nfail@turn -32603 the model is \\u001b[31mgone" + strings.Repeat(" and gone", 60) + "\n"})
	r.turn("go")
	m := decode[struct{ Message string }](t, r.awaitSent("window/showMessage", 1))
	if !strings.Contains(m.Message, "gone") || len([]rune(m.Message)) > plain.MaxMessageText || strings.Contains(m.Message, "\x1b") {
		t.Errorf("the user is told %q", m.Message)
	}
	r.command("status", obj{}, nil)
	r.awaitSent("window/showMessage", 2)
	if n := len(r.sent("window/showMessage")); n != 2 {
		t.Errorf("%d messages", n)
	}
}

// TestCommandsInTheMiddleOfATurn guards that an answer never waits for a turn.
func TestCommandsInTheMiddleOfATurn(t *testing.T) {
	r := newRig(t, setup{script: "expect@turn session/prompt\nmark running\nwait stop\nreply@turn {\"stopReason\":\"end_turn\"}\n"})
	a := r.prompt("go")
	if err := r.agent(0).Await(t.Context(), "running"); err != nil {
		t.Fatal(err)
	}
	r.awaitReports(`"copilot-bridge/`+a.TurnID+`"`, "begin")
	var st statusAnswer
	r.command("status", obj{}, &st)
	if !slices.Equal(st.Turns, []string{a.TurnID}) {
		t.Errorf("status %+v", st)
	}
	list := r.actions(uriOf(r.dir+"/x.txt"), extent{}, nil)
	if !slices.Contains(titles(list), "Cancel Copilot's turn") {
		t.Errorf("actions %q", titles(list))
	}
	r.agent(0).Set("stop")
	r.ends(a.TurnID)
}
