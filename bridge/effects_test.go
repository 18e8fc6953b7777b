package bridge

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// TestAClosedSessionHoldsNoPlace guards the order of the wire: a place that was taken for an update of a session that is
// closed before it is known is given up, and what comes behind it is shown.
func TestAClosedSessionHoldsNoPlace(t *testing.T) {
	r := newRigWith(t, nil, func(c *Config) { c.Hello = jsontext.Value("{}") }, "handshake")
	if err := r.b.ConnectAgent(r.ctx); err != nil {
		t.Fatal(err)
	}
	l := r.link()
	l.openInner(+1) // the bridge opens a session itself: updates of an unknown one wait for its id
	l.Message(acp.NewMessage(acp.MethodSessionUpdate, jsontext.Value(`{"sessionId":"s9","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}`)))
	if len(l.early["s9"]) != 1 {
		t.Fatal("the update does not wait for its session")
	}
	s, err := r.b.register(NewSessionRequest{Cwd: r.dir})
	if err != nil {
		t.Fatal(err)
	}
	s.wire.named("s9")
	r.b.forget(s)
	l.bind("s9", s)
	r.b.out.push(&StatusChanged{Message: "behind it"})
	r.until("what comes behind the place", func(events []Event) bool {
		return slices.ContainsFunc(events, func(e Event) bool {
			st, ok := e.(*StatusChanged)
			return ok && st.Message == "behind it"
		})
	})
}

// TestAClosedSessionCancelsItsTurn: the agent hears of it before the session is closed there.
func TestAClosedSessionCancelsItsTurn(t *testing.T) {
	r := newRig(t, nil, "handshake\nignore $/cancel_request\nsession s1\nexpect@p session/prompt\nmark there\nexpect session/cancel {\"sessionId\":\"s1\"}\nmark cancelled\nreply@p {\"stopReason\":\"cancelled\"}\nstub session/close").open()
	r.prompt("go")
	r.await("there")
	if err := r.b.CloseSession(r.ctx, r.session); err != nil {
		t.Fatal(err)
	}
	r.await("cancelled")
}

// TestSetsOfServersRestartApart: the restart of one set of servers neither waits for that of another nor counts for it.
func TestSetsOfServersRestartApart(t *testing.T) {
	r := newRig(t, nil, "handshake\nclose")
	held := &heldClock{waiting: make(chan struct{}, 2)}
	r.b.clock = held
	one := serverSet{key: "one", servers: []copilot.MCPServer{{Name: "one"}}}
	two := serverSet{key: "two", servers: []copilot.MCPServer{{Name: "two"}}}
	for _, set := range []serverSet{one, two} {
		l := newLink(r.b)
		l.set = set.key
		r.b.crashed(l, &agent.ExitError{Code: 1})
	}
	var both sync.WaitGroup
	ctx, cancel := context.WithCancel(r.ctx)
	for _, set := range []serverSet{one, two} {
		both.Go(func() { _, _ = r.b.connectFor(ctx, set) }) // the agent ends at once: how does not matter here
	}
	for range 2 {
		select {
		case <-held.waiting: // both are in their pause at the same time
		case <-r.ctx.Done():
			t.Error("one restart waits for the other")
		}
	}
	cancel()
	both.Wait()
	r.b.mu.Lock()
	defer r.b.mu.Unlock()
	if r.b.restartsOf("three").crash != nil {
		t.Error("a crash counts for a set that did not crash")
	}
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

// TestAPromptBehindALoadThatHangsCanBeCancelled: it waits for the session to be known to the agent, and no longer than
// the user does.
func TestAPromptBehindALoadThatHangsCanBeCancelled(t *testing.T) {
	r := newRig(t, nil, "handshake\nignore $/cancel_request\nexpect@n session/new\nmark opening\nwait go\nreply@n {\"sessionId\":\"s1\"}\nstub session/close")
	if err := r.b.ConnectAgent(r.ctx); err != nil {
		t.Fatal(err)
	}
	opened := make(chan error, 1)
	info, err := r.b.OpenSession(NewSessionRequest{Cwd: r.dir})
	if err != nil {
		t.Fatal(err)
	}
	r.session = info.ID
	s := r.theSession()
	go func() {
		_, err := s.attach(r.ctx)
		opened <- err
	}()
	r.await("opening")
	turn := r.prompt("go")
	if err := r.b.Cancel(r.session, turn); err != nil {
		t.Fatal(err)
	}
	if end := r.ended(turn); end.StopReason != acp.StopReasonCancelled {
		t.Errorf("the turn ended with %s, %v", end.StopReason, end.Err)
	}
	r.set("go")
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

// TestWhatFollowsTheAnswerToALoadIsNoReplay: the agent's commands come right behind it.
func TestWhatFollowsTheAnswerToALoadIsNoReplay(t *testing.T) {
	// In one write, so that the reader has taken the update in before anybody can act on the answer.
	const answer = `raw "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s1\",\"update\":{\"sessionUpdate\":\"available_commands_update\",\"availableCommands\":[{\"name\":\"go\",\"description\":\"d\"}]}}}\n"
say new`
	for name, load := range map[string]string{
		"load":   "handshake\nstub session/close\nexpect@l session/load\nset session s1\nsay old\n",
		"resume": "handshake {\"protocolVersion\":1,\"agentCapabilities\":{\"loadSession\":true,\"sessionCapabilities\":{\"resume\":{}}}}\nstub session/close\nexpect@l session/resume\nset session s1\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := lasting(t, hello+"expect session/prompt\nsay old\nreply {\"stopReason\":\"end_turn\"}").open()
			r.run("hello")
			r.crash()
			r = r.again(load + answer)
			if _, err := r.b.LoadSession(r.ctx, r.session, ""); err != nil {
				t.Fatal(err)
			}
			r.until("what came behind the answer", func(events []Event) bool {
				_, news := replays(events)
				return strings.Contains(news, "available_commands_update") && strings.Contains(news, "=new")
			})
			if _, news := replays(r.events()); strings.Contains(news, "=old") {
				t.Errorf("shown as new: %s", news)
			}
		})
	}
}

// TestForeignOutputInSmallPiecesCostsWhatItIsLong: a terminal of the agent's that prints byte by byte has each byte moved
// a few times, not the whole of what is kept for each byte.
func TestForeignOutputInSmallPiecesCostsWhatItIsLong(t *testing.T) {
	var f foreign
	var before, after runtime.MemStats
	f.take(&TerminalOutput{Terminal: "x", Data: strings.Repeat("-", maxForeignBytes)})
	ev := &TerminalOutput{Terminal: "x", Data: "é"}
	runtime.ReadMemStats(&before)
	for range 4 * maxForeignBytes / len(ev.Data) {
		f.take(ev)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16*maxForeignBytes {
		t.Errorf("%d bytes were allocated for %d bytes of output", used, 4*maxForeignBytes)
	}
	if k, _ := f.kept("x"); len(k.Data) > maxForeignBytes || len(k.Data) < maxForeignBytes-4 || strings.Trim(k.Data, "é") != "" || !k.Truncated {
		t.Errorf("%d bytes are kept, truncated %v", len(k.Data), k.Truncated)
	}
}

// TestADeadAgentIsNotUsedWhileItsProcessesEnd: between the end of its connection and the end of its processes, which may
// take a second, an agent serves nobody: whoever needs one waits for the next.
func TestADeadAgentIsNotUsedWhileItsProcessesEnd(t *testing.T) {
	r := newRig(t, nil, "handshake")
	dead := newLink(r.b)
	dead.agent = disconnected{}
	r.b.mu.Lock()
	r.b.links[""] = dead
	r.b.mu.Unlock()
	got := make(chan *link, 1)
	go func() {
		l, err := r.b.connect(r.ctx)
		if err != nil {
			t.Error(err)
		}
		got <- l
	}()
	ctx, cancel := context.WithCancel(r.ctx)
	cancel()
	if _, err := r.b.connectFor(ctx, serverSet{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a dead agent, or no wait: %v", err)
	}
	close(dead.gone)
	if l := await.Receive(t, "an agent", got); l == dead || l == nil {
		t.Error("the dead agent is used")
	}
}

// disconnected is an agent whose connection has ended.
type disconnected struct{ Agent }

func (disconnected) Disconnected() <-chan struct{} {
	ended := make(chan struct{})
	close(ended)
	return ended
}
