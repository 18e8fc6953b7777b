package acpfront

import (
	"encoding/json"
	"strings"
	"testing"
)

// The editor's own edit of the diff that it was shown is what is written, and the agent hears the difference. What is no text, or
// half a character, is a no.
func TestTheEditorAmendsTheShownDiff(t *testing.T) {
	for name, c := range map[string]struct {
		meta, want string
	}{
		"a text":              {`{"copilot-bridge":{"newText":"the user's\n"}}`, "the user's\n"},
		"of others":           {`{"other":{"newText":"the user's\n"}}`, "agent\n"},
		"the one shown":       {`{"copilot-bridge":{"newText":"agent\n"}}`, "agent\n"},
		"no text":             {`{"copilot-bridge":{"newText":1}}`, "disk\n"},
		"nothing":             {`{"copilot-bridge":{"newText":null}}`, "agent\n"},
		"half of a character": {`{"copilot-bridge":{"newText":"\ud83d\n"}}`, "disk\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, setup{files: map[string]string{"a.txt": "disk\n"}})
			texts := map[string]string{r.path("a.txt"): "disk\n"}
			has := r.buffers(texts)
			r.editor.auto["session/request_permission"] = func(m message) any {
				if !strings.Contains(string(m.Params), `"_meta":{"copilot-bridge":{"amendable":true}}`) {
					t.Errorf("asked %s", m.Params)
				}
				return json.RawMessage(`{"outcome":{"outcome":"selected","optionId":"allow_once"},"_meta":` + c.meta + `}`)
			}
			a, _ := r.connect(setup{})
			r.session(a, "s1")
			id, m := r.prompt(a, "s1", "go")
			a.raw(`{"jsonrpc":"2.0","id":"w","method":"fs/write_text_file","params":{"sessionId":"s1","path":` + quoted(r.path("a.txt")) + `,"content":"agent\n"}}`)
			got := a.response(`"w"`)
			told := strings.Contains(string(got.Error), `-agent\n+the user's`)
			if told != (c.want == "the user's\n") || (len(got.Error) == 0) != (c.want == "agent\n") {
				t.Errorf("the agent hears %+v", got)
			}
			r.end(a, id, m)
			if got := has("a.txt"); got != c.want {
				t.Errorf("the buffer is %q", got)
			}
		})
	}
}
