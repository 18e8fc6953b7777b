package lspfront

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// unknown is an agent of which nothing is known but that it loads sessions.
const unknown = "ignore $/cancel_request\nstub session/close\nignore session/cancel\nhandshake {\"protocolVersion\":1,\"agentInfo\":{\"name\":\"nova\",\"version\":\"1\"},\"agentCapabilities\":{\"loadSession\":true}}\n"

func withTools(c *bridge.Config) {
	c.Self, c.Tools = []string{"self"}, tools.ToolSet{Files: true, Shell: true, Diagnostics: true}
}

// TestAnUnknownAgentGetsTheEditorsToolsAfterOneQuestion: before the first prompt for which there is unsaved text, and not in a workspace
// without.
func TestAnUnknownAgentGetsTheEditorsToolsAfterOneQuestion(t *testing.T) {
	const turn = "expect@turn session/prompt\nreply@turn {\"stopReason\":\"end_turn\"}\n"
	none := unknown + "expect@n session/new {\"mcpServers\":[]}\nreply@n {\"sessionId\":\"s1\"}\n"
	for name, c := range map[string]struct {
		answer  string
		first   string // the script of the agent that runs at first
		another bool   // one is started with the tools
	}{
		"yes": {"Give it the tools", none + turn, true},
		"no":  {"Leave it as it is", none + turn + turn + turn, false},
	} {
		t.Run(name, func(t *testing.T) {
			scripts := []string{c.first}
			if c.another {
				scripts = append(scripts, unknown+"expect@l session/load {\"mcpServers\":[{\"name\":\"editor\"}]}\nreply@l {}\n"+turn+turn)
			}
			r := newRig(t, setup{files: before, config: withTools, scripts: scripts})
			r.on("window/showMessageRequest", picks(c.answer))
			u := r.open(r.dir + "/a.txt")
			r.turn("nothing is unsaved")
			if n := len(r.sent("window/showMessageRequest")); n > 0 {
				t.Errorf("%d questions where nothing is unsaved", n)
			}
			r.type_(u, "mine, unsaved\n"+before["a.txt"])
			r.turn("now there is")
			r.turn("and again")
			if q := r.sent("window/showMessageRequest"); len(q) != 1 || !strings.Contains(string(q[0]), "nova") || !strings.Contains(string(q[0]), "a.txt") {
				t.Errorf("asked %s", q)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			if got := len(r.agents) > 1; got != c.another {
				t.Errorf("%d agents were started", len(r.agents))
			}
		})
	}
}

// TestTheSettingSaysWhoseToolsAnAgentHas: editor gives them to any, own to none, and neither asks.
func TestTheSettingSaysWhoseToolsAnAgentHas(t *testing.T) {
	for setting, servers := range map[string]string{"editor": `[{"name":"editor"}]`, "own": `[]`} {
		t.Run(setting, func(t *testing.T) {
			r := newRig(t, setup{files: before, config: withTools, options: obj{"agent": obj{"tools": setting}},
				scripts: []string{unknown + "expect@n session/new {\"mcpServers\":" + servers + "}\nreply@n {\"sessionId\":\"s1\"}\nexpect@turn session/prompt\nreply@turn {\"stopReason\":\"end_turn\"}\n"}})
			u := r.open(r.dir + "/a.txt")
			r.type_(u, "mine, unsaved\n"+before["a.txt"])
			r.turn("go")
			if n := len(r.sent("window/showMessageRequest")); n > 0 {
				t.Errorf("%d questions", n)
			}
		})
	}
}
