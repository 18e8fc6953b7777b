package acpfront

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

// askFor is a question of the agent's as it puts it.
func askFor(id, call string) string {
	return `{"sessionId":"s1","toolCall":{"toolCallId":"c` + id + `",` + call + `},"options":[{"optionId":"O","name":"Once","kind":"allow_once"},{"optionId":"N","name":"No","kind":"reject_once"}]}`
}

// TestRulesDecideAboutTheAgentsOwnQuestions: what a rule allows or refuses the editor is not asked about.
func TestRulesDecideAboutTheAgentsOwnQuestions(t *testing.T) {
	rules, err := policy.ParseRules([]byte(`[{"tool":"edit","path":"*.lock","decision":"deny"},{"tool":"edit","path":"*.txt","decision":"allow"},
		{"tool":"shell","argv":["bash","-c","make"],"decision":"allow"},{"tool":"shell","argv":["bash","-c","rm -r ."],"decision":"deny"}]`))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, setup{config: func(c *bridge.Config) { c.Rules = rules }})
	r.permit("O")
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	edit := func(path string) string {
		return `"kind":"edit","title":"x","content":[{"type":"diff","path":` + quoted(path) + `,"oldText":"a","newText":"b"}]`
	}
	run := func(command string) string {
		return `"kind":"execute","title":"x","rawInput":{"command":"` + command + `"}`
	}
	for i, c := range []struct {
		call, option string
		asked        bool
	}{
		{edit(r.path("go.lock")), "N", false}, {edit(r.path("a.txt")), "O", false}, {edit(r.path("a.go")), "O", true},
		{run("make"), "O", false}, {run("rm -r ."), "N", false}, {run("make all"), "O", true},
		{edit(r.path(".vscode/tasks.txt")), "O", true}, // a control file, which no rule allows
	} {
		n := string(rune('a' + i))
		a.raw(`{"jsonrpc":"2.0","id":"` + n + `","method":"session/request_permission","params":` + askFor(n, c.call) + `}`)
		if got := string(a.response(`"` + n + `"`).Result); !strings.Contains(got, `"`+c.option+`"`) {
			t.Errorf("%s: answered %s", c.call, got)
		}
		asked := false
		r.editor.mu.Lock()
		for _, m := range r.editor.got {
			asked = asked || m.Method == "session/request_permission" && strings.Contains(string(m.Params), `"toolCallId":"c`+n+`"`)
		}
		r.editor.mu.Unlock()
		if asked != c.asked {
			t.Errorf("%s: the editor was asked: %v", c.call, asked)
		}
	}
	r.end(a, id, m)
}

// TestWhatTheAgentsQuestionDoesNotShowIsToldBeforeIt: the question itself goes as it came, and a plain one has no line.
func TestWhatTheAgentsQuestionDoesNotShowIsToldBeforeIt(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "a"}})
	r.permit("O")
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	outside := t.TempDir() + "/secret.txt"
	if err := os.WriteFile(outside, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := links.Make(t, outside, r.path("link.txt")); err != nil {
		t.Fatal(err)
	}
	id, m := r.prompt(a, "s1", "go")
	diff := func(path, text string) string {
		b, _ := json.Marshal(text)
		return `"kind":"edit","title":"Edit","_meta":{"n":1.0},"content":[{"type":"diff","path":` + quoted(path) + `,"oldText":"a","newText":` + string(b) + `}]`
	}
	for i, c := range []struct{ call, told string }{
		{diff(r.path("a.txt"), "b"), ""},
		{diff(outside, "b"), ""}, // its path says so
		{diff(r.path("link.txt"), "b"), "it is really " + outside},
		{`"kind":"edit","title":"Edit","rawInput":{"path":` + quoted(outside) + `}`, "outside the session's folders"},
		{`"kind":"execute","title":"ls","rawInput":{"command":"ls","cwd":"/"}`, "outside the session's folders"},
		{diff(r.path("a.txt"), "b\u202ereversed"), "cannot be seen"},
		{diff(r.path(".git/hooks/pre-commit"), "b"), "decides what runs"},
		{`"kind":"execute","title":"ls","rawInput":{"command":"ls` + strings.Repeat(" ", 200) + `; rm -r ~"}`, "200 blanks"},
		{`"kind":"execute","title":"ls","rawInput":{"command":"ls"}`, ""},
	} {
		n := string(rune('a' + i))
		before := len(r.editor.said())
		params := askFor(n, c.call)
		a.raw(`{"jsonrpc":"2.0","id":"` + n + `","method":"session/request_permission","params":` + params + `}`)
		a.response(`"` + n + `"`)
		asked := r.editor.expect("session/request_permission")
		if string(asked.Params) != params {
			t.Errorf("asked\n%s, the agent\n%s", asked.Params, params)
		}
		told := r.editor.said()[before:]
		if c.told == "" && told != "" || !strings.Contains(told, c.told) || strings.Count(told, "outside") > 1 {
			t.Errorf("%s: told %q, want %q", c.call, told, c.told)
		}
	}
	r.end(a, id, m)
}
