package lspfront

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// rig is a server between a fake editor and a scripted agent, all in this process.
type rig struct {
	*fakeEditor
	dir    string // the workspace
	state  string // the state folder
	clock  *fakeClock
	logged *syncBuffer

	agents []*acptest.Agent // in the order in which they were started
}

// setup says what a rig is like; the zero setup is a plain editor with an agent that is never asked for anything.
type setup struct {
	script  string // of the agent, after the session has been opened
	scripts []string
	files   map[string]string
	rich    []string // concerns that the plugin takes over
	options obj      // initializationOptions
	without []string // capabilities that this editor does not have: "window.showDocument"
	with    obj      // capabilities of "workspace" beside the usual ones
	clock   *fakeClock
	dir     string // of the workspace; a new one if it is ""

	noFolder bool // the editor has no workspace folder
	config   func(*bridge.Config)
}

// opening is what every scripted agent does first.
const opening = "handshake\nstub session/close\nignore session/cancel\nsession s1\n"

// newRig starts a server and opens the connection.
func newRig(t testing.TB, o setup) *rig {
	t.Helper()
	dir := o.dir
	if dir == "" {
		var err error
		if dir, err = filepath.EvalSymlinks(t.TempDir()); err != nil {
			t.Fatal(err)
		}
	}
	r := &rig{dir: dir, state: filepath.Join(t.TempDir(), "state"), clock: o.clock, logged: &syncBuffer{}}
	if r.clock == nil {
		r.clock = newFakeClock(true)
	}
	for name, text := range o.files {
		r.put(t, name, text)
	}
	scripts := o.scripts
	if scripts == nil {
		scripts = []string{opening + o.script}
	}
	log := zerolog.New(r.logged).Level(zerolog.DebugLevel)
	cfg := bridge.Config{
		Log: log, Version: "test", Env: os.Environ(), StateDir: r.state, Flush: bridge.FlushNever,
		Start: func(ctx context.Context, h agent.Handler) (bridge.Agent, error) {
			return r.startAgent(ctx, h, t, scripts)
		},
	}
	if o.config != nil {
		o.config(&cfg)
	}
	fromEditor, toServer := io.Pipe()
	fromServer, toEditor := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- Serve(context.Background(), Options{Log: log, Version: "test", Bridge: cfg, clock: r.clock}, fromEditor, toEditor, closers{fromEditor, toEditor})
	}()
	r.fakeEditor = newFakeEditor(t, fromServer, toServer)
	t.Cleanup(func() {
		r.notify("exit", nil)
		select {
		case err := <-served:
			if err != nil {
				t.Errorf("the server ended: %v", err)
			}
		case <-time.After(patience):
			t.Error("the server does not end")
		}
		toServer.Close()
		r.work.Wait()
		for _, a := range r.agents {
			a.Stop()
			if err := a.Wait(); err != nil {
				t.Error(err)
			}
		}
		if t.Failed() {
			t.Log(r.log())
			t.Log(r.logged.String())
		}
	})
	r.call("initialize", o.initialize(dir), nil)
	r.notify("initialized", obj{})
	return r
}

// startAgent plays the next script; the last one serves for all further starts.
func (r *rig) startAgent(ctx context.Context, h agent.Handler, t testing.TB, scripts []string) (bridge.Agent, error) {
	r.mu.Lock()
	// The server may end while the agent is at it, and takes back then what it has asked for.
	script := "ignore $/cancel_request\n" + scripts[min(len(r.agents), len(scripts)-1)]
	ours, theirs := net.Pipe()
	a := acptest.Script(script).Start(context.Background(), theirs, acptest.Options{Vars: map[string]string{"dir": r.dir}})
	r.agents = append(r.agents, a)
	r.mu.Unlock()
	r.wake()
	return agent.Connect(ctx, agent.Config{
		ClientInfo: acp.Implementation{Name: "test", Version: "1"}, Capabilities: bridge.Capabilities(), Log: zerolog.Nop(), Handler: h,
	}, ours)
}

func (o *setup) initialize(dir string) obj {
	plugin := obj{"version": 1}
	for _, c := range o.rich {
		plugin[c] = true
	}
	workspace := obj{
		"applyEdit": true, "configuration": true, "workspaceEdit": obj{"documentChanges": true},
		"codeLens": obj{"refreshSupport": true}, "textDocumentContent": obj{},
	}
	for k, v := range o.with {
		workspace[k] = v
	}
	caps := obj{
		"workspace":    workspace,
		"textDocument": obj{"publishDiagnostics": obj{"versionSupport": true}, "codeLens": obj{}},
		"window":       obj{"workDoneProgress": true, "showDocument": obj{"support": true}, "showMessage": obj{}},
		"experimental": obj{"copilotBridge": plugin},
	}
	for _, path := range o.without {
		group, name, _ := bytes.Cut([]byte(path), []byte("."))
		delete(caps[string(group)].(obj), string(name))
	}
	folders := []obj{{"uri": uriOf(dir), "name": "w"}}
	if o.noFolder {
		folders = nil
	}
	return obj{"processId": nil, "capabilities": caps, "initializationOptions": o.options, "workspaceFolders": folders}
}

func (r *rig) put(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// prompt sends a prompt by command and returns the turn.
func (r *rig) prompt(text string) promptAnswer {
	r.t.Helper()
	var a promptAnswer
	r.command("prompt", obj{"text": text}, &a)
	if a.SessionID == "" || a.TurnID == "" {
		r.t.Fatalf("prompt answered %+v", a)
	}
	return a
}

// turn sends a prompt by command and waits until the turn is over, as the progress shows it.
func (r *rig) turn(text string) promptAnswer {
	r.t.Helper()
	a := r.prompt(text)
	r.ends(a.TurnID)
	return a
}

// ends waits for the end of a turn.
func (r *rig) ends(turn string) {
	r.t.Helper()
	r.wait("the end of the turn", func() bool {
		for _, raw := range r.of("$/progress") {
			if strings.Contains(string(raw), turn) && strings.Contains(string(raw), `"kind":"end"`) {
				return true
			}
		}
		return false
	})
}

// agent is the n-th agent that was started, from 0.
func (r *rig) agent(n int) *acptest.Agent {
	r.t.Helper()
	r.wait("the agent", func() bool { return len(r.agents) > n })
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.agents[n]
}

type closers []io.Closer

func (c closers) Close() error {
	for _, x := range c {
		x.Close()
	}
	return nil
}

// syncBuffer is a buffer that many may write to.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// fakeClock is a clock that goes on when the test says so, or, if quick, whenever somebody waits for it.
type fakeClock struct {
	quick  bool
	mu     sync.Mutex
	now    time.Time
	timers []*fakeTimer
	set    chan struct{} // gets a value whenever a timer is set
}

type fakeTimer struct {
	at   time.Time
	f    func()
	gone bool
}

// userTime is from when on a wait is for what a user does: a quick clock does not pass it by itself.
const userTime = 5 * time.Second

func newFakeClock(quick bool) *fakeClock {
	return &fakeClock{quick: quick, now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), set: make(chan struct{}, 1000)}
}

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) After(d time.Duration, f func()) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTimer{at: c.now.Add(d), f: f}
	if c.quick && d < userTime {
		c.now = t.at
		go f()
		return func() {}
	}
	c.timers = append(c.timers, t)
	c.set <- struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		t.gone = true
	}
}

// advance lets time pass and runs what was due, one after the other.
func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []*fakeTimer
	rest := c.timers[:0]
	for _, t := range c.timers {
		if !t.gone && !t.at.After(c.now) {
			due = append(due, t)
		} else {
			rest = append(rest, t)
		}
	}
	c.timers = rest
	c.mu.Unlock()
	for _, t := range due {
		t.f()
	}
}

// waiting is how many timers are set.
func (c *fakeClock) waiting() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.timers {
		if !t.gone {
			n++
		}
	}
	return n
}
