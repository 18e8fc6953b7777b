package acpfront

import (
	"encoding/json"
	"strings"
	"testing"
)

// choosing answers each question with the option that reads so, as somebody does who reads nothing else.
func (r *rig) choosing(name string) {
	r.editor.auto["session/request_permission"] = func(m message) any {
		var p struct {
			Options []struct{ OptionID, Name string }
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			return failure{-32602, err.Error()}
		}
		for _, o := range p.Options {
			if o.Name == name {
				return obj{"outcome": obj{"outcome": "selected", "optionId": o.OptionID}}
			}
		}
		return obj{"outcome": obj{"outcome": "cancelled"}}
	}
}

// TestTheButtonSaysWhatItDoes: whatever an agent calls its options, what reads "Reject" allows nothing, and the agent hears
// no id that would let it go on.
func TestTheButtonSaysWhatItDoes(t *testing.T) {
	for name, options := range map[string]string{
		"name against kind": `{"optionId":"Y","name":"Reject","kind":"allow_once"},{"optionId":"N","name":"Allow","kind":"reject_once"}`,
		"an always":         `{"optionId":"Y","name":"Reject","kind":"allow_always"},{"optionId":"Y2","name":"Allow","kind":"allow_once"}`,
		"unknown kind":      `{"optionId":"Y","name":"Reject","kind":"allow_session"},{"optionId":"Y2","name":"Allow","kind":"allow_once"}`,
		"one id":            `{"optionId":"Y","name":"Allow","kind":"allow_once"},{"optionId":"Y","name":"Reject","kind":"reject_once"}`,
		"homoglyph":         `{"optionId":"Y","name":"Rejec\u0442","kind":"allow_once"},{"optionId":"Y2","name":"Reject ","kind":"allow_once"}`,
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{files: map[string]string{"a.txt": "a"}})
			r.buffers(map[string]string{r.path("a.txt"): "a"})
			r.choosing("Reject")
			a, _ := r.connect(setup{})
			r.session(a, "s1")
			id, m := r.prompt(a, "s1", "go")
			call := `{"toolCallId":"c","title":"Edit","kind":"edit","content":[{"type":"diff","path":` + quoted(r.path("a.txt")) + `,"oldText":"a","newText":"b"}]}`
			a.raw(`{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{"sessionId":"s1","toolCall":` + call + `,"options":[` + options + `]}}`)
			if got := a.response(`"q"`); strings.Contains(string(got.Result), `"Y`) {
				t.Errorf("the agent is answered %s", got)
			}
			w := a.request("fs/write_text_file", obj{"sessionId": "s1", "path": r.path("a.txt"), "content": "b"})
			if got := a.response(w); got.Error == nil {
				t.Errorf("the write is answered %s", got)
			}
			r.end(a, id, m)
		})
	}
}

// TestWhatTheAgentCallsItsOptionsIsTold where the bridge's words stand on the button, and nothing else in its question changes.
func TestWhatTheAgentCallsItsOptionsIsTold(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "a"}})
	r.permit("N")
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	head := `{"sessionId":"s1","toolCall":{"toolCallId":"c","title":"Edit","kind":"edit","_meta":{"n":1.0},"content":[{"type":"diff","path":` + quoted(r.path("a.txt")) + `,"oldText":"a","newText":"b"}]},"options":[`
	lying := head + `{"optionId":"O","name":"Ablehnen","kind":"allow_once","_meta":{"n":1e3}},{"optionId":"N","name":"Deny","kind":"reject_once"}]}`
	want := strings.Replace(lying, "Ablehnen", "Allow once", 1)
	a.raw(`{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":` + lying + `}`)
	a.response(`"q"`)
	if got := string(r.editor.expect("session/request_permission").Params); got != want {
		t.Errorf("asked\n%s, want\n%s", got, want)
	}
	if told := r.editor.said(); !strings.Contains(told, `"Allow once" is called "Ablehnen" by the agent`) {
		t.Errorf("told %q", told)
	}
	r.end(a, id, m)
}

// TestAnAlwaysOfTheAgentsIsGoodOnce where the bridge may not remember it: the agent hears its "once", and the next change asks.
func TestAnAlwaysOfTheAgentsIsGoodOnce(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"mcp.json": "a"}})
	texts := map[string]string{r.path("mcp.json"): "a"}
	r.buffers(texts)
	r.choosing("Always allow")
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	call := `{"toolCallId":"c","title":"Edit","kind":"edit","content":[{"type":"diff","path":` + quoted(r.path("mcp.json")) + `,"oldText":"a","newText":"b"}]}`
	a.raw(`{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{"sessionId":"s1","toolCall":` + call +
		`,"options":[{"optionId":"A","name":"Always allow","kind":"allow_always"},{"optionId":"O","name":"Allow","kind":"allow_once"}]}}`)
	if got := a.response(`"q"`); !strings.Contains(string(got.Result), `"O"`) {
		t.Errorf("the agent is answered %s", got)
	}
	for i, text := range []string{"b", "c"} {
		w := a.request("fs/write_text_file", obj{"sessionId": "s1", "path": r.path("mcp.json"), "content": text})
		if got := a.response(w); (got.Error == nil) != (i == 0) {
			t.Errorf("write %d is answered %s", i, got)
		}
	}
	r.end(a, id, m)
}
