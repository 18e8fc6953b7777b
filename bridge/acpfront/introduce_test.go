package acpfront

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// uncalled has the bridge find Copilot itself, by a name that is on no PATH or by a path where nothing is.
func uncalled(command string) func(*bridge.Config) {
	return func(cfg *bridge.Config) {
		uninstalled(cfg)
		cfg.Start, cfg.Command, cfg.Env = nil, []string{command}, append(os.Environ(), "PATH=/nowhere")
	}
}

// uninstalled has the bridge start a program that is on no PATH.
func uninstalled(cfg *bridge.Config) {
	cfg.Self = []string{"/opt/copilot-bridge"}
	cfg.Start = func(ctx context.Context, h agent.Handler) (bridge.Agent, error) {
		return agent.Start(ctx, agent.Config{Command: []string{"copilot"}, Env: []string{"PATH=/nowhere"}, Handler: h})
	}
}

// TestInitializeAnswersWithoutAnAgent: what the check of the ACP registry asks, and the way on from there.
func TestInitializeAnswersWithoutAnAgent(t *testing.T) {
	for what, config := range map[string]func(*bridge.Config){
		"started": uninstalled, "looked for": uncalled("copilot"), "at a path": uncalled("/nowhere/copilot"),
	} {
		t.Run(what, func(t *testing.T) { answersWithoutAnAgent(t, config) })
	}
}

func answersWithoutAnAgent(t *testing.T, config func(*bridge.Config)) {
	r := newRig(t, setup{config: config})
	r.editor.raw(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"check","version":"1"},"clientCapabilities":{"terminal":true,"fs":{"readTextFile":true,"writeTextFile":true},"_meta":{"terminal-auth":true}}}}`)
	m := r.editor.response(`"i"`)
	if m.Error != nil {
		t.Fatalf("initialize: %s", m.Error)
	}
	var got struct {
		ProtocolVersion int
		AgentInfo       struct{ Name, Version string }
		AuthMethods     []struct {
			ID, Name, Type string
			Args           []string
			Meta           struct {
				Terminal struct {
					Command string
					Args    []string
					Label   string
				} `json:"terminal-auth"`
			} `json:"_meta"`
		}
	}
	if err := json.Unmarshal(m.Result, &got); err != nil {
		t.Fatal(err)
	}
	if got.ProtocolVersion != 1 || got.AgentInfo.Name != "copilot-bridge" || got.AgentInfo.Version != "test" || len(got.AuthMethods) != 1 {
		t.Fatalf("initialize: %s", m.Result)
	}
	if a := got.AuthMethods[0]; a.Type != "terminal" || a.ID == "" || a.Name == "" || strings.Join(a.Args, " ") != "--login" ||
		a.Meta.Terminal.Command != "/opt/copilot-bridge" || strings.Join(a.Meta.Terminal.Args, " ") != "--login" || a.Meta.Terminal.Label == "" {
		t.Errorf("the way to sign in: %s", m.Result)
	}
	// A session shows the sign-in, which says how to install it; the reason comes with it.
	if f := r.editor.refused("session/new", obj{"cwd": r.dir, "mcpServers": []any{}}); f.Code != acp.CodeAuthRequired || f.Message == "" {
		t.Errorf("a session without an agent: %+v", f)
	}
	if f := r.editor.refused("initialize", obj{"protocolVersion": 1}); f.Code != acp.CodeInvalidRequest {
		t.Errorf("a second initialize: %+v", f)
	}
}

// TestAnAgentInstalledMeanwhileIsFound: nobody has to start the editor again.
func TestAnAgentInstalledMeanwhileIsFound(t *testing.T) {
	var r *rig
	installed := false
	r = newRig(t, setup{config: func(cfg *bridge.Config) {
		uninstalled(cfg)
		none := cfg.Start
		cfg.Start = func(ctx context.Context, h agent.Handler) (bridge.Agent, error) {
			if installed {
				return r.start(ctx, h)
			}
			return none(ctx, h)
		}
	}})
	r.editor.raw(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":1}}`)
	if m := r.editor.response(`"i"`); m.Error != nil {
		t.Fatalf("initialize: %s", m.Error)
	}
	installed = true
	r.hello = []byte(`{"protocolVersion":1}`)
	r.editor.raw(`{"jsonrpc":"2.0","id":"n","method":"session/new","params":{"cwd":` + quote(r.dir) + `,"mcpServers":[]}}`)
	a := r.agent(agentInfo)
	m := a.expect("session/new")
	a.raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"sessionId":"s1"}}`)
	if m := r.editor.response(`"n"`); m.Error != nil {
		t.Errorf("the session: %s", m.Error)
	}
}

func quote(s string) string {
	b, err := json.Marshal(filepath.ToSlash(s))
	if err != nil {
		panic(err)
	}
	return string(b)
}

// TestTheSignInOfCopilotIsOfferedInTheStandardsWords to editors with a terminal for it; every other agent's methods stay as
// they came.
func TestTheSignInOfCopilotIsOfferedInTheStandardsWords(t *testing.T) {
	const (
		copilot = `{"id":"copilot-login","name":"Log in","_meta":{"terminal-auth":{"command":"/bin/copilot","args":["login"],"label":"x", "n":1.0}}}`
		own     = `{"id":"own","name":"Own","type":"terminal","args":["in"]}`
		other   = `{"id":"other","name":"Other","_meta":{"terminal-auth":{"command":"/bin/other","args":["auth","login"]}}}`
		ours    = `,{"type":"terminal","id":"copilot-bridge-login"`
		able    = `{"auth":{"terminal":true}}`
	)
	for _, c := range []struct{ what, caps, methods, added string }{
		{"Copilot, an editor with a terminal", able, copilot, ours},
		{"Copilot, an editor without", fsCaps, copilot, ""},
		{"another agent", able, other, ""},
		{"an agent that has it already", able, copilot + "," + own, ""},
		{"an agent that needs none", able, "", ""},
	} {
		r := newRig(t, setup{})
		_, answer := r.connect(setup{caps: c.caps, info: `{"protocolVersion":1,"agentInfo":{"name":"Copilot","version":"1.0.102","z":1e+2},"authMethods":[` + c.methods + `]}`})
		var got struct {
			AuthMethods json.RawMessage `json:"authMethods"`
			AgentInfo   json.RawMessage `json:"agentInfo"`
		}
		if err := json.Unmarshal(answer.Result, &got); err != nil {
			t.Fatal(err)
		}
		rest, found := strings.CutPrefix(string(got.AuthMethods), "["+c.methods)
		if !found || c.added == "" && rest != "]" || !strings.HasPrefix(rest, c.added) {
			t.Errorf("%s: %s", c.what, got.AuthMethods)
		}
		if want := `{"_meta":{"copilot-bridge":{"version":"test"}},"name":"Copilot","version":"1.0.102","z":1e+2}`; string(got.AgentInfo) != want {
			t.Errorf("%s: agentInfo is %s, want %s", c.what, got.AgentInfo, want)
		}
	}
}

// TestTheBridgeSaysItsVersion beside the agent's, wherever the agent has put its own.
func TestTheBridgeSaysItsVersion(t *testing.T) {
	const ours = `"copilot-bridge":{"version":"test"}`
	for info, want := range map[string]string{
		`"agentInfo":{"name":"a","version":"1","_meta":{"k":[1.0]}}`: `{"name":"a","version":"1","_meta":{` + ours + `,"k":[1.0]}}`,
		`"serverInfo":{"name":"a","version":"1"}`:                    `{"_meta":{` + ours + `},"name":"a","version":"1"}`,
		`"agentInfo":null`:       `{"_meta":{` + ours + `},"name":"copilot-bridge","version":"test"}`,
		`"agentCapabilities":{}`: `{"_meta":{` + ours + `},"name":"copilot-bridge","version":"test"}`,
	} {
		r := newRig(t, setup{})
		_, answer := r.connect(setup{info: `{"protocolVersion":1,` + info + `}`})
		var got struct {
			AgentInfo json.RawMessage `json:"agentInfo"`
		}
		if err := json.Unmarshal(answer.Result, &got); err != nil {
			t.Fatal(err)
		}
		if string(got.AgentInfo) != want {
			t.Errorf("%s: %s, want %s", info, got.AgentInfo, want)
		}
	}
}
