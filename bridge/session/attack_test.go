package session_test

import (
	"context"
	"strings"
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

// TestWhatIsBesideAQuestionReachesTheUser: the rules allow what is understood of it, and that is not all.
func TestWhatIsBesideAQuestionReachesTheUser(t *testing.T) {
	for call, asks := range map[string]bool{
		`"kind":"execute"`: false, `"kind":"execute","_meta":{"x":1}`: false, `"kind":7`: true, `"kind":"execute","command":"rm x"`: true,
		`"kind":"execute","content":{"type":"diff","path":"/x","newText":"y"}`: true,
	} {
		t.Run(call, func(t *testing.T) {
			r := newRigWith(t, nil, func(c *Config) { c.Rules = everythingAllowed }, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","rawInput":{"command":["ls"]},`+call+`},`+options4+`}
answer
reply {"stopReason":"end_turn"}`).open()
			r.screen.ask = no
			r.run("go")
			list := r.screen.questions()
			if (len(list) > 0) != asks || asks && !strings.Contains(strings.Join(list[0].Notes, "\n"), call[:6]) {
				t.Errorf("asked %+v", list)
			}
		})
	}
}

// TestAnAlwaysThatTheAgentNeverHearsIsNotKept: nobody is asked a question that has nothing to say yes with.
func TestAnAlwaysThatTheAgentNeverHearsIsNotKept(t *testing.T) {
	for options, want := range map[string]string{
		`{"optionId":"aa","name":"Always","kind":"allow_always"}`:                                                   `"cancelled"`,
		`{"optionId":"aa","name":"Always","kind":"allow_always"},{"optionId":"n","name":"No","kind":"reject_once"}`: `"selected","optionId":"n"`,
		``: `"cancelled"`,
	} {
		r := newRig(t, nil, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"execute","rawInput":{"command":["ls"]}},"options":[`+options+`]}
answer {"outcome":{"outcome":`+want+`}}
reply {"stopReason":"end_turn"}`).open()
		r.screen.ask = func(context.Context, *Question) (Answer, error) { return Answer{OptionID: optAlways}, nil }
		r.run("go")
		if kept, err := r.b.Remembered(); err != nil || len(kept) > 0 || len(r.screen.questions()) > 0 {
			t.Errorf("%s: kept %v, asked %d times", options, kept, len(r.screen.questions()))
		}
	}
}
