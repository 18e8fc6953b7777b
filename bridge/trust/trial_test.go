package trust

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

const ask = `request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}
answer {"outcome":{"outcome":"selected","optionId":"n"}}
`

// turn is a prompt during which the agent does something.
func turn(what string) string {
	return "expect@p session/prompt\n" + what + "reply@p {\"stopReason\":\"end_turn\"}\n"
}

// played is an agent from a script for each of the two trials, which offers its model some tools.
type played struct {
	t       *testing.T
	scripts []string
	offers  [][]string
	silent  bool // it never asks its model
	agents  []*acptest.Agent
	argv    [][]string
	env     []string
	dirs    []string
}

func (p *played) start(ctx context.Context, argv, env []string, dir string, h agent.Handler) (subject, error) {
	n := len(p.agents)
	p.argv, p.env, p.dirs = append(p.argv, argv), env, append(p.dirs, dir)
	if !p.silent {
		for _, d := range h.(*round).deeds {
			p.askModel(d.prompt, p.offers[n])
		}
	}
	ours, theirs := net.Pipe()
	a := acptest.Script("handshake\nstub session/close\nignore session/cancel\nignore $/cancel_request\nsession s1\n"+p.scripts[n]).Start(context.Background(), theirs, acptest.Options{})
	p.agents = append(p.agents, a)
	return agent.Connect(ctx, agent.Config{ClientInfo: acp.Implementation{Name: "t", Version: "1"}, Log: zerolog.Nop(), Handler: h}, ours)
}

// askModel is what an agent does with a prompt.
func (p *played) askModel(prompt string, offers []string) {
	var tools []any
	for _, name := range offers {
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{"name": name}})
	}
	body, err := json.Marshal(map[string]any{"stream": true, "tools": tools, "messages": []any{map[string]any{"role": "user", "content": prompt}}})
	if err != nil {
		p.t.Fatal(err)
	}
	base := ""
	for _, kv := range p.env {
		if v, ok := strings.CutPrefix(kv, "COPILOT_PROVIDER_BASE_URL="); ok {
			base = v
		}
	}
	r, err := http.Post(base+"/chat/completions", "application/json", strings.NewReader(string(body)))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Body.Close()
}

func (p *played) run(ctx context.Context) (Verdict, error) {
	v, err := Trial{
		Command: []string{"copilot", "--allow-all-tools"}, Self: []string{"/nowhere/copilot-bridge"}, Agent: "copilot 9.9.9", Log: zerolog.Nop(), start: p.start,
		Env: []string{"PATH=/bin", "HOME=/home/you", "GH_TOKEN=ghp_secret", "COPILOT_PROVIDER_API_KEY=secret", "HTTP_PROXY=http://proxy", "COPILOT_ALLOW_ALL=1"},
	}.Run(ctx)
	for _, a := range p.agents {
		a.Stop()
		if e := a.Wait(); e != nil && err == nil {
			p.t.Error(e)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	return v, err
}

var (
	ownTools    = []string{"view", "edit", "create", "bash"}
	editorTools = []string{"editor-create", "editor-bash"}
)

func TestAnAgentIsTriedOut(t *testing.T) {
	const honest, makes, runs = ask, "put $cwd/made.txt x\n", "put $cwd/ran.txt x\n"
	for name, c := range map[string]struct {
		asks, obeys [2]string
		offers      [2][]string
		want        string // of the problems
	}{
		"one that asks and obeys":          {[2]string{honest, honest}, [2]string{"", ""}, [2][]string{ownTools, editorTools}, ""},
		"one that writes without asking":   {[2]string{makes, honest}, [2]string{"", ""}, [2][]string{ownTools, editorTools}, "it made a file without asking"},
		"one that runs without asking":     {[2]string{honest, runs}, [2]string{"", ""}, [2][]string{ownTools, editorTools}, "it ran a command without asking"},
		"one that writes in spite of a no": {[2]string{ask + makes, honest}, [2]string{"", ""}, [2][]string{ownTools, editorTools}, "it made a file without asking"},
		"one that writes first":            {[2]string{makes + ask, honest}, [2]string{"", ""}, [2][]string{ownTools, editorTools}, "it made a file without asking"},
		"one whose own tools stay on":      {[2]string{honest, honest}, [2]string{"", ""}, [2][]string{ownTools, {"view", "editor-create"}}, "its own tools (view) stay on"},
		"one that uses what is off":        {[2]string{honest, honest}, [2]string{makes, ""}, [2][]string{ownTools, editorTools}, "with a tool that was switched off"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &played{t: t, offers: c.offers[:], scripts: []string{turn(c.asks[0]) + turn(c.asks[1]), turn(c.obeys[0]) + turn(c.obeys[1])}}
			v, err := p.run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(v.Problems, "; "); (c.want == "") != v.Passed() || !strings.Contains(got, c.want) {
				t.Errorf("the problems are %q, want %q", got, c.want)
			}
			if v.Agent != "copilot 9.9.9" || v.When.IsZero() || strings.Contains(v.Sentence(), "\n") {
				t.Errorf("%+v", v)
			}
			p.check()
		})
	}
}

// check looks at how the trials were made: nothing of the user's is in them, and nothing is left of them.
func (p *played) check() {
	p.t.Helper()
	for _, argv := range p.argv {
		if strings.Contains(strings.Join(argv, " "), "allow-all") {
			p.t.Errorf("the user's own flags are used: %q", argv)
		}
	}
	if !strings.Contains(strings.Join(p.argv[1], " "), "--excluded-tools=view,") {
		p.t.Errorf("the second trial is not with its tools off: %q", p.argv[1])
	}
	for _, kv := range p.env {
		if strings.Contains(kv, "secret") || strings.HasPrefix(kv, "HTTP_PROXY") || strings.HasPrefix(kv, "COPILOT_ALLOW_ALL") {
			p.t.Errorf("in the environment of the trial: %q", kv)
		}
	}
	for _, dir := range p.dirs {
		if _, err := os.Lstat(dir); err == nil {
			p.t.Errorf("%s is left", dir)
		}
	}
}

func TestWhatCannotBeTriedIsNoVerdict(t *testing.T) {
	for name, p := range map[string]*played{
		"it never asks its model":    {scripts: []string{turn(ask) + turn(ask)}, silent: true},
		"it does nothing at all":     {scripts: []string{turn("") + turn("")}, offers: [][]string{ownTools}},
		"it fails the prompt":        {scripts: []string{"expect@p session/prompt\nfail@p -32603 boom\n"}, offers: [][]string{ownTools}},
		"without the editor's tools": {scripts: []string{turn(ask) + turn(ask), turn("") + turn("")}, offers: [][]string{ownTools, {"task"}}},
		"it does not open a session": {scripts: []string{"none session/new\n"}, offers: [][]string{ownTools}},
	} {
		t.Run(name, func(t *testing.T) {
			p.t = t
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if name == "it does not open a session" {
				p.scripts[0] = "hang\n"
				cancel()
			}
			if v, err := p.run(ctx); err == nil || v.Agent != "" {
				t.Errorf("%+v, %v", v, err)
			}
		})
	}
}

func TestOnlyACopilotWithAProviderIsTried(t *testing.T) {
	provider := []string{"COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:1/v1"}
	for _, c := range []struct {
		command []string
		env     []string
		q       copilot.Quirks
		want    bool
	}{
		{[]string{"copilot"}, provider, copilot.Quirks{}, true},
		{[]string{"copilot"}, nil, copilot.Quirks{}, false},
		{[]string{"opencode"}, provider, copilot.Quirks{}, false},
		{[]string{"copilot"}, provider, copilot.Quirks{NoOwnProvider: true}, false},
	} {
		if got := CanTry(c.command, c.env, c.q); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if _, err := (Trial{Agent: "x", start: func(ctx context.Context, _, _ []string, _ string, _ agent.Handler) (subject, error) {
		return nil, ctx.Err()
	}}).Run(canceled()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
