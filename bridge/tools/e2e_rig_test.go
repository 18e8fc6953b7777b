//go:build e2e

package tools

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

type step struct {
	Text  string
	Tools []toolCall
}

type toolCall struct {
	Name string         `json:"name"`
	Args map[string]any `json:"args"`
}

// scriptedModel answers the i-th request after the newest user message with step i, and keeps what it was sent.
type scriptedModel struct {
	*httptest.Server
	steps []step

	mu    sync.Mutex
	tools map[string]bool
	seen  map[string]string // tool results by call id
	turns int               // user messages of the newest request; call ids are of their turn
}

func newModel(t *testing.T, steps ...step) *scriptedModel {
	m := &scriptedModel{steps: steps, tools: map[string]bool{}, seen: map[string]string{}}
	m.Server = httptest.NewServer(http.HandlerFunc(m.answer))
	t.Cleanup(m.Close)
	return m
}

func (m *scriptedModel) answer(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"mock","object":"model"}]}`)
		return
	}
	var req struct {
		Messages []struct {
			Role       string `json:"role"`
			Content    any    `json:"content"`
			ToolCallID string `json:"tool_call_id"`
		} `json:"messages"`
		Tools []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
	}
	_ = json.NewDecoder(r.Body).Decode(&req)
	m.mu.Lock()
	n := 0
	m.turns = 0
	for _, msg := range req.Messages {
		switch msg.Role {
		case "user":
			n = 0
			m.turns++
		case "assistant":
			n++
		case "tool":
			m.seen[msg.ToolCallID] = fmt.Sprint(msg.Content)
		}
	}
	for _, tl := range req.Tools {
		m.tools[tl.Function.Name] = true
	}
	turn := m.turns
	m.mu.Unlock()
	st := step{Text: "done"}
	if len(req.Tools) > 0 && n < len(m.steps) {
		st = m.steps[n]
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(delta map[string]any, finish any) {
		b, _ := json.Marshal(map[string]any{"id": "c", "object": "chat.completion.chunk", "model": "mock",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		fmt.Fprintf(w, "data: %s\n\n", b)
	}
	send(map[string]any{"role": "assistant", "content": st.Text}, nil)
	finish := "stop"
	if len(st.Tools) > 0 {
		finish = "tool_calls"
		var calls []any
		for i, c := range st.Tools {
			args, _ := json.Marshal(c.Args)
			calls = append(calls, map[string]any{"index": i, "id": fmt.Sprintf("call_%d_%d_%d", turn, n, i), "type": "function",
				"function": map[string]any{"name": c.Name, "arguments": string(args)}})
		}
		send(map[string]any{"tool_calls": calls}, nil)
	}
	send(map[string]any{}, finish)
	_, _ = io.WriteString(w, "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"model\":\"mock\",\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1,\"total_tokens\":2}}\n\ndata: [DONE]\n\n")
}

func (m *scriptedModel) result(id string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[id]
}

// copilot is a running CLI, spoken to in lines.
type copilot struct {
	t     *testing.T
	in    io.Writer
	id    int
	mu    sync.Mutex
	waits map[int]chan json.RawMessage
}

func startCopilot(t *testing.T, m *scriptedModel, dir, socket string) *copilot {
	exe := os.Getenv("COPILOT")
	if exe == "" {
		t.Fatal("COPILOT is not set to the path of a Copilot CLI")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config, _ := json.Marshal(map[string]any{"mcpServers": map[string]any{ServerName: map[string]any{
		"type": "local", "command": self, "args": []string{pipeArg, socket}, "tools": []string{"*"}}}})
	cmd := exec.Command(exe, "--acp", "--stdio", "--allow-tool="+ServerName, "--additional-mcp-config", string(config),
		"--excluded-tools=view,edit,create,bash,read_bash,stop_bash,list_bash,grep,glob,apply_patch")
	home := filepath.Join(dir, "home")
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	// Copilot unpacks itself into the cache: once, not once a test.
	shared := filepath.Join(cache, "copilot")
	if err := errors.Join(os.MkdirAll(shared, 0o755), os.MkdirAll(filepath.Join(home, ".cache"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(shared, filepath.Join(home, ".cache", "copilot")); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "HOME="+home, "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL="+m.URL+"/v1", "COPILOT_MODEL=mock", "COPILOT_AUTO_UPDATE=false")
	cmd.Dir = dir
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
	c := &copilot{t: t, in: in, waits: map[int]chan json.RawMessage{}}
	read := make(chan struct{})
	go func() {
		defer close(read)
		c.read(out)
	}()
	t.Cleanup(func() {
		_ = in.Close()
		<-read
		_ = cmd.Wait()
	})
	return c
}

func (c *copilot) read(out io.Reader) {
	sc := bufio.NewScanner(out)
	sc.Buffer(nil, 8<<20)
	for sc.Scan() {
		var msg struct {
			ID     *int            `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if json.Unmarshal(sc.Bytes(), &msg) != nil || msg.ID == nil || msg.Method != "" {
			continue
		}
		c.mu.Lock()
		ch := c.waits[*msg.ID]
		c.mu.Unlock()
		if len(msg.Error) > 0 {
			c.t.Errorf("copilot answers an error: %s", msg.Error)
		}
		ch <- msg.Result
	}
}

func (c *copilot) send(method string, params any) <-chan json.RawMessage {
	c.mu.Lock()
	c.id++
	id := c.id
	ch := make(chan json.RawMessage, 1)
	c.waits[id] = ch
	c.mu.Unlock()
	b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if _, err := c.in.Write(append(b, '\n')); err != nil {
		c.t.Fatal(err)
	}
	return ch
}

func (c *copilot) call(method string, params any) json.RawMessage {
	c.t.Helper()
	select {
	case r := <-c.send(method, params):
		return r
	case <-time.After(90 * time.Second):
		c.t.Fatalf("%s: no answer", method)
		return nil
	}
}

func (c *copilot) newSession(dir string) string {
	c.call("initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{}})
	var r struct {
		SessionID string `json:"sessionId"`
	}
	if err := json.Unmarshal(c.call("session/new", map[string]any{"cwd": dir, "mcpServers": []any{}}), &r); err != nil {
		c.t.Fatal(err)
	}
	return r.SessionID
}

func prompt(session string) map[string]any {
	return map[string]any{"sessionId": session, "prompt": []any{map[string]any{"type": "text", "text": "go"}}}
}
