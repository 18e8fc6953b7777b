//go:build e2e

package realcopilot

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

type client struct {
	t    *testing.T
	mu   sync.Mutex
	text strings.Builder
	seen map[string]int
}

func (c *client) Message(m *acp.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := m.Request; r != nil {
		c.ask(r)
		return
	}
	u := m.Update()
	if u == nil {
		c.t.Errorf("%s: %s", m.Method, m.Params())
		return
	}
	c.seen[acp.Kind(u)]++
	if chunk, ok := u.(*acp.AgentMessageChunk); ok {
		if text, ok := chunk.Content.(*acp.TextContent); ok {
			c.text.WriteString(text.Text)
		}
	}
}

func (*client) Drained() {}

func (c *client) ask(r *acp.Request) {
	p := new(acp.RequestPermissionRequest)
	if err := acp.UnmarshalStrict(r.Params(), p); err != nil || len(p.Options) == 0 {
		c.t.Errorf("%s: %v: %s", r.Method(), err, r.Params())
	}
	c.seen["permission"]++
	r.Reply(&acp.RequestPermissionResponse{Outcome: &acp.SelectedPermissionOutcome{OptionID: p.Options[0].OptionID}}, nil)
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

func TestE2ERealCopilotFollowsTheScript(t *testing.T) {
	exe, err := Path()
	if err != nil {
		t.Fatal(err)
	}
	s, home, cwd := server(t), t.TempDir(), t.TempDir()
	env, err := Env(s, home)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "--acp", "--stdio")
	cmd.Env, cmd.Dir, cmd.WaitDelay = env, cwd, 5*time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, seen: map[string]int{}}
	conn := acp.NewConn(pipes{out, in}, c, acp.Options{})
	defer func() {
		_ = in.Close()
		_ = conn.Close()
		if err := cmd.Wait(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
			t.Error(err)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	hello, err := acp.Call[acp.InitializeResponse](ctx, conn, acp.MethodInitialize, &acp.InitializeRequest{ProtocolVersion: 1})
	if err != nil {
		t.Fatal(err)
	}
	if hello.AgentInfo == nil || hello.AgentInfo.Version != Version || !hello.AgentCapabilities.LoadSession || !hello.AgentCapabilities.PromptCapabilities.EmbeddedContext {
		t.Errorf("have %+v", hello)
	}
	session, err := acp.Call[acp.NewSessionResponse](ctx, conn, acp.MethodSessionNew, &acp.NewSessionRequest{Cwd: cwd})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(cwd, "made.txt")
	script := model.Script(model.Step{Text: "I make a file.", Tools: []model.Tool{{Name: "create", Args: map[string]any{"path": file, "file_text": "made\n"}}}}, model.Say("Made."))
	end, err := acp.Call[acp.PromptResponse](ctx, conn, acp.MethodSessionPrompt, &acp.PromptRequest{SessionID: session.SessionID, Prompt: []acp.ContentBlock{acp.Text("Go. " + script)}})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "made\n" {
		t.Errorf("%q, %v", text, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if end.StopReason != acp.StopReasonEndTurn || !strings.Contains(c.text.String(), "I make a file.") || !strings.Contains(c.text.String(), "Made.") || c.seen["permission"] != 1 || c.seen["tool_call"] != 1 {
		t.Errorf("stop reason %s, text %q, seen %v", end.StopReason, c.text.String(), c.seen)
	}
	if results := s.ToolResults(); len(results) != 1 || !strings.HasPrefix(results[0], "Created file") {
		t.Errorf("tool results %q", results)
	}
}
