//go:build e2e

package tools

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// The real Copilot CLI, offline, its model replaced by a script, with a toy Host behind the editor tools.
// COPILOT is the path of the CLI.

func TestE2ECopilotCallsTheEditorTools(t *testing.T) {
	dir := t.TempDir()
	h := newFakeHost()
	h.view = func(_ context.Context, c Caller, a ViewArgs) (string, error) {
		switch a.Path {
		case "/none":
			return "", forModel("%s", NoSuchPath("/none"))
		case "/big":
			return strings.Repeat("0123456789abcde\n", 10_000), nil
		case "/empty":
			return "", nil
		}
		return "session " + c.AgentSession, nil
	}
	// Calls of one message run in parallel: each of the two waits for the other.
	var both sync.WaitGroup
	both.Add(2)
	h.edit = func(context.Context, Caller, EditArgs) (string, error) {
		both.Done()
		both.Wait()
		return EditDone("/a"), nil
	}
	h.bash = func(_ context.Context, _ Caller, _ BashArgs, progress func(string)) (string, error) {
		progress("working")
		return "hi\n<shellId: 0 completed with exit code 0>", nil
	}
	edit := toolCall{"editor-edit", map[string]any{"path": "/a", "old_str": "x", "new_str": "y"}}
	m := newModel(t,
		step{Tools: []toolCall{
			{"editor-view", map[string]any{"path": "/a"}}, {"editor-view", map[string]any{"path": "/none"}},
			{"editor-view", map[string]any{"path": "/big"}}, {"editor-view", map[string]any{"PATH": "/a"}},
			{"editor-view", map[string]any{"path": "/empty"}}}},
		step{Tools: []toolCall{edit, edit}},
		step{Tools: []toolCall{{"editor-bash", map[string]any{"command": "echo hi", "description": "d"}}}},
		step{Text: "fin"})
	s, err := Listen(t.TempDir(), h, ToolSet{Files: true, Shell: true, Diagnostics: true}, zerolog.New(zerolog.NewTestWriter(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Mint(); err != nil {
		t.Fatal(err)
	}
	c := startCopilot(t, m, dir, s.Socket())
	session := c.newSession(dir)
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	if err := s.WaitConnected(ctx, session); err != nil {
		t.Fatal(err)
	}
	c.call("session/prompt", prompt(session))

	for _, name := range []string{"editor-view", "editor-edit", "editor-create", "editor-grep", "editor-glob", "editor-bash", "editor-read_bash", "editor-stop_bash", "editor-list_bash", "editor-diagnostics", "editor-selection"} {
		if !m.tools[name] {
			t.Errorf("the model is not offered %s", name)
		}
	}
	for _, name := range []string{"view", "edit", "create", "bash", "grep", "glob"} {
		if m.tools[name] {
			t.Errorf("the model is still offered Copilot's own %s", name)
		}
	}
	for id, want := range map[string]string{
		"call_1_0_0": "session " + session,
		"call_1_0_1": "MCP server 'editor': Path /none does not exist. Please provide a valid path.",
		"call_1_0_3": `MCP server 'editor': Invalid input: "PATH": write this argument as "path"`,
		"call_1_0_4": "",
		"call_1_1_0": "File /a updated with changes.",
		"call_1_1_1": "File /a updated with changes.",
		"call_1_2_0": "hi\n<shellId: 0 completed with exit code 0>",
	} {
		if got := m.result(id); got != want {
			t.Errorf("the model reads %q for %s, want %q", got, id, want)
		}
	}
	if got := m.result("call_1_0_2"); len(got) > MaxResult || !strings.Contains(got, "bytes left out") {
		t.Errorf("a big result reaches the model with %d bytes: %.200q", len(got), got)
	}
}

func TestE2ECancelReachesTheHost(t *testing.T) {
	dir := t.TempDir()
	h := newFakeHost()
	began, ended := make(chan struct{}), make(chan struct{})
	h.bash = func(ctx context.Context, _ Caller, _ BashArgs, _ func(string)) (string, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return "", ctx.Err()
	}
	m := newModel(t, step{Tools: []toolCall{{"editor-bash", map[string]any{"command": "sleep 100", "description": "d"}}}})
	s, err := Listen(t.TempDir(), h, ToolSet{Shell: true}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Mint(); err != nil {
		t.Fatal(err)
	}
	c := startCopilot(t, m, dir, s.Socket())
	session := c.newSession(dir)
	turn := c.send("session/prompt", prompt(session))
	await.Receive(t, "the command to start", began)
	b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "session/cancel", "params": map[string]any{"sessionId": session}})
	if _, err := c.in.Write(append(b, '\n')); err != nil {
		t.Fatal(err)
	}
	await.Receive(t, "the command to be cancelled", ended)
	if r := string(<-turn); !strings.Contains(r, "cancelled") {
		t.Errorf("the turn ends with %s", r)
	}
}

func TestE2ECloseAndLoadBringTheToolsBack(t *testing.T) {
	dir := t.TempDir()
	h := newFakeHost()
	m := newModel(t, step{Tools: []toolCall{{"editor-view", map[string]any{"path": "/a"}}}}, step{Text: "fin"})
	s, err := Listen(t.TempDir(), h, ToolSet{Files: true}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Mint(); err != nil {
		t.Fatal(err)
	}
	c := startCopilot(t, m, dir, s.Socket())
	session := c.newSession(dir)
	c.call("session/prompt", prompt(session))
	await.Receive(t, "connected", h.news)
	p, err := os.FindProcess(h.came[0].PID)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	await.Receive(t, "disconnected", h.news)
	c.call("session/prompt", prompt(session))
	if got := m.result("call_2_0_0"); !strings.Contains(got, "Transport closed") {
		t.Errorf("a dead server is answered for with %q", got)
	}
	c.call("session/close", map[string]any{"sessionId": session})
	if err := s.Mint(); err != nil {
		t.Fatal(err)
	}
	c.call("session/load", map[string]any{"sessionId": session, "cwd": dir, "mcpServers": []any{}})
	ctx, cancel := context.WithTimeout(t.Context(), await.Limit)
	defer cancel()
	if err := s.WaitConnected(ctx, session); err != nil {
		t.Fatal(err)
	}
	c.call("session/prompt", prompt(session))
	if got := m.result("call_3_0_0"); !strings.HasPrefix(got, "view {Path:/a") {
		t.Errorf("after close and load: %q", got)
	}
}
