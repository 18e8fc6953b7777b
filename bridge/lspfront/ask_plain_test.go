package lspfront

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// picks answers window/showMessageRequest with the action of a title, which may say beside it what it is for; null if there is none.
func picks(title string) handler {
	return func(params json.RawMessage, _ <-chan struct{}) (any, *rpcError) {
		var p struct{ Actions []struct{ Title string } }
		json.Unmarshal(params, &p)
		for _, a := range p.Actions {
			if a.Title == title || strings.HasPrefix(a.Title, title+" edits to ") || strings.HasPrefix(a.Title, title+" this ") {
				return obj{"title": a.Title}, nil
			}
		}
		return nil, nil
	}
}

// never answers when the server takes the question back, as an editor does whose user is away.
func never(_ json.RawMessage, gone <-chan struct{}) (any, *rpcError) {
	<-gone
	return nil, &rpcError{Code: -32800, Message: "cancelled"}
}

// mute is an editor without window/showMessageRequest (Helix 25.07).
func mute(json.RawMessage, <-chan struct{}) (any, *rpcError) {
	return nil, &rpcError{Code: -32601, Message: "method not found"}
}

// asks is a turn in which the agent asks for one write and hears the answer.
const asks = `
expect@turn session/prompt
request fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"one\nTWO\nthree\nfour\nfive\n"}
`

const (
	heardYes = asks + "answer\nreply@turn {\"stopReason\":\"end_turn\"}\n"
	heardNo  = asks + "refused\nreply@turn {\"stopReason\":\"end_turn\"}\n"
)

// TestQuestionsAreMessages guards what the user is shown: the safe answer first, on one line of at most 300 characters,
// with the whole of it in the log.
func TestQuestionsAreMessages(t *testing.T) {
	r := newRig(t, setup{files: before, script: heardYes})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	q := decode[struct {
		Type    int
		Message string
		Actions []struct{ Title string }
	}](t, r.awaitSent("window/showMessageRequest", 1))
	if q.Type != 2 || !strings.HasPrefix(q.Message, "Copilot asks: Edit a.txt (+1 -1)") || strings.Contains(q.Message, "\n") || len(q.Message) > 300 {
		t.Errorf("the question is %+v", q)
	}
	var got []string
	for _, a := range q.Actions {
		got = append(got, a.Title)
	}
	if want := []string{"Reject", "Allow once", "Always allow edits to a.txt", "Allow edits in this session"}; !slices.Equal(got, want) {
		t.Errorf("actions %q, want %q", got, want)
	}
	if whole := string(r.awaitSent("window/logMessage", 1)); !strings.Contains(whole, `-two\n+TWO`) {
		t.Errorf("the log has %s", whole)
	}
	r.awaitDiagnostics(u, "pending-edit")
}

// TestNoAlwaysWhereNothingMayBeRemembered guards control files.
func TestNoAlwaysWhereNothingMayBeRemembered(t *testing.T) {
	r := newRig(t, setup{script: strings.ReplaceAll(heardNo, "a.txt", ".git/config")})
	r.allowing("Reject")
	r.turn("change it")
	q := string(r.awaitSent("window/showMessageRequest", 1))
	if strings.Contains(q, "Always allow") || !strings.Contains(q, `"Reject"`) {
		t.Errorf("the question is %s", q)
	}
}

// TestWhatIsNoYes guards that nothing but the chosen action is a yes.
func TestWhatIsNoYes(t *testing.T) {
	for name, h := range map[string]handler{
		"rejected":      picks("Reject"),
		"closed":        picks("there is no such action"),
		"another title": func(json.RawMessage, <-chan struct{}) (any, *rpcError) { return obj{"title": "allow once"}, nil },
		"no title":      func(json.RawMessage, <-chan struct{}) (any, *rpcError) { return obj{}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{files: before, script: heardNo})
			r.on("window/showMessageRequest", h)
			u := r.open(r.dir + "/a.txt")
			r.turn("change it")
			if r.text(u) != before["a.txt"] {
				t.Errorf("the text is %q", r.text(u))
			}
		})
	}
}

// TestClosedQuestionsMayStay guards onDismiss: keepPending.
func TestClosedQuestionsMayStay(t *testing.T) {
	r := newRig(t, setup{files: before, script: heardYes, options: obj{"onDismiss": "keepPending"}})
	r.allowing("")
	u := r.open(r.dir + "/a.txt")
	a := r.prompt("change it")
	d := r.awaitDiagnostics(u, "permission")[0]
	if d.Severity != 2 || d.Range.Start.Line != 1 || !strings.Contains(d.Message, "Edit a.txt") {
		t.Errorf("the diagnostic is %+v", d)
	}
	r.command("allow", obj{}, nil)
	r.ends(a.TurnID)
	r.awaitDiagnostics(u, "pending-edit")
}

// TestAQuestionThatNobodySeesIsADiagnosticAsWell: ALE 3.3 never answers window/showMessageRequest, and an editor that does not say that
// it has messages with buttons may show none. The message stays, and either answer counts.
func TestAQuestionThatNobodySeesIsADiagnosticAsWell(t *testing.T) {
	for name, without := range map[string][]string{"an editor that is silent": nil, "an editor that does not say that it has messages": {"window.showMessage"}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{files: before, script: heardYes, without: without})
			r.on("window/showMessageRequest", never)
			u := r.open(r.dir + "/a.txt")
			a := r.prompt("change it")
			r.awaitSent("window/showMessageRequest", 1)
			if without == nil {
				if n := len(r.sent("window/showMessage")); n > 0 {
					t.Errorf("the user is told %d things before the time", n)
				}
				r.clock.advance(10 * time.Second)
				if m := string(r.awaitSent("window/showMessage", 1)); !strings.Contains(m, "copilot-bridge.allow") {
					t.Errorf("the user is told %s", m)
				}
			}
			r.awaitDiagnostics(u, "permission")
			r.command("allow", obj{}, nil)
			r.ends(a.TurnID)
		})
	}
}

// TestEditorWithoutQuestions guards the way round window/showMessageRequest: it is tried once, then questions are
// diagnostics with quick-fixes and two commands.
func TestEditorWithoutQuestions(t *testing.T) {
	r := newRig(t, setup{files: before, script: heardNo + heardYes})
	r.on("window/showMessageRequest", mute)
	u := r.open(r.dir + "/a.txt")
	a := r.prompt("change it")
	d := r.awaitDiagnostics(u, "permission")[0]
	if m := string(r.awaitSent("window/showMessage", 1)); !strings.Contains(m, "copilot-bridge.allow") {
		t.Errorf("the user is told %s", m)
	}
	list := r.actions(u, d.Range, obj{"diagnostics": []any{}, "triggerKind": 2})
	want := []string{"Reject: Edit a.txt", "Allow once: Edit a.txt", "Always allow edits to a.txt: Edit a.txt", "Allow edits in this session: Edit a.txt"}
	if !slices.Equal(titles(list), want) {
		t.Errorf("quick-fixes %q, want %q", titles(list), want)
	}
	if list := r.actions(u, at(3, 4), obj{"diagnostics": []any{}, "triggerKind": 2}); len(list) > 0 {
		t.Errorf("elsewhere there are %q", titles(list))
	}
	r.run(list, want[0])
	r.ends(a.TurnID)
	r.awaitDiagnostics(u)

	b := r.prompt("change it again")
	d = r.awaitDiagnostics(u, "permission")[0]
	r.run(r.actions(u, d.Range, nil), want[1])
	r.ends(b.TurnID)
	r.awaitDiagnostics(u, "pending-edit")
	if n := len(r.sent("window/showMessageRequest")); n != 1 {
		t.Errorf("asked %d times for what the editor does not have", n)
	}
}

// TestOneQuestionAtATime guards Helix, where a second question takes the place of the first.
func TestOneQuestionAtATime(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "a\n", "b.txt": "b\n"}, script: `
expect@turn session/prompt
request@a fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"A\n"}
request@b fs/write_text_file {"sessionId":"$session","path":"$dir/b.txt","content":"B\n"}
answer@a
answer@b
reply@turn {"stopReason":"end_turn"}
`})
	open := make(chan struct{}, 2)
	next := make(chan struct{})
	r.on("window/showMessageRequest", func(json.RawMessage, <-chan struct{}) (any, *rpcError) {
		open <- struct{}{}
		<-next
		<-open
		return obj{"title": "Allow once"}, nil
	})
	a := r.prompt("change both")
	r.wait("two questions in the log", func() bool { return len(r.of("window/logMessage")) == 2 })
	r.awaitSent("window/showMessageRequest", 1)
	if n := len(r.sent("window/showMessageRequest")); n != 1 || len(open) > 1 {
		t.Errorf("%d questions are on the screen", n)
	}
	close(next)
	r.ends(a.TurnID)
}

// TestCommandAnswersAnOpenQuestion guards those who type the answer while the message is up: it is taken back.
func TestCommandAnswersAnOpenQuestion(t *testing.T) {
	r := newRig(t, setup{files: before, script: heardYes})
	r.on("window/showMessageRequest", never)
	u := r.open(r.dir + "/a.txt")
	a := r.prompt("change it")
	r.awaitSent("window/showMessageRequest", 1)
	if text := r.fails(-32602, "workspace/executeCommand", obj{"command": "copilot-bridge.allow", "arguments": []any{obj{"id": "q-x"}}}); !strings.Contains(text, "q-x") {
		t.Errorf("the error says %q", text)
	}
	r.command("allow", obj{"scope": "always"}, nil)
	r.awaitSent("$/cancelRequest", 1)
	r.ends(a.TurnID)
	r.awaitDiagnostics(u, "pending-edit")
	grants, err := os.ReadFile(r.state + "/permissions.json")
	if err != nil || !strings.Contains(string(grants), "a.txt") {
		t.Errorf("always was not remembered: %s %v", grants, err)
	}
}

// TestRejectCommand guards the blind no.
func TestRejectCommand(t *testing.T) {
	r := newRig(t, setup{files: before, script: heardNo})
	r.on("window/showMessageRequest", never)
	a := r.prompt("change it")
	r.awaitSent("window/showMessageRequest", 1)
	r.command("reject", obj{}, nil)
	r.ends(a.TurnID)
	r.fails(-32602, "workspace/executeCommand", obj{"command": "copilot-bridge.reject"})
}

// TestANoHasWords: what the user says with a no is what the agent reads, as in the rich tier; a yes has none.
func TestANoHasWords(t *testing.T) {
	r := newRig(t, setup{files: before, script: asks + "refused\nset why @error.message\nsay $why\nreply@turn {\"stopReason\":\"end_turn\"}\n", rich: []string{"updates"}})
	r.on("window/showMessageRequest", never)
	r.prompt("change it")
	r.awaitSent("window/showMessageRequest", 1)
	for _, arg := range []obj{{"words": "use the helper"}, {"option": "allow_once", "words": "use the helper"}} {
		if text := r.fails(-32602, "workspace/executeCommand", obj{"command": "copilot-bridge.allow", "arguments": []any{arg}}); !strings.Contains(text, "words") {
			t.Errorf("the error says %q", text)
		}
	}
	r.command("reject", obj{"words": "use the helper"}, nil)
	r.awaitSent("copilot-bridge/turn/ended", 1)
	var said strings.Builder
	for _, u := range r.sent("copilot-bridge/session/update") {
		said.Write(u)
	}
	if !strings.Contains(said.String(), "The user declined this and said: use the helper") {
		t.Errorf("the agent was told %s", said.String())
	}
}

// TestCancelTakesQuestionsBack guards the editor against a question that nobody waits for, and the file against an
// answer that comes too late.
func TestCancelTakesQuestionsBack(t *testing.T) {
	r := newRig(t, setup{files: before, script: asks + "refused\nreply@turn {\"stopReason\":\"cancelled\"}\n"})
	r.on("window/showMessageRequest", never)
	u := r.open(r.dir + "/a.txt")
	a := r.prompt("change it")
	r.awaitSent("window/showMessageRequest", 1)
	r.command("cancel", obj{}, nil)
	r.awaitSent("$/cancelRequest", 1)
	r.ends(a.TurnID)
	if r.text(u) != before["a.txt"] {
		t.Errorf("the text is %q", r.text(u))
	}
}

// TestPluginThatCannotAsk guards the fall from the plugin's question to the plain one, and that it stays.
func TestPluginThatCannotAsk(t *testing.T) {
	r := newRig(t, setup{files: before, script: heardYes, rich: []string{"permission"}})
	r.on("copilot-bridge/permission/request", func(json.RawMessage, <-chan struct{}) (any, *rpcError) {
		return nil, &rpcError{Code: -32603, Message: "boom"}
	})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	r.awaitDiagnostics(u, "pending-edit")
}
