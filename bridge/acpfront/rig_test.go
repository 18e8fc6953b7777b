package acpfront

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lend"
)

// rig is a server between an editor and agents, all in this process. The test plays both.
type rig struct {
	t      testing.TB
	dir    string // the workspace
	state  string
	editor *peer

	mu     sync.Mutex
	agents []*peer
	came   chan *peer
	hello  jsontext.Value
	log    syncBuffer
}

// setup says what a rig is like.
type setup struct {
	caps   string // clientCapabilities, JSON; "" is fs and nothing else
	client string // clientInfo.name; "" is one that nobody knows
	info   string // what the agent says of itself, JSON; "" is one that loads sessions
	files  map[string]string
	config func(*bridge.Config)
	state  string // state folder of an earlier rig
	borrow *lend.Borrower
}

const (
	fsCaps    = `{"fs":{"readTextFile":true,"writeTextFile":true}}`
	agentInfo = `{"protocolVersion":1,"agentInfo":{"name":"test","version":"1"},"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"close":{}}}}`
)

// newRig starts a server; the agent has not been started, see connect.
func newRig(t testing.TB, o setup) *rig {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, dir: dir, state: o.state, came: make(chan *peer, 8)}
	if r.state == "" {
		r.state = filepath.Join(t.TempDir(), "state")
	}
	for name, text := range o.files {
		if err := os.WriteFile(r.path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	log := zerolog.New(&r.log).Level(zerolog.DebugLevel)
	cfg := bridge.Config{Log: log, Version: "test", Env: os.Environ(), StateDir: r.state, Start: r.start}
	if o.config != nil {
		o.config(&cfg)
	}
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- Serve(context.Background(), Options{Log: log, Bridge: cfg, Borrow: o.borrow}, theirs)
	}()
	r.editor = newPeer(t, "editor", ours, ours)
	t.Cleanup(func() {
		r.editor.out.Close()
		select {
		case err := <-served:
			if err != nil {
				t.Errorf("the server ended: %v", err)
			}
		case <-time.After(patience):
			t.Error("the server does not end")
		}
		<-r.editor.gone
		for _, a := range r.all() {
			a.out.Close()
			<-a.gone
		}
		if t.Failed() {
			t.Log(r.log.String())
		}
	})
	return r
}

func (r *rig) path(name string) string { return filepath.Join(r.dir, name) }

func (r *rig) all() []*peer {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]*peer(nil), r.agents...)
}

// start is the bridge's Starter.
func (r *rig) start(ctx context.Context, h agent.Handler) (bridge.Agent, error) {
	ours, theirs := net.Pipe()
	a := newPeer(r.t, "agent", theirs, theirs)
	r.mu.Lock()
	r.agents = append(r.agents, a)
	hello := r.hello
	r.mu.Unlock()
	r.came <- a
	return agent.Connect(ctx, agent.Config{Initialize: hello, Log: zerolog.Nop(), Handler: h}, ours)
}

// connect is the handshake of both legs. It returns the agent, and what the editor was answered.
func (r *rig) connect(o setup) (*peer, message) {
	r.t.Helper()
	caps, info, client := o.caps, o.info, o.client
	if caps == "" {
		caps = fsCaps
	}
	if info == "" {
		info = agentInfo
	}
	if client == "" {
		client = "ed"
	}
	params := jsontext.Value(`{"protocolVersion":1,"clientCapabilities":` + caps + `,"clientInfo":{"name":"` + client + `","version":"9","_meta":{"n":12345678901234567890}}}`)
	var p acp.InitializeRequest
	if err := acp.Unmarshal(params, &p); err != nil {
		r.t.Fatal(err)
	}
	r.hello = hello(params, &p)
	r.editor.raw(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":` + string(params) + `}`)
	a := r.agent(info)
	return a, r.editor.response(`"init"`)
}

// agent takes the next agent that is started through its handshake.
func (r *rig) agent(info string) *peer {
	r.t.Helper()
	select {
	case a := <-r.came:
		m := a.expect("initialize")
		a.raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + info + `}`)
		return a
	case <-time.After(patience):
		r.t.Fatalf("no agent is started\n%s", r.log.String())
		return nil
	}
}

// session opens a session with the id s1.
func (r *rig) session(a *peer, id string) {
	r.t.Helper()
	req := r.editor.request("session/new", obj{"cwd": r.dir, "mcpServers": []any{}})
	a.answer(a.expect("session/new"), obj{"sessionId": id})
	r.editor.response(req)
}

// prompt sends a prompt and returns its id, and the request as the agent gets it.
func (r *rig) prompt(a *peer, session, text string) (string, message) {
	r.t.Helper()
	id := r.editor.request("session/prompt", obj{"sessionId": session, "prompt": []any{obj{"type": "text", "text": text}}})
	return id, a.expect("session/prompt")
}

// end answers a prompt and waits until the editor has the answer.
func (r *rig) end(a *peer, id string, m message) message {
	r.t.Helper()
	a.answer(m, obj{"stopReason": "end_turn"})
	return r.editor.response(id)
}

type syncBuffer struct {
	mu sync.Mutex
	b  []byte
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.b = append(s.b, p...)
	return len(p), nil
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.b)
}

var _ io.Writer = (*syncBuffer)(nil)

// quoted is a string as JSON: a path has backslashes on Windows.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string
	}
	return string(b)
}
