package lspfront

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// blind is an answer without an id that must be refused; it returns the ids that the refusal names.
func (r *rig) blind(command string) (ids []string) {
	r.t.Helper()
	text := r.fails(-32602, "workspace/executeCommand", obj{"command": "copilot-bridge." + command, "arguments": []any{obj{}}})
	return regexp.MustCompile(`q-[0-9a-f]+-\d+`).FindAllString(text, -1)
}

// TestAnAnswerToAWithdrawnQuestionIsNoneToTheNext guards those who type an answer while the question goes away and another
// one comes.
func TestAnAnswerToAWithdrawnQuestionIsNoneToTheNext(t *testing.T) {
	clock := newFakeClock(false)
	r := newRig(t, setup{files: before, clock: clock, script: asks + "refused\nreply@turn {\"stopReason\":\"cancelled\"}\n" + heardYes})
	r.on("window/showMessageRequest", never)
	u := r.open(r.dir + "/a.txt")
	a := r.prompt("change it")
	r.awaitSent("window/showMessageRequest", 1)
	r.command("cancel", obj{}, nil)
	r.ends(a.TurnID)
	b := r.prompt("change it again")
	r.awaitSent("window/showMessageRequest", 2)
	for _, command := range []string{"allow", "reject"} {
		if ids := r.blind(command); len(ids) != 1 {
			t.Errorf("%s: the refusal names %q", command, ids)
		}
	}
	clock.advance(10*time.Second - 1)
	r.blind("allow")
	if r.text(u) != before["a.txt"] {
		t.Errorf("the text is %q", r.text(u))
	}
	clock.advance(1)
	r.command("allow", obj{}, nil)
	r.ends(b.TurnID)
}

// TestAMessageThatWasTakenBackAnswersNothing: an editor that does not know $/cancelRequest (Helix 25.07) leaves it on the
// screen, and what is chosen there comes while the next question is open.
func TestAMessageThatWasTakenBackAnswersNothing(t *testing.T) {
	r := newRig(t, setup{files: before, script: asks + "refused\nreply@turn {\"stopReason\":\"cancelled\"}\n" + heardNo})
	shown, late, chosen := make(chan chan string, 2), make(chan string), make(chan string)
	shown <- late
	shown <- chosen
	r.on("window/showMessageRequest", func(json.RawMessage, <-chan struct{}) (any, *rpcError) {
		return obj{"title": <-<-shown}, nil
	})
	u := r.open(r.dir + "/a.txt")
	a := r.prompt("change it")
	r.awaitSent("window/showMessageRequest", 1)
	r.command("cancel", obj{}, nil)
	r.ends(a.TurnID)
	b := r.prompt("change it again")
	r.awaitSent("window/showMessageRequest", 2)
	late <- "Allow once"
	r.command("status", obj{}, nil) // comes behind the answer
	chosen <- "Reject"
	r.ends(b.TurnID)
	if r.text(u) != before["a.txt"] {
		t.Errorf("the text is %q", r.text(u))
	}
}

// TestTheSameKeyTwiceIsOneAnswer: the second does not allow what came behind the first.
func TestTheSameKeyTwiceIsOneAnswer(t *testing.T) {
	clock := newFakeClock(false)
	r := newRig(t, setup{files: before, clock: clock, script: heardNo + heardYes})
	r.on("window/showMessageRequest", never)
	r.open(r.dir + "/a.txt")
	a := r.prompt("change it")
	r.awaitSent("window/showMessageRequest", 1)
	r.command("reject", obj{}, nil)
	r.ends(a.TurnID)
	b := r.prompt("change it again")
	r.awaitSent("window/showMessageRequest", 2)
	r.blind("allow")
	clock.advance(500 * time.Millisecond)
	r.command("allow", obj{}, nil)
	r.ends(b.TurnID)
}

// TestAnAnswerToOneOfSeveralNamesIt: which is meant is not guessed.
func TestAnAnswerToOneOfSeveralNamesIt(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "a\n", "b.txt": "b\n"}, script: `
expect@turn session/prompt
request@a fs/write_text_file {"sessionId":"$session","path":"$dir/a.txt","content":"A\n"}
request@b fs/write_text_file {"sessionId":"$session","path":"$dir/b.txt","content":"B\n"}
answer@a
answer@b
reply@turn {"stopReason":"end_turn"}
`})
	r.on("window/showMessageRequest", never)
	a := r.prompt("change both")
	r.wait("two questions in the log", func() bool { return len(r.of("window/logMessage")) == 2 })
	ids := r.blind("allow")
	if len(ids) != 2 {
		t.Fatalf("the refusal names %q", ids)
	}
	for _, id := range ids { // the second right behind the first: it is named
		r.command("allow", obj{"id": id}, nil)
	}
	r.ends(a.TurnID)
}

// TestTheRichQuestionHasTheSameFacts: what a plugin is sent is what the words are made of.
func TestTheRichQuestionHasTheSameFacts(t *testing.T) {
	r := newRig(t, setup{rich: []string{"permission"}, script: `
expect@turn session/prompt
request terminal/create {"sessionId":"$session","command":"printenv","args":["X"],"cwd":"$dir","env":[{"name":"X","value":"1"}]}
refused
reply@turn {"stopReason":"end_turn"}
`})
	asked := make(chan wireQuestion, 1)
	r.on("copilot-bridge/permission/request", func(p json.RawMessage, _ <-chan struct{}) (any, *rpcError) {
		asked <- decode[wireQuestion](t, p)
		return obj{"outcome": "cancelled"}, nil
	})
	r.turn("run it")
	p := <-asked
	q := bridge.Question{Cwd: p.Cwd}
	for _, v := range p.Env {
		q.Env = append(q.Env, policy.EnvVar{Name: v.Name, Value: v.Value})
	}
	if got, want := strings.Join(q.Facts(), "|"), "in "+r.dir+"|with X=1"; got != want {
		t.Errorf("the rich question has %q, want %q", got, want)
	}
}
