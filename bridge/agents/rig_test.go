package agents

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/bridge/transcript"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// rig is a pool of agents inside this process, which do nothing but end.
type rig struct {
	t *testing.T
	*Pool
	ctx context.Context

	mu     sync.Mutex
	agents []*fakeAgent
	told   []Status
	offers int
}

func newRig(t *testing.T, change func(*Config)) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), await.Limit)
	t.Cleanup(cancel)
	r := &rig{t: t, ctx: ctx}
	cfg := Config{
		Log: zerolog.Nop(), Kind: KindCopilot, Now: time.Now, Start: r.start,
		Attend: func(*Process) Attendant { return attendant{} }, Started: func(*Process) {},
		Tell: func(s Status) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.told = append(r.told, s)
		},
		Offer: func(context.Context, Offer) bool {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.offers++
			return false
		},
	}
	change(&cfg)
	r.Pool = New(cfg)
	t.Cleanup(func() {
		r.Shut()
		if err := r.Close(ctx); err != nil {
			t.Error(err)
		}
		r.Wait()
	})
	return r
}

// start is the pool's [Starter].
func (r *rig) start(_ context.Context, h agent.Handler) (Agent, error) {
	a := &fakeAgent{handler: h, disconnected: make(chan struct{}), done: make(chan struct{})}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.agents = append(r.agents, a)
	return a, nil
}

// started are the agents that were started so far.
func (r *rig) started() []*fakeAgent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.agents
}

func (r *rig) get(servers ...acp.MCPServer) *Process {
	r.t.Helper()
	a, err := r.For(r.ctx, servers)
	if err != nil {
		r.t.Fatal(err)
	}
	return a
}

// server is one that Copilot takes on its command line only.
func server(name string) acp.MCPServer { return &acp.MCPServerStdio{Name: name, Command: name} }

// fakeAgent is an [Agent] that only ends, orderly or not.
type fakeAgent struct {
	Agent
	handler      agent.Handler
	disconnected chan struct{}
	done         chan struct{}
	cut, once    sync.Once
}

func (a *fakeAgent) Info() agent.Info {
	return agent.Info{Name: "fake", AuthMethods: []acp.AuthMethod{}}
}
func (a *fakeAgent) Disconnected() <-chan struct{} { return a.disconnected }
func (a *fakeAgent) Done() <-chan struct{}         { return a.done }

func (a *fakeAgent) Close(context.Context) error {
	a.exit(&agent.ExitError{Asked: true})
	return nil
}

// disconnect ends the connection; its processes go on for a while.
func (a *fakeAgent) disconnect() { a.cut.Do(func() { close(a.disconnected) }) }

func (a *fakeAgent) crash() { a.exit(&agent.ExitError{Code: 1}) }

func (a *fakeAgent) exit(how *agent.ExitError) {
	a.once.Do(func() {
		a.disconnect()
		a.handler.Exited(how)
		close(a.done)
	})
}

// attendant is told nothing.
type attendant struct{ tools.Host }

func (attendant) Message(*acp.Message) {}
func (attendant) Drained()             {}

// session is a [Receiver] that notes what it takes.
type session struct {
	taken []int
	gone  chan struct{}
}

func newSession() *session { return &session{gone: make(chan struct{})} }

func (*session) Happened(*conversation.Happening)    {}
func (*session) Transcript() transcript.Conversation { return nil }
func (s *session) AgentGone()                        { close(s.gone) } // once

func (s *session) take(n int) func(Receiver) {
	return func(r Receiver) { r.(*session).taken = append(r.(*session).taken, n) }
}

// heldClock tells of each pause, and none of them ends.
type heldClock struct {
	waiting chan struct{}
}

func (*heldClock) Now() time.Time { return time.Unix(0, 0) }

func (c *heldClock) After(time.Duration) <-chan time.Time {
	c.waiting <- struct{}{}
	return nil
}
