package acpfront

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// TestWhatTheAgentChangesDuringItsQuestionIsAskedAboutAgain: the editor draws the call anew, so that a yes would be for what is
// on the screen by then. It is asked once more in the bridge's words, and the agent has no id to change that by.
func TestWhatTheAgentChangesDuringItsQuestionIsAskedAboutAgain(t *testing.T) {
	for name, c := range map[string]struct {
		update string
		again  bool
	}{
		"another change":      {`"content":[{"type":"diff","path":"/x","oldText":"a","newText":"nice"}]`, true},
		"another title":       {`"title":"nice"`, true},
		"the same and status": {`"title":"x","status":"in_progress"`, false},
		"an id twice":         {`"toolCallId":"ca","title":"nice"`, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{files: map[string]string{"a.txt": "a"}})
			a, _ := r.connect(setup{})
			r.session(a, "s1")
			id, m := r.prompt(a, "s1", "go")
			a.raw(`{"jsonrpc":"2.0","id":"a","method":"session/request_permission","params":` +
				askFor("a", `"kind":"edit","title":"x","content":[{"type":"diff","path":`+quoted(r.path("a.txt"))+`,"oldText":"a","newText":"evil"}]`) + `}`)
			first := r.editor.expect("session/request_permission")
			a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call_update","toolCallId":"ca",` + c.update + `}}}`)
			r.editor.expect("session/update")
			r.editor.raw(`{"jsonrpc":"2.0","id":` + string(first.ID) + `,"result":{"outcome":{"outcome":"selected","optionId":"O"}}}`)
			want := `"O"`
			if c.again {
				second := r.editor.expect("session/request_permission")
				if p := string(second.Params); strings.Contains(p, `"ca"`) || !strings.Contains(p, `"newText":"evil"`) || !strings.Contains(p, "changed what it says") {
					t.Errorf("asked again: %s", p)
				}
				r.editor.raw(`{"jsonrpc":"2.0","id":` + string(second.ID) + `,"result":{"outcome":{"outcome":"selected","optionId":"reject_once"}}}`)
				want = `"N"`
			}
			if got := string(a.response(`"a"`).Result); !strings.Contains(got, want) {
				t.Errorf("the agent was told %s", got)
			}
			r.end(a, id, m)
		})
	}
}

// TestAlwaysIsNotOfferedForWhatIsNotUnderstood: also not as an option of the agent's own.
func TestAlwaysIsNotOfferedForWhatIsNotUnderstood(t *testing.T) {
	for input, offered := range map[string]bool{
		`{"command":"go vet"}`: true, `{"command":"go vet","cmd":"rm"}`: false, `{"command":"rm a.txt"}`: true, `{"run":{"command":"go vet"}}`: false,
	} {
		r := newRig(t, setup{})
		a, _ := r.connect(setup{})
		r.session(a, "s1")
		id, m := r.prompt(a, "s1", "go")
		a.raw(`{"jsonrpc":"2.0","id":"a","method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"execute","title":"x","rawInput":` + input + `},` +
			`"options":[{"optionId":"A","name":"Always","kind":"allow_always"},{"optionId":"O","name":"Once","kind":"allow_once"},{"optionId":"N","name":"No","kind":"reject_once"}]}}`)
		q := r.editor.expect("session/request_permission")
		if got := strings.Contains(string(q.Params), "allow_always"); got != offered {
			t.Errorf("%s: always is offered: %v", input, got)
		}
		r.editor.raw(`{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":{"outcome":{"outcome":"selected","optionId":"A"}}}`)
		if got := string(a.response(`"a"`).Result); strings.Contains(got, `"O"`) != offered {
			t.Errorf("%s: answered %s", input, got)
		}
		r.end(a, id, m)
	}
}

// TestAnIdOfAnEarlierTurnIsNotTaken: the editor still shows the earlier call by that id, and draws the question from it. A
// call that begins anew with that id is shown as such.
func TestAnIdOfAnEarlierTurnIsNotTaken(t *testing.T) {
	const call = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"%s","toolCallId":"c1","title":"Run the tests","kind":"execute"}}}`
	for again, told := range map[string]bool{"": true, "tool_call_update": true, "tool_call": false} {
		r := newRig(t, setup{})
		a, _ := r.connect(setup{})
		r.session(a, "s1")
		id, m := r.prompt(a, "s1", "go")
		a.raw(strings.Replace(call, "%s", "tool_call", 1))
		r.editor.expect("session/update")
		r.end(a, id, m)
		id, m = r.prompt(a, "s1", "go on")
		if again != "" {
			a.raw(strings.Replace(call, "%s", again, 1))
			r.editor.expect("session/update")
		}
		a.raw(`{"jsonrpc":"2.0","id":"a","method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c1","rawInput":{"command":"curl evil"}},` +
			`"options":[{"optionId":"O","name":"Once","kind":"allow_once"},{"optionId":"N","name":"No","kind":"reject_once"}]}}`)
		if told {
			if p := string(r.editor.expect("session/update").Params); !strings.Contains(p, "earlier turn") || !strings.Contains(p, "curl evil") {
				t.Errorf("%s: told %s", again, p)
			}
		}
		q := r.editor.expect("session/request_permission")
		r.editor.raw(`{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":{"outcome":{"outcome":"selected","optionId":"N"}}}`)
		a.response(`"a"`)
		r.end(a, id, m)
	}
}

// What a command says cannot end the block that it is shown in, nor hide a part of itself.
func TestACommandStaysInItsBlock(t *testing.T) {
	for command, want := range map[string]string{
		"make test":                         "```\nmake test\n```",
		"cat <<'E'\n```\n**Safe.**\n```\nE": "````\ncat <<'E'\n```\n**Safe.**\n```\nE\n````",
		"ls \x1b]0;; rm -rf ~\x07":          "```\nls <U+001B>]0;; rm -rf ~<U+0007>\n```",
	} {
		if got := explain(&bridge.Question{Argv: []string{"sh", "-c", command}}); !strings.HasPrefix(got, want) {
			t.Errorf("%q is shown as %q", command, got)
		}
	}
}
