//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// TestE2ECopilotGetsTheServersOfAnLSPSession: a stdio MCP server of copilot-bridge/session/new reaches Copilot, its secrets
// no command line.
func TestE2ECopilotGetsTheServersOfAnLSPSession(t *testing.T) {
	w := copilot(t, agentFiles())
	e := w.start()
	var r struct{ SessionID string }
	e.call("copilot-bridge/session/new", obj{"cwd": w.ws, "mcpServers": []obj{
		{"name": "mine", "command": testBinary(t), "args": []string{"mcp"}, "env": []obj{{"name": "E2E_SECRET", "value": "s3cr3t-of-mine"}}}}}, &r)
	e.turn(r.SessionID, "call "+model.Script(model.Call("mine-tell", obj{}), model.Say("fin")))
	if got := fmt.Sprint(w.results()); !strings.Contains(got, "s3cr3t-of-mine") {
		t.Errorf("the model was told %s", got)
	}
	for _, line := range w.processes() {
		if strings.Contains(line, "s3cr3t") {
			t.Errorf("a secret on a command line: %s", line)
		}
	}
}
