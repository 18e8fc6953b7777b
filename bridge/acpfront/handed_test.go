package acpfront

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

const claudeInfo = `{"protocolVersion":1,"agentInfo":{"name":"@agentclientprotocol/claude-agent-acp","version":"0.100.0"},"agentCapabilities":{"loadSession":true}}`

// server is an MCP server as an agent is told of it.
type server struct {
	Name, Command string
	Args          []string
	Env           []struct{ Name, Value string }
}

// handed is what a session brings, as the agent gets it.
type handed struct {
	MCPServers []server
	Meta       struct {
		Mine       json.Number
		ClaudeCode struct {
			Options struct {
				Effort                        string
				DisallowedTools, AllowedTools []string
			}
		}
	} `json:"_meta"`
}

func handedIn(t *testing.T, m message) (h handed) {
	t.Helper()
	if err := json.Unmarshal(m.Params, &h); err != nil {
		t.Fatal(err)
	}
	return h
}

// call starts the last server, as the agent would, and calls one tool of it.
func (h handed) call(t *testing.T, tool string, args obj) string {
	t.Helper()
	s := h.MCPServers[len(h.MCPServers)-1]
	if s.Name != "editor" || s.Command != "self" || len(s.Args) != 3 || s.Args[0] != "mcp" || s.Args[1] != "--socket" {
		t.Fatalf("the server is %+v", s)
	}
	var env []string
	for _, e := range s.Env {
		env = append(env, e.Name+"="+e.Value)
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	over := make(chan error, 1)
	go func() { over <- tools.Pipe(context.Background(), s.Args[2], env, in, out); out.Close() }()
	lines := bufio.NewScanner(fromServer)
	lines.Buffer(nil, 1<<20)
	ask := func(line string) string {
		io.WriteString(toServer, line+"\n")
		if !lines.Scan() {
			t.Fatalf("no answer to %s: %v", line, <-over)
		}
		return lines.Text()
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"claude-code","version":"2"}}}`)
	io.WriteString(toServer, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	params, err := json.Marshal(obj{"name": tool, "arguments": args})
	if err != nil {
		t.Fatal(err)
	}
	answer := ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":` + string(params) + `}`)
	toServer.Close()
	for lines.Scan() { // until it has ended
	}
	if err := <-over; err != nil {
		t.Error(err)
	}
	return answer
}

func editorTools(c *bridge.Config) {
	c.Self, c.Tools = []string{"self"}, tools.ToolSet{Files: true, Shell: true, Diagnostics: true}
}

func TestAnAgentThatIgnoresTheClientIsHandedTheEditorTools(t *testing.T) {
	o := setup{files: map[string]string{"a.txt": "disk\n"}, info: claudeInfo, config: editorTools}
	r := newRig(t, o)
	r.buffers(map[string]string{r.path("a.txt"): "unsaved\n"})
	a, _ := r.connect(o)
	req := r.editor.request("session/new", obj{"cwd": r.dir,
		"mcpServers": []any{obj{"name": "editor", "command": "theirs", "args": []any{}, "env": []any{}}},
		"_meta":      obj{"mine": json.RawMessage("12345678901234567890"), "claudeCode": obj{"options": obj{"effort": "high", "disallowedTools": []any{"WebFetch"}}}}})
	m := a.expect("session/new")
	h := handedIn(t, m)
	a.answer(m, obj{"sessionId": "s1"})
	r.editor.response(req)

	if len(h.MCPServers) != 2 || h.MCPServers[0].Command != "theirs" || h.MCPServers[0].Name != "editor2" {
		t.Errorf("the servers are %+v", h.MCPServers)
	}
	opts := h.Meta.ClaudeCode.Options
	if off := strings.Join(opts.DisallowedTools, " "); !strings.HasPrefix(off, "WebFetch Read Edit") || !strings.Contains(off, "Bash") {
		t.Errorf("switched off: %s", off)
	}
	if h.Meta.Mine != "12345678901234567890" || opts.Effort != "high" || strings.Join(opts.AllowedTools, " ") != "mcp__editor" {
		t.Errorf("_meta is %+v", h.Meta)
	}
	if got := h.call(t, "view", obj{"path": r.path("a.txt")}); !strings.Contains(got, "unsaved") {
		t.Errorf("view says %s", got)
	}
	// It may start its servers again when it likes.
	if got := h.call(t, "view", obj{"path": r.path("a.txt")}); !strings.Contains(got, "unsaved") {
		t.Errorf("the second server says %s", got)
	}
}

func TestALoadedSessionHasTheEditorToolsToo(t *testing.T) {
	o := setup{files: map[string]string{"a.txt": "disk\n"}, info: claudeInfo, config: editorTools}
	r := newRig(t, o)
	r.buffers(map[string]string{r.path("a.txt"): "unsaved\n"})
	a, _ := r.connect(o)
	req := r.editor.request("session/resume", obj{"sessionId": "old", "cwd": r.dir})
	m := a.expect("session/load")
	h := handedIn(t, m)
	a.answer(m, obj{})
	r.editor.response(req)
	if got := h.call(t, "view", obj{"path": r.path("a.txt")}); !strings.Contains(got, "unsaved") {
		t.Errorf("view says %s", got)
	}
}

func TestOtherAgentsAreHandedNothing(t *testing.T) {
	o := setup{info: agentInfo, config: editorTools}
	r := newRig(t, o)
	a, _ := r.connect(o)
	params := `{"cwd":` + quoted(r.dir) + `,"mcpServers":[ ],"_meta":{"a":1.0}}`
	r.editor.raw(`{"jsonrpc":"2.0","id":"n","method":"session/new","params":` + params + `}`)
	m := a.expect("session/new")
	if string(m.Params) != params {
		t.Errorf("the agent got %s", m.Params)
	}
	a.answer(m, obj{"sessionId": "s1"})
	r.editor.response(`"n"`)
}

func TestCodexKeepsItsOwnTools(t *testing.T) {
	o := setup{info: strings.Replace(claudeInfo, "claude-agent-acp", "codex-acp", 1), config: editorTools}
	r := newRig(t, o)
	a, _ := r.connect(o)
	req := r.editor.request("session/new", obj{"cwd": r.dir, "mcpServers": []any{}})
	m := a.expect("session/new")
	a.answer(m, obj{"sessionId": "s1"})
	r.editor.response(req)
	if h := handedIn(t, m); len(h.MCPServers) != 1 || strings.Contains(string(m.Params), "_meta") {
		t.Errorf("the agent got %s", m.Params)
	}
}

// TestAnEditorThatCancelsIsNotToldThatItsQuestionIsWithdrawn: ACP v1 has it answer by itself then. agent-shell 0.50.1 prints the
// message, agentic.nvim throws. Where the bridge takes a question back by itself the editor is told.
func TestAnEditorThatCancelsIsNotToldThatItsQuestionIsWithdrawn(t *testing.T) {
	o := setup{files: map[string]string{"a.txt": "one\n"}, info: claudeInfo, config: editorTools}
	r := newRig(t, o)
	r.buffers(map[string]string{r.path("a.txt"): "one\n"})
	a, _ := r.connect(o)
	req := r.editor.request("session/new", obj{"cwd": r.dir, "mcpServers": []any{}})
	m := a.expect("session/new")
	h := handedIn(t, m)
	a.answer(m, obj{"sessionId": "s1"})
	r.editor.response(req)
	id, p := r.prompt(a, "s1", "go")
	said := make(chan string, 1)
	go func() { said <- h.call(t, "edit", obj{"path": r.path("a.txt"), "old_str": "one", "new_str": "two"}) }()
	q := r.editor.expect("session/request_permission")
	r.editor.notify("session/cancel", obj{"sessionId": "s1"})
	a.expect("session/cancel")
	if got := await.Receive(t, "the end of the call", said); !strings.Contains(got, "cancelled") {
		t.Errorf("the tool says %s", got)
	}
	r.editor.answer(q, obj{"outcome": obj{"outcome": "cancelled"}})
	a.answer(p, obj{"stopReason": "cancelled"})
	r.editor.response(id)
	id, p = r.prompt(a, "s1", "again") // whatever was sent before has come by then
	r.end(a, id, p)
	if r.editor.was("$/cancel_request") {
		t.Error("the editor is told that its own cancel withdrew the question")
	}
}
