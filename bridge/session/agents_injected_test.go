package session_test

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// handedTo is a session of an agent that calls itself claude-agent-acp and checks what it is handed.
const handedTo = `
handshake {"protocolVersion":1,"agentInfo":{"name":"claude-agent-acp","version":"0.100.0"},"agentCapabilities":{"loadSession":true}}
expect session/new {"mcpServers":[{"name":"mine","command":"theirs"},{"name":"editor","args":["mcp","--socket","*"],"env":[{"name":"COPILOT_BRIDGE_AGENT_SESSION","value":"re:^ticket-"}]}],
  "_meta":{"claudeCode":{"options":{"disallowedTools":["Read","Edit","MultiEdit","Write","NotebookEdit","Grep","Glob"],"allowedTools":["mcp__editor"]}}}}
reply {"sessionId":"s1"}
expect@p session/prompt
update tool_call {"toolCallId":"call-7","title":"mcp__editor__view","rawInput":{"path":"$cwd/a.txt"}}
mark running
wait done
reply@p {"stopReason":"end_turn"}`

func TestAnAgentThatIgnoresTheClientReadsUnsavedTextWithTheToolsItIsHanded(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, map[string]string{"a.txt": "disk\n"}, func(c *Config) { c.Tools = tools.ToolSet{Files: true} }, handedTo)
	r.buffer("a.txt", "unsaved\n")
	s, err := r.b.NewSession(r.ctx, NewSessionRequest{Cwd: r.dir, MCPServers: []acp.MCPServer{
		&acp.MCPServerStdio{Name: "mine", Command: "theirs", Args: []string{}, Env: []acp.EnvVariable{}}}})
	if err != nil {
		t.Fatal(err)
	}
	r.session = s.ID
	r.inTurn(func(l *link) {
		got, err := l.View(r.ctx, tools.Caller{AgentSession: r.theSession().Ticket()}, tools.ViewArgs{Path: r.path("a.txt")})
		if err != nil || !strings.Contains(got, "unsaved") {
			t.Errorf("view says %q, %v", got, err)
		}
	})
}
