package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// hello is the start of most scripts: a session s1, and no interest in how it ends.
const hello = "handshake\nsession s1\nstub session/close\nignore $/cancel_request\n"

func TestUpdatesArriveInOrderAndBeforeTheEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+`
expect session/prompt
repeat 500 say <$i>
update tool_call {"toolCallId":"c","title":"T"}
repeat 500 say ($i)
reply {"stopReason":"end_turn"}`).open()
	turn := r.prompt("go")
	r.ended(turn)
	var want strings.Builder
	for i := range 500 {
		fmt.Fprintf(&want, "<%d>", i)
	}
	for i := range 500 {
		fmt.Fprintf(&want, "(%d)", i)
	}
	events := r.events()
	if got := said(events); got != want.String() {
		t.Errorf("the text is not what was sent: %d bytes, want %d", len(got), want.Len())
	}
	last := -1
	seq := uint64(0)
	for i, ev := range events {
		switch e := ev.(type) {
		case *Message:
			last = i
			if e.Seq != seq+1 || e.Turn != turn {
				t.Fatalf("%s has number %d after %d, turn %q", printed(e), e.Seq, seq, e.Turn)
			}
			seq = e.Seq
		case *TurnEnded:
			if i < last || seq == 0 {
				t.Error("the end came before an update")
			}
		}
	}
}

func TestAnAgentThatDiesInATurn(t *testing.T) {
	t.Parallel()
	const again = `handshake
stub session/close
expect@l session/load {"sessionId":"s1"}
repeat 3 say history
reply@l {}
expect session/prompt
say back
reply {"stopReason":"end_turn"}`
	for k := range 6 {
		t.Run(fmt.Sprintf("after %d updates", k), func(t *testing.T) {
			r := newRig(t, nil, hello+fmt.Sprintf("expect session/prompt\nupdate tool_call {\"toolCallId\":\"c\",\"title\":\"T\"}\nrepeat %d say <$i>\nclose", k), again).open()
			end := r.ended(r.prompt("one"))
			if end.StopReason != StopReasonError || end.Err == nil || end.Err.Code != CodeAgentUnavailable || !end.Err.Retryable {
				t.Fatalf("the turn ended with %s, %+v", end.StopReason, end.Err)
			}
			events := r.events()
			if got := strings.Count(said(events), "<"); got != k {
				t.Errorf("%d of %d updates were shown", got, k)
			}
			closed := 0
			for _, u := range updates(events) {
				if c, ok := u.Update().(*acp.ToolCallUpdate); ok && *c.Status == acp.ToolCallStatusFailed {
					closed++
				}
			}
			if closed != 1 {
				t.Errorf("the open tool call was closed %d times", closed)
			}
			r.run("two")
			if s := said(r.events()); strings.Contains(s, "history") || !strings.HasSuffix(s, "back") {
				t.Errorf("after the load the editor was shown %q: the history once more?", s)
			}
		})
	}
}

func TestASecondPromptWaitsForTheFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+`
expect@a session/prompt {"prompt":[{"text":"one"}]}
mark running
wait go
none session/prompt
reply@a {"stopReason":"end_turn"}
expect@b session/prompt {"prompt":[{"text":"two"}]}
reply@b {"stopReason":"end_turn"}
expect@c session/prompt {"prompt":[{"text":"four"}]}
reply@c {"stopReason":"end_turn"}`).open()
	first := r.prompt("one")
	r.await("running")
	turn, err := r.b.Prompt(r.session, []acp.ContentBlock{acp.Text("two")}, nil)
	if err != nil || turn.Queued != 1 {
		t.Fatalf("queued %d, %v", turn.Queued, err)
	}
	third := r.prompt("three")
	if err := r.b.Cancel(r.session, Cancellation{Turn: third}); err != nil {
		t.Fatal(err)
	}
	if end := r.ended(third); end.StopReason != acp.StopReasonCancelled {
		t.Errorf("a prompt taken out of the queue ended with %s", end.StopReason)
	}
	r.set("go")
	r.ended(first)
	r.ended(turn.ID)
	r.run("four")
}

func TestMorePromptsThanMayWaitAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+"expect session/prompt\nmark here").open()
	for range maxTurnsQueued + 1 {
		r.prompt("x")
	}
	_, err := r.b.Prompt(r.session, nil, nil)
	if e := new(Error); !errors.As(err, &e) || e.Code != CodeTurnInProgress {
		t.Errorf("one more: %v", err)
	}
	r.await("here")
}

func TestACancelNeverOvertakesItsPrompt(t *testing.T) {
	t.Parallel()
	// A cancel that comes before the prompt is ignored by agents, and the turn would run on. So either both arrive in
	// this order, or neither.
	r := newRig(t, nil, hello+`
loop
expect@p session/prompt
expect session/cancel
reply@p {"stopReason":"cancelled"}
end`).open()
	for range 200 {
		turn := r.prompt("go")
		if err := r.b.Cancel(r.session, Cancellation{Turn: turn}); err != nil {
			t.Fatal(err)
		}
		if end := r.ended(turn); end.StopReason != acp.StopReasonCancelled || end.Err != nil {
			t.Fatalf("ended with %s, %v", end.StopReason, end.Err)
		}
	}
}

func TestWhatAnAgentSaysAfterACancelDoesNotCount(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"end_turn": `reply@p {"stopReason":"end_turn"}`, "an error": "fail@p -32603 aborted", "cancelled": `reply@p {"stopReason":"cancelled"}`,
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil, hello+"expect@p session/prompt\nmark running\nexpect session/cancel\nsay late\n"+answer).open()
			turn := r.prompt("go")
			r.await("running")
			r.b.Cancel(r.session, Cancellation{})
			if end := r.ended(turn); end.StopReason != acp.StopReasonCancelled || end.Err != nil {
				t.Errorf("ended with %s, %v", end.StopReason, end.Err)
			}
			if !strings.Contains(said(r.events()), "late") {
				t.Error("an update between the cancel and the answer was lost")
			}
		})
	}
}

func TestASecondCancelEndsAnAgentThatIgnoresTheFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+"expect session/prompt\nmark running\nexpect session/cancel\nmark told\neof",
		"handshake\nstub session/close\nexpect session/load\nreply {}\nexpect session/prompt\nreply {\"stopReason\":\"end_turn\"}").open()
	turn := r.prompt("go")
	r.await("running")
	r.b.Cancel(r.session, Cancellation{Turn: turn})
	r.await("told")
	r.b.Cancel(r.session, Cancellation{Turn: turn})
	if end := r.ended(turn); end.StopReason != acp.StopReasonCancelled {
		t.Errorf("ended with %s", end.StopReason)
	}
	r.run("again")
}

func TestACancelWhileTheAgentStarts(t *testing.T) {
	t.Parallel()
	started, proceed := make(chan struct{}), make(chan struct{})
	var r *rig
	r = newRigWith(t, nil, func(c *Config) {
		c.Start = func(ctx context.Context, h agent.Handler) (Agent, error) {
			close(started)
			<-proceed
			return r.startAgent(context.WithoutCancel(ctx), h)
		}
	}, "handshake\nstub session/new {\"sessionId\":\"s1\"}\nstub session/close\nignore $/cancel_request\nnone session/prompt")
	s, err := r.b.NewSession(r.ctx, NewSessionRequest{Cwd: r.dir, Later: true})
	if err != nil {
		t.Fatal(err)
	}
	r.session = s.ID
	turn := r.prompt("go")
	<-started
	r.b.Cancel(r.session, Cancellation{Turn: turn})
	r.theSession().Settled()
	close(proceed)
	if end := r.ended(turn); end.StopReason != acp.StopReasonCancelled {
		t.Errorf("ended with %s", end.StopReason)
	}
}

func TestACancelWhileTheSessionIsLoadedLosesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+"expect session/prompt\nclose", `handshake
stub session/close
expect@l session/load
mark loading
wait go
say history
reply@l {}
expect session/prompt {"prompt":[{"text":"three"}]}
reply {"stopReason":"end_turn"}`).open()
	r.ended(r.prompt("one"))
	r.until("the end of the first agent", func([]Event) bool { return r.link() == nil })
	turn := r.prompt("two")
	r.until("the second agent", func([]Event) bool { return r.link() != nil })
	r.await("loading")
	r.b.Cancel(r.session, Cancellation{Turn: turn})
	r.theSession().Settled() // so that the cancel comes before the load's end
	r.set("go")
	if end := r.ended(turn); end.StopReason != acp.StopReasonCancelled {
		t.Errorf("ended with %s", end.StopReason)
	}
	r.run("three")
	if events := r.events(); len(happenings(events, "history_lost")) > 0 || strings.Contains(said(events), "history") {
		t.Error("the session was taken for lost, or its history shown again")
	}
}

func TestAnAgentThatLostTheSession(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+"expect session/prompt\nclose", `handshake
stub session/close
expect@l session/load
fail@l -32002 no such session
session s2
expect session/prompt {"sessionId":"s2"}
reply {"stopReason":"end_turn"}`).open()
	r.ended(r.prompt("one"))
	r.run("two")
	if len(happenings(r.events(), "history_lost")) != 1 {
		t.Error("the user was not told that the history is lost")
	}
}

func TestUpdatesBeforeTheSessionHasItsName(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, `handshake
stub session/close
expect session/new
notify session/update {"sessionId":"s1","update":{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"plan","description":"d"}]}}
reply {"sessionId":"s1","modes":{"currentModeId":"m#agent","availableModes":[{"id":"m#agent","name":"Agent"}]}}`).open()
	r.events()
	s := r.theSession().Snapshot()
	if len(s.Commands) != 1 || s.Modes == nil || s.Modes.CurrentModeID != "m#agent" {
		t.Errorf("commands %v, modes %v", s.Commands, s.Modes)
	}
}

func TestNobodySignedIn(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, "handshake\nexpect session/new\nfail -32000 Authentication required\neof")
	_, err := r.b.NewSession(r.ctx, NewSessionRequest{Cwd: r.dir})
	if e := new(Error); !errors.As(err, &e) || e.Code != CodeNotSignedIn || e.Hint == "" {
		t.Fatalf("got %v", err)
	}
	if state, _ := r.b.Auth(); state != AuthSignedOut {
		t.Errorf("auth is %s", state)
	}
}

func TestRequestsOfTheAgentHaveExactlyOneAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+`
expect session/prompt
request@u fs/unheard_of {"sessionId":"s1"}
refused@u -32601
request@n fs/read_text_file {"path":"/x"}
refused@n -32602
request@s fs/read_text_file {"sessionId":"other","path":"/x"}
refused@s -32002
request@d fs/read_text_file {"sessionId":"s1","path":"/x","path":"/y"}
refused@d -32602
request@c fs/read_text_file {"sessionId":"s1","Path":"/x"}
refused@c -32602
request@r fs/read_text_file {"sessionId":"s1","path":"a.txt"}
refused@r -32602
request@m fs/read_text_file {"sessionId":"s1","path":"$cwd/missing.txt"}
refused@m -32002
request@e elicitation/create {"sessionId":"s1","mode":"form","message":"name?","requestedSchema":{"type":"object","properties":{}}}
answer@e {"action":"decline"}
reply {"stopReason":"end_turn"}`).open()
	r.run("go")
	if q := r.screen.questions(); len(q) > 0 {
		t.Errorf("somebody was asked: %s", q[0].Title)
	}
}

func TestAPanicOnTheWayIsAnAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"$cwd/a.txt"}]},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}
answer {"outcome":{"outcome":"selected","optionId":"n"}}
request fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"two"}
refused
reply {"stopReason":"end_turn"}`).open()
	r.screen.ask = func(context.Context, *Question) (Answer, error) { panic("a front is broken") }
	r.run("go")
	if got := r.disk("a.txt"); got != "one\n" {
		t.Errorf("the file is %q", got)
	}
}

func TestClosingASessionLeavesTheOthersAlone(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, `handshake
session s1
session s2
ignore $/cancel_request
expect@a session/prompt {"sessionId":"s1"}
mark first
expect@b session/prompt {"sessionId":"s2"}
mark running
find session/cancel {"sessionId":"s1"}
mark cancelled
find@c session/close {"sessionId":"s1"}
reply@c
set session s2
say still here
reply@b {"stopReason":"end_turn"}
stub session/close`).open()
	first := r.session
	r.open()
	if r.session == first {
		t.Fatal("one id for two sessions")
	}
	turnA, err := r.b.Prompt(first, []acp.ContentBlock{acp.Text("x")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.await("first")
	turnB := r.prompt("y")
	r.await("running")
	r.b.Cancel(first, Cancellation{})
	r.await("cancelled")
	if err := r.b.CloseSession(r.ctx, first); err != nil {
		t.Fatal(err)
	}
	if end := r.ended(turnA.ID); end.StopReason != acp.StopReasonCancelled {
		t.Errorf("the closed session's turn ended with %s", end.StopReason)
	}
	if end := r.ended(turnB); end.StopReason != acp.StopReasonEndTurn {
		t.Errorf("the other session's turn ended with %s, %v", end.StopReason, end.Err)
	}
	if _, err := r.b.Prompt(first, nil, nil); err == nil {
		t.Error("a closed session takes prompts")
	}
	if ids := r.b.Sessions(); slices.ContainsFunc(ids, func(i Info) bool { return i.ID == first }) {
		t.Error("a closed session is listed")
	}
}

func TestCloseEndsATurnAndItsQuestion(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+`
expect session/prompt
request fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"two"}
ignore session/cancel
eof`).open()
	asking := make(chan struct{})
	r.screen.ask = func(ctx context.Context, _ *Question) (Answer, error) {
		close(asking)
		<-ctx.Done()
		return Answer{OptionID: optOnce}, nil // too late
	}
	turn := r.prompt("go")
	<-asking
	if err := r.b.Close(r.ctx); err != nil {
		t.Fatal(err)
	}
	events, _ := r.screen.seen()
	if e := ends(events); len(e) != 1 || e[0].Turn != turn || e[0].StopReason != acp.StopReasonCancelled {
		t.Errorf("ends: %v", e)
	}
	if got := r.disk("a.txt"); got != "one\n" {
		t.Errorf("the file is %q", got)
	}
	if _, err := r.b.NewSession(r.ctx, NewSessionRequest{Cwd: r.dir, Later: true}); err == nil {
		t.Error("a closed bridge opens sessions")
	}
}
