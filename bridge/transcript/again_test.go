package transcript

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// TestAMessageThatIsSentAgainIsSeenOnce: one that was cut off, by a failure or a crash, gives way to its repetition, also
// after a restart; what was answered, and another message, does not.
func TestAMessageThatIsSentAgainIsSeenOnce(t *testing.T) {
	const fails = "err broken\nexit 1"
	for name, c := range map[string]struct {
		help    string
		restart bool
		text    string
		again   bool
		want    string
	}{
		"the same words":                  {old, false, "do it", false, "Previous conversation:\nUser: before\nAssistant: fine\n\nUser: do it"},
		"after a restart":                 {old, true, "do it", false, "Previous conversation:\nUser: before\nAssistant: fine\n\nUser: do it"},
		"offered again, with other files": {old, true, "do it\na.txt: unsaved", true, "Previous conversation:\nUser: before\nAssistant: fine\n\nUser: do it\na.txt: unsaved"},
		"another message":                 {old, true, "no, that", false, "Previous conversation:\nUser: before\nAssistant: fine\nUser: do it\n\nUser: no, that"},
		"into a session of its own":       {modern, false, "do it", false, "do it"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, c.help, nil, `bytes "fine\n"`, fails)
			if c.help == modern {
				r.put("always", `say {"type":"assistant.message","data":{"messageId":"n","content":"fine"}}`)
				r.put("1", readScript(r, "always"))
			}
			r.ok("before")
			if _, err := r.prompt("do it"); err == nil {
				t.Fatal("it did not fail")
			}
			if c.restart {
				r.again(nil)
			}
			req := &acp.PromptRequest{SessionID: r.id, Prompt: []acp.ContentBlock{acp.Text(c.text)}}
			said := req.Prompt
			if c.again {
				req.Meta, said = Again, []acp.ContentBlock{acp.Text("do it")} // the bridge has added the file
			}
			if _, err := r.tells(said, func() (*acp.PromptResponse, error) {
				return acp.Call[acp.PromptResponse](t.Context(), r.a, acp.MethodSessionPrompt, req)
			}); err != nil {
				t.Fatal(err)
			}
			if got := r.last().Prompt; got != c.want {
				t.Errorf("sent %q\nwant %q", got, c.want)
			}
			r.again(nil) // what is kept leads to the same
			r.ok("after")
			if got := r.last().Prompt; c.help == old && strings.Count(got, "User: do it") != 1 {
				t.Errorf("after a restart %q", got)
			}
		})
	}
}

func TestWhatWasAnsweredIsNotReplaced(t *testing.T) {
	r := newRig(t, old, nil)
	r.ok("go on")
	r.ok("go on")
	if got := r.ok("go on").Prompt; strings.Count(got, "User: go on") != 3 {
		t.Errorf("sent %q", got)
	}
}

func TestANULNeitherFailsNorIsSent(t *testing.T) {
	r := newRig(t, old, nil, `bytes "an\x00swer\n"`)
	if got := r.ok("a\x00b").Prompt; got != "a\uFFFDb" {
		t.Errorf("sent %q", got)
	}
	if got := r.ok("short").Prompt; strings.Contains(got, "\x00") || !strings.Contains(got, "swer") {
		t.Errorf("sent %q", got)
	}
}
