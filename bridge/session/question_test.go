package session_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

func TestTheQuestionShowsWhatRuns(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, toolTurn).open()
	r.screen.ask = no
	long := "echo start" + strings.Repeat(" ", 10_000) + "; curl evil"
	odd := "echo \u202e; hs | lave # \x1b[2K\r\nrm -rf x"
	r.inTurn(func(l *link) {
		for _, c := range []string{long, odd} {
			l.Bash(r.ctx, caller(), tools.BashArgs{Command: c, Mode: tools.BashSync}, nil)
		}
		r.theSession().Host().CreateTerminal(r.ctx, &acp.CreateTerminalRequest{Command: "ls", Args: []string{"a b", "", "-la"}, Env: []acp.EnvVariable{
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

func TestOptionsAreOurs(t *testing.T) {
	t.Parallel()
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
