package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
)

// TestAClosedSessionHoldsNoPlace guards the order of the wire: a place that was taken for an update of a session that is
// closed before it is known is given up, and what comes behind it is shown.
func TestAClosedSessionHoldsNoPlace(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, nil, func(c *Config) { c.Hello = jsontext.Value("{}") }, "handshake")
	if err := r.b.ConnectAgent(r.ctx); err != nil {
		t.Fatal(err)
	}
	l := r.link()
	defer l.Opening(true)() // the bridge opens a session itself: updates of an unknown one wait for its id
	l.Message(acp.NewMessage(acp.MethodSessionUpdate, jsontext.Value(`{"sessionId":"s9","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}`)))
	if slices.ContainsFunc(r.events(), func(e Event) bool { _, ok := e.(*Message); return ok }) {
		t.Fatal("the update does not wait for its session")
	}
	ended, err := r.b.Ended(r.dir, "s9")
	if err != nil {
		t.Fatal(err)
	}
	l.Bind("s9", ended.(agents.Receiver))
	r.b.Config().Out.Push(&StatusChanged{Message: "behind it"})
	r.until("what comes behind the place", func(events []Event) bool {
		return slices.ContainsFunc(events, func(e Event) bool {
			st, ok := e.(*StatusChanged)
			return ok && st.Message == "behind it"
		})
	})
}

// TestAClosedSessionCancelsItsTurn: the agent hears of it before the session is closed there.
func TestAClosedSessionCancelsItsTurn(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, "handshake\nignore $/cancel_request\nsession s1\nexpect@p session/prompt\nmark there\nexpect session/cancel {\"sessionId\":\"s1\"}\nmark cancelled\nreply@p {\"stopReason\":\"cancelled\"}\nstub session/close").open()
	r.prompt("go")
	r.await("there")
	if err := r.b.CloseSession(r.ctx, r.session); err != nil {
		t.Fatal(err)
	}
	r.await("cancelled")
}

// TestAPromptBehindALoadThatHangsCanBeCancelled: it waits for the session to be known to the agent, and no longer than
// the user does.
func TestAPromptBehindALoadThatHangsCanBeCancelled(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, "handshake\nignore $/cancel_request\nexpect@n session/new\nmark opening\nwait go\nreply@n {\"sessionId\":\"s1\"}\nstub session/close")
	if err := r.b.ConnectAgent(r.ctx); err != nil {
		t.Fatal(err)
	}
	opened := make(chan error, 1)
	info, err := r.b.NewSession(r.ctx, NewSessionRequest{Cwd: r.dir, Later: true})
	if err != nil {
		t.Fatal(err)
	}
	r.session = info.ID
	s := r.theSession()
	go func() {
		err := s.Attach(r.ctx)
		opened <- err
	}()
	r.await("opening")
	turn := r.prompt("go")
	if err := r.b.Cancel(r.session, Cancellation{Turn: turn}); err != nil {
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
	t.Parallel()
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
