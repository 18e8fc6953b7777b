package session_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/twin"
)

// patience is how long a test waits for what must come; nothing waits that long unless it is broken.
const patience = await.Limit

// rig is a bridge in this process between a scripted agent, a screen and an editor with buffers.
type rig struct {
	t       *testing.T
	dir     string // the workspace, links resolved
	b       *Bridge
	cfg     Config
	screen  *screen
	editor  *fsproxytest.Editor
	scripts []string         // one for each start of the agent; the last one serves for all further ones
	agents  []*acptest.Agent // as they were started
	session string
	ctx     context.Context
}

// newRig makes a bridge over a folder with files; the scripts are played by the agents it starts.
func newRig(t *testing.T, files map[string]string, scripts ...string) *rig {
	return newRigWith(t, files, func(*Config) {}, scripts...)
}

func newRigWith(t *testing.T, files map[string]string, change func(*Config), scripts ...string) *rig {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background()) // without a limit: each wait has its own
	t.Cleanup(cancel)
	r := &rig{t: t, dir: dir, screen: newScreen(), scripts: scripts, ctx: ctx}
	for name, text := range files {
		r.put(name, text)
	}
	exe, err := twin.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r.editor = fsproxytest.New(fsproxytest.Honest, nil, fsproxytest.Folder{})
	r.editor.Auto = true
	cfg := Config{
		Log: zerolog.Nop(), Version: "test", Editor: r.screen, Buffers: r.editor, Folders: []string{dir},
		Env: os.Environ(), Start: r.startAgent, Self: []string{exe}, Flush: FlushDisk,
	}
	change(&cfg)
	r.cfg = cfg
	if r.b, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	r.editor.Overlay = r.b.Overlay()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := r.b.Close(ctx); err != nil && !errors.As(err, new(*agent.ExitError)) {
			t.Errorf("close: %v", err)
		}
		for _, a := range r.agents {
			a.Stop()
			if err := a.Wait(); err != nil {
				t.Error(err)
			}
		}
	})
	return r
}

// startAgent is the bridge's [Starter].
func (r *rig) startAgent(ctx context.Context, h agent.Handler) (Agent, error) {
	n := min(len(r.agents), len(r.scripts)-1)
	ours, theirs := net.Pipe()
	// A session that is closed with a turn under way cancels it, whatever the script has come to.
	a := acptest.Script(r.scripts[n]+"\nignore session/cancel").Start(context.Background(), theirs, acptest.Options{})
	r.agents = append(r.agents, a)
	return agent.Connect(ctx, agent.Config{ClientInfo: acp.Implementation{Name: "test"}, Capabilities: Capabilities(), Log: zerolog.Nop(), Handler: h}, ours)
}

func (r *rig) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *rig) put(name, text string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(r.path(name), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) disk(name string) string {
	b, err := os.ReadFile(r.path(name))
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return string(b)
}

// buffer opens a file in the editor; text, if not nil, is typed over it and stays unsaved.
func (r *rig) buffer(name string, text ...string) {
	r.t.Helper()
	p := r.path(name)
	r.editor.Open(p)
	for _, s := range text {
		old, _ := r.editor.Text(p)
		r.editor.Replace(p, 0, len(old), s)
	}
}

func (r *rig) bufferText(name string) string {
	s, open := r.editor.Text(r.path(name))
	if !open {
		return "(not open)"
	}
	return s
}

// open opens the session.
func (r *rig) open() *rig {
	r.t.Helper()
	s, err := r.b.NewSession(r.ctx, NewSessionRequest{Cwd: r.dir})
	if err != nil {
		r.t.Fatal(err)
	}
	r.session = s.ID
	return r
}

// prompt sends a prompt and returns its turn.
func (r *rig) prompt(text string) string {
	r.t.Helper()
	turn, err := r.b.Prompt(r.session, []acp.ContentBlock{acp.Text(text)}, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return turn.ID
}

// until waits until the events hold what is looked for.
func (r *rig) until(what string, met func([]Event) bool) []Event {
	r.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		events, changed := r.screen.seen()
		if met(events) {
			return events
		}
		select {
		case <-changed:
		case <-late.C:
			r.t.Fatalf("%s did not come; the last events: %s\nagents: %v", what, show(events), r.failures())
		}
	}
}

// failures says what scripts have failed so far.
func (r *rig) failures() (out []error) {
	for _, a := range r.agents {
		select {
		case <-a.Done():
			out = append(out, a.Wait())
		default:
		}
	}
	return out
}

// ended waits for the end of a turn.
func (r *rig) ended(turn string) (end *TurnEnded) {
	r.t.Helper()
	r.until("the end of "+turn, func(events []Event) bool {
		for _, e := range ends(events) {
			if e.Turn == turn {
				end = e
			}
		}
		return end != nil
	})
	return end
}

// run is a whole turn that must end as it should.
func (r *rig) run(text string) *TurnEnded {
	r.t.Helper()
	end := r.ended(r.prompt(text))
	if end.Err != nil || end.StopReason != acp.StopReasonEndTurn {
		r.t.Fatalf("the turn ended with %s, %v; agents: %v", end.StopReason, end.Err, r.failures())
	}
	return end
}

// await waits until the script of the newest agent is at a marker.
func (r *rig) await(mark string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	if err := r.agents[len(r.agents)-1].Await(ctx, mark); err != nil {
		r.t.Fatal(err)
	}
}

// set sets a marker for the newest agent.
func (r *rig) set(mark string) { r.agents[len(r.agents)-1].Set(mark) }

// events are all events so far, everything pushed included.
func (r *rig) events() []Event {
	for _, s := range r.b.List() {
		s.Settled() // what comes with what has been seen is shown too
	}
	r.b.Flush(r.ctx)
	events, _ := r.screen.seen()
	return events
}

// link is the running agent, as its editor tools reach it.
func (r *rig) link() *link {
	if p := r.b.Config().Agents.Running(); p != nil {
		return r.b.Attend(p)
	}
	return nil
}

// caller is who calls editor tools in the session of the scripts.
func caller() tools.Caller { return tools.Caller{AgentSession: "s1"} }

func (r *rig) theSession() *Session {
	r.t.Helper()
	s, err := r.b.Session(r.session)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// show prints the newest events.
func show(events []Event) string {
	var b strings.Builder
	for _, ev := range events[max(0, len(events)-12):] {
		b.WriteString("\n\t" + printed(ev))
	}
	return b.String()
}

var _ fsproxy.Editor = (*fsproxytest.Editor)(nil)

// there says that something has a name.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
