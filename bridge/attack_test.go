package bridge

import (
	"context"
	"sync/atomic"
	"testing"
)

// TestAnAnswerToAnAgentThatEndedIsNoneToTheNext: the agent ends while it asks, and asks the same when it is started anew. The yes to
// the first question, which crosses its withdrawal, answers nothing and covers nothing.
func TestAnAnswerToAnAgentThatEndedIsNoneToTheNext(t *testing.T) {
	const ask = `request@q session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"edit","content":[{"type":"diff","path":"$cwd/a.txt","oldText":"one\n","newText":"two\n"}]},` + options4 + "}\n"
	r := newRig(t, map[string]string{"a.txt": "one\n"},
		hello+"expect session/prompt\n"+ask+"wait never",
		"handshake\nexpect@l session/load\nreply@l {}\nstub session/close\nignore $/cancel_request\nexpect@p session/prompt\n"+ask+`answer@q {"outcome":{"outcome":"selected","optionId":"n"}}
request fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"two\n"}
refused
reply@p {"stopReason":"end_turn"}`).open()
	first := make(chan struct{})
	var asked atomic.Int32
	r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
		if asked.Add(1) == 1 {
			close(first)
			<-ctx.Done()
			return Answer{OptionID: optOnce}, nil
		}
		return Answer{OptionID: optReject}, nil
	}
	turn := r.prompt("go")
	<-first
	r.agents[0].Stop()
	if end := r.ended(turn); end.Err == nil {
		t.Fatal("the turn outlives its agent")
	}
	r.run("again")
	if n, got := asked.Load(), r.disk("a.txt"); n != 3 || got != "one\n" {
		t.Errorf("asked %d times, the file has %q", n, got)
	}
}
