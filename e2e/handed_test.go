//go:build e2e

package e2e

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// Agents that never ask the client for a file and are given the editor tools as a server of each session.

const (
	claudeVersion = "0.100.0"
	codexVersion  = "2.6.0"
)

// claude is a world with claude-agent-acp, and the Claude Code that it brings, before the scripted model.
func claude(t *testing.T) (*world, dialect) {
	w := newWorld(t, agentFiles())
	w.agent = []string{installed(t, "CLAUDE_AGENT", "claude-agent-acp-"+claudeVersion, "claude-agent-acp")}
	w.config(".claude.json", `{"hasCompletedOnboarding":true}`)
	w.env = append(w.env, "ANTHROPIC_BASE_URL="+strings.TrimSuffix(w.model.URL(), "/v1"), "ANTHROPIC_API_KEY=x",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "IS_SANDBOX=") // root need not be in a sandbox then
	return w, handedDialect("mcp__editor__")
}

// codex is a world with codex-acp, and the Codex that it brings, before the scripted model.
func codex(t *testing.T) (*world, dialect) {
	w := newWorld(t, agentFiles())
	w.agent = []string{installed(t, "CODEX_AGENT", "codex-acp-"+codexVersion, "codex-acp")}
	w.config(".codex/config.toml", "model = \"mock\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\nbase_url = \""+w.model.URL()+"\"\nwire_api = \"responses\"\nenv_key = \"MOCK_KEY\"\n")
	w.env = append(w.env, "MOCK_KEY=x", "CODEX_HOME="+filepath.Join(w.home, ".codex"))
	return w, handedDialect("mcp__editor.")
}

// handedDialect is that of the editor tools under the names that the agent gives them.
func handedDialect(prefix string) dialect {
	return dialect{
		readsBuffers: true, commandsAreOurs: true,
		read: func(path string) model.Step { return model.Call(prefix+"view", obj{"path": path}) },
		edit: func(a ...string) model.Step {
			return model.Call(prefix+"edit", obj{"path": a[0], "old_str": a[1], "new_str": a[2]})
		},
		create: func(a ...string) model.Step {
			return model.Call(prefix+"create", obj{"path": a[0], "file_text": a[1]})
		},
		run: func(a ...string) model.Step {
			return model.Call(prefix+"bash", obj{"command": a[0], "description": "run"})
		},
	}
}

func TestE2EACPClaude(t *testing.T) {
	w, d := claude(t)
	e, _ := throughACP(t, w, d)
	e.showsWhatOurToolsDid()
}

func TestE2EACPCodex(t *testing.T) {
	w, d := codex(t)
	e, _ := throughACP(t, w, d)
	e.showsWhatOurToolsDid()
}

// TestE2EACPRulesDecideAboutCodexsOwnCommands: what codex-acp asks about its own shell the rules answer, or the user.
func TestE2EACPRulesDecideAboutCodexsOwnCommands(t *testing.T) {
	w, _ := codex(t)
	w.config("rules.json", `[{"tool":"shell","argv":["bash","-c","touch denied"],"decision":"deny"},{"tool":"shell","argv":["bash","-c","touch allowed"],"decision":"allow"}]`)
	e := w.startACP(true, "--rules", filepath.Join(w.home, "rules.json"))
	s := e.newSession()
	e.call("session/set_mode", obj{"sessionId": s, "modeId": "read-only"}, nil)
	for name, asked := range map[string]int{"denied": 0, "allowed": 0, "asked": 1} {
		before := e.questions()
		e.end(e.prompt(s, name+" "+model.Script(model.Call("exec_command", obj{"cmd": "touch " + name, "sandbox_permissions": "require_escalated", "justification": "please"}), model.Say("ok"))))
		made := !strings.Contains(w.read(name), "no such file")
		if made == (name == "denied") || e.questions()-before != asked {
			t.Errorf("touch %s: made %v after %d questions", name, made, e.questions()-before)
		}
	}
}

func TestE2EClaude(t *testing.T) {
	w, d := claude(t)
	foreignAgent(t, w, d)
}

func TestE2ECodex(t *testing.T) {
	w, d := codex(t)
	foreignAgent(t, w, d)
}

// TestE2EACPNotSignedIn: that an agent wants a login is told to the editor in the agent's own words, as is what it offers.
func TestE2EACPNotSignedIn(t *testing.T) {
	for name, agent := range map[string]func(*testing.T) (*world, dialect){"claude": claude, "codex": codex} {
		t.Run(name, func(t *testing.T) {
			w, _ := agent(t)
			var env []string
			for _, v := range w.env {
				if !strings.HasPrefix(v, "ANTHROPIC_") && !strings.HasPrefix(v, "MOCK_KEY=") {
					env = append(env, v)
				}
			}
			w.env = env
			w.config(".codex/config.toml", "")
			direct, through := w.startDirect(), w.startACP(true)
			var seen [2][]string
			for i, e := range []*acpEditor{direct, through} {
				first := e.answers["1"]
				var hello struct {
					AuthMethods json.RawMessage `json:"authMethods"`
				}
				_ = json.Unmarshal(first.Result, &hello)
				seen[i] = append(seen[i], string(hello.AuthMethods))
				m := e.end(e.begin("authenticate", obj{"methodId": "no such method"}))
				seen[i] = append(seen[i], m.outcome())
				m = e.end(e.begin("session/new", obj{"cwd": w.ws, "mcpServers": []obj{}}))
				if m.Error == nil {
					var r struct{ SessionID string }
					_ = json.Unmarshal(m.Result, &r)
					m = e.end(e.prompt(r.SessionID, "hello"))
				}
				seen[i] = append(seen[i], m.outcome())
			}
			for i, d := range seen[0] {
				if d != seen[1][i] {
					t.Errorf("directly %s\nthrough the bridge %s", d, seen[1][i])
				}
			}
		})
	}
}
