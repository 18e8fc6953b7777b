package transcript

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/transcript/program"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/twin"
)

// patience is how long a test waits for what must come.
const patience = await.Limit

// The helps of programs: old has nothing but -p, resuming has sessions that it names itself, and modern is as Copilot CLI
// 1.0.102.
const (
	old      = "Usage: copilot -p TEXT -s --stream on"
	resuming = old + "\n --resume ID\n --continue"
	modern   = resuming + "\n --session-id ID --output-format json --excluded-tools --additional-mcp-config --allow-tool --acp"
)

// rig is an agent with its program, and what it told.
type rig struct {
	t     *testing.T
	dir   string // of the program's script
	ws    string
	state string // of the bridge: the sessions in it
	a     *Agent
	id    acp.SessionID
	turns int
	conv  atomic.Pointer[talk] // of the session, nil while the bridge has not been told its id

	mu     sync.Mutex
	news   *sync.Cond
	heard  []acp.SessionUpdate
	events []*conversation.Happening
	exits  int
	also   []acp.SessionID
}

// newRig makes an agent of a program with that help; scripts are its calls.
func newRig(t *testing.T, help string, change func(*Config), scripts ...string) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir(), ws: t.TempDir(), state: t.TempDir()}
	r.news = sync.NewCond(&r.mu)
	r.put("help", help)
	r.put("version", "0.0.300")
	r.put("always", "echo")
	for i, s := range scripts {
		r.put(fmt.Sprint(i+1), s)
	}
	r.start(change)
	resp, err := acp.Call[acp.NewSessionResponse](t.Context(), r.a, acp.MethodSessionNew, &acp.NewSessionRequest{Cwd: r.ws})
	if err != nil {
		t.Fatal(err)
	}
	r.opened(resp.SessionID)
	return r
}

// talk is a session's conversation, kept as the bridge keeps it.
type talk struct {
	*conversation.Conversation
	turn    atomic.Value // string
	foreign bool
}

func newTalk(c *conversation.Conversation) *talk {
	k := &talk{Conversation: c}
	k.turn.Store("")
	return k
}

func (k *talk) Turn() string  { return k.turn.Load().(string) }
func (k *talk) Foreign() bool { return k.foreign }
func (k *talk) Said(_ context.Context, visit func(conversation.Said)) error {
	return k.Conversation.Said(visit)
}

func (r *rig) store() *store.Store { return store.Open(store.Config{Dir: r.state}) }

// opened is what the bridge does with a session that the agent has opened.
func (r *rig) opened(id acp.SessionID) {
	r.t.Helper()
	r.id = id
	c := conversation.New(conversation.Config{ID: string(id), Store: r.store()})
	if err := c.Create(store.Meta{ID: string(id), Agent: string(id), Cwd: r.ws}); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(c.Close)
	c.Sync()
	r.conv.Store(newTalk(c))
}

// reopen takes the conversation from the disk, as a bridge does that was started anew.
func (r *rig) reopen() {
	r.t.Helper()
	r.conv.Load().Close()
	saved, err := r.store().Load(string(r.id))
	if err != nil {
		r.t.Fatal(err)
	}
	c := conversation.New(conversation.Config{ID: string(r.id), Store: r.store()})
	if _, _, err := c.Restore(saved); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(c.Close)
	r.conv.Store(newTalk(c))
}

// of finds the session's conversation.
func (r *rig) of(id acp.SessionID) Conversation {
	if k := r.conv.Load(); k != nil && id == r.id {
		return k
	}
	return nil
}

// tells has a prompt in the conversation while f runs, as the bridge does for a turn.
func (r *rig) tells(blocks []acp.ContentBlock, f func() (*acp.PromptResponse, error)) (*acp.PromptResponse, error) {
	k := r.conv.Load()
	if k.Turn() != "" {
		return f() // the turn that runs is told of it; that it is a second one is the agent's to say
	}
	r.turns++
	turn := fmt.Sprintf("t-%p-%d", r.a, r.turns)
	k.AddPrompt(turn, blocks, nil)
	k.turn.Store(turn)
	resp, err := f()
	end := conversation.End{StopReason: acp.StopReasonEndTurn}
	if err != nil {
		end = conversation.End{StopReason: conversation.StopReasonError, Message: err.Error(), Lost: true}
	}
	k.turn.Store("")
	k.AddEnd(turn, end)
	return resp, err
}

func (r *rig) start(change func(*Config)) {
	r.t.Helper()
	exe, err := twin.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	env := append(os.Environ(), fakeDir+"="+r.dir, "COPILOT_HOME="+filepath.Join(r.dir, "home"))
	cfg := Config{Launch: copilot.Launch{Command: []string{exe}}, Env: env, Guard: []string{exe, "guard"}, Conversation: r.of, Handler: r, Log: zerolog.Nop(),
		Happened: func(_ acp.SessionID, e *conversation.Happening) { r.note(func() { r.events = append(r.events, e) }) },
		Alias:    func(_, also acp.SessionID) { r.note(func() { r.also = append(r.also, also) }) }}
	if change != nil {
		change(&cfg)
	}
	if r.a, err = Start(r.t.Context(), cfg); err != nil {
		r.t.Fatal(err)
	}
	a := r.a
	r.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := a.Close(ctx); err != nil {
			r.t.Error(err)
		}
	})
}

// again ends the agent and starts another one with the same session.
func (r *rig) again(change func(*Config)) {
	r.t.Helper()
	if err := r.a.Close(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	r.reopen()
	r.start(change)
	if _, err := acp.Call[acp.LoadSessionResponse](r.t.Context(), r.a, acp.MethodSessionLoad, &acp.LoadSessionRequest{SessionID: r.id, Cwd: r.ws}); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) put(name, text string) {
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) note(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
	r.news.Broadcast()
}

func (r *rig) Message(m *acp.Message) {
	u := m.Update()
	if u == nil || m.Request != nil {
		r.t.Errorf("%s: %s", m.Method, m.Params())
		return
	}
	r.note(func() {
		r.heard = append(r.heard, u)
		if k := r.conv.Load(); k != nil && k.Turn() != "" {
			k.Add(&conversation.Message{Turn: k.Turn(), Message: m})
		} else if k != nil && k.foreign {
			k.Add(&conversation.Message{Replay: true, Message: m})
		}
	})
}
func (r *rig) Drained()                                   {}
func (r *rig) Exited(*agent.ExitError)                    { r.note(func() { r.exits++ }) }
func (r *rig) prompt(text string) (acp.StopReason, error) { return r.promptIn(r.t.Context(), text) }

func (r *rig) cancel() error {
	return r.a.Notify(r.t.Context(), acp.MethodSessionCancel, jsontext.Value(`{"sessionId":"`+string(r.id)+`"}`))
}

func (r *rig) closeSession() error {
	_, err := acp.Call[acp.CloseSessionResponse](context.Background(), r.a, acp.MethodSessionClose, &acp.CloseSessionRequest{SessionID: r.id})
	return err
}

func (r *rig) promptIn(ctx context.Context, text string) (acp.StopReason, error) {
	blocks := []acp.ContentBlock{acp.Text(text)}
	resp, err := r.tells(blocks, func() (*acp.PromptResponse, error) {
		return acp.Call[acp.PromptResponse](ctx, r.a, acp.MethodSessionPrompt, &acp.PromptRequest{SessionID: r.id, Prompt: blocks})
	})
	if err != nil {
		return "", err
	}
	return resp.StopReason, nil
}

// ok is a prompt that must go well; it returns the call that was made for it.
func (r *rig) ok(text string) fakeCall {
	r.t.Helper()
	if stop, err := r.prompt(text); err != nil || stop != acp.StopReasonEndTurn {
		r.t.Fatalf("%.60q: %v, %v", text, stop, err)
	}
	return r.last()
}

// fails is a prompt that must not go well.
func (r *rig) fails(text string, want program.Reason) *program.Failure {
	r.t.Helper()
	_, err := r.prompt(text)
	f, ok := err.(*program.Failure)
	if !ok || f.Reason != want {
		r.t.Fatalf("%.60q: %v, want a failure: %s", text, err, want)
	}
	return f
}

// calls are the program's, without those for summaries.
func (r *rig) calls() (out []fakeCall) {
	for _, c := range fakeCalls(r.dir) {
		if !strings.HasPrefix(c.Prompt, "Summarize the conversation") {
			out = append(out, c)
		}
	}
	return out
}

func (r *rig) last() fakeCall {
	r.t.Helper()
	all := r.calls()
	if len(all) == 0 {
		r.t.Fatal("the program was not called")
	}
	return all[len(all)-1]
}

// said is the text of the agent's messages so far.
func (r *rig) said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, u := range r.heard {
		if c, ok := u.(*acp.AgentMessageChunk); ok {
			b.WriteString(c.Content.(*acp.TextContent).Text)
		}
	}
	return b.String()
}

// told are the events of a type so far.
func (r *rig) told(kind string) (out []*conversation.Happening) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		if e.Type == kind {
			out = append(out, e)
		}
	}
	return out
}

// await waits until something holds.
func (r *rig) await(what string, holds func() bool) {
	r.t.Helper()
	late := false
	timer := time.AfterFunc(patience, func() { r.note(func() { late = true }) })
	defer timer.Stop()
	for {
		r.mu.Lock()
		n := len(r.heard) + len(r.events)
		r.mu.Unlock()
		if holds() {
			return
		}
		r.mu.Lock()
		for n == len(r.heard)+len(r.events) && !late {
			r.news.Wait()
		}
		gaveUp := late
		r.mu.Unlock()
		if gaveUp {
			r.t.Fatalf("%s: not within %s", what, patience)
		}
	}
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// freshDetector has seen no program: what is in its place may be another one.
func freshDetector() *copilot.Detector { return new(copilot.Detector) }
