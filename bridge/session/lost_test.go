package session_test

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// a prompt that an agent took with it is offered with what survived, sent again only when the user says so, and
// then once, with the places in the editor that went with it.
func TestAPromptLostWithTheAgentIsOfferedAndSentOnce(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, map[string]string{"a.txt": "one\ntwo\n"}, func(*Config) {}, hello+`expect session/prompt
request fs/write_text_file {"sessionId":"$session","path":"`+"$file"+`","content":"ONE\ntwo\n"}
answer
say half
close`, reloads+`reply@l {}
expect session/prompt {"prompt":[{"text":"do it"},{"type":"resource","resource":{"text":"two\n"}}]}
reply {"stopReason":"end_turn"}`)
	r.scripts[0] = strings.ReplaceAll(r.scripts[0], "$file", r.path("a.txt"))
	r.open()
	turn, err := r.b.Prompt(r.session, words("do it"), []ContextRef{{Path: r.path("a.txt"), StartLine: 2, EndLine: 2}})
	if err != nil {
		t.Fatal(err)
	}
	end := r.ended(turn.ID)
	if !end.Lost || end.Err == nil || !strings.Contains(end.Err.Error(), "changes to a.txt") || !strings.Contains(end.Err.Error(), "send the prompt again") {
		t.Fatalf("the turn ended with %+v", end)
	}
	if !strings.HasPrefix(end.Err.Message, "Interrupted. Send again? The ") {
		t.Errorf("the user reads %q", end.Err.Message)
	}
	offers := happenings(r.events(), "turn_interrupted")
	if len(offers) != 1 || offers[0].Data["turnId"] != turn.ID || offers[0].Data["prompt"] != "do it" || offers[0].Data["sent"] != true || !strings.HasPrefix(offers[0].Message, "Interrupted. Send again? The ") || !strings.Contains(offers[0].Message, "a.txt") {
		t.Fatalf("offered %+v", offers)
	}
	again, err := r.b.SendAgain(r.session, turn.ID)
	if err != nil {
		t.Fatal(err)
	}
	if end := r.ended(again.ID); end.Err != nil {
		t.Fatal(end.Err, r.failures())
	}
	if _, err := r.b.SendAgain(r.session, ""); asError(err).Code != CodeInvalidParams {
		t.Errorf("a second time: %v", err)
	}
}

// what a user cancelled is not offered, and neither is what the agent refused.
func TestWhatWasCancelledOrRefusedIsNotOffered(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+"expect@p session/prompt\nmark there\nexpect session/cancel\nclose", reloads+"reply@l {}\nexpect session/prompt\nfail -32603 no").open()
	turn := r.prompt("one")
	r.await("there")
	if err := r.b.Cancel(r.session, Cancellation{Turn: turn}); err != nil {
		t.Fatal(err)
	}
	r.ended(turn)
	r.ended(r.prompt("two"))
	if got := happenings(r.events(), "turn_interrupted"); len(got) != 0 {
		t.Errorf("offered %+v", got)
	}
}

// Prompts that waited when the bridge was killed are offered, edited as they were, and not those that were taken out or
// had run. They are not sent, and not offered by another load.
func TestTheQueueOutlivesTheBridge(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello+"expect session/prompt\nreply {\"stopReason\":\"end_turn\"}\nexpect session/prompt\nmark there\nwait never").open()
	r.run("zero")
	running := r.prompt("one")
	r.await("there")
	two, three, four := r.prompt("two"), r.prompt("three"), r.prompt("four")
	if err := r.b.EditPrompt(r.session, four, words("FOUR")); err != nil {
		t.Fatal(err)
	}
	if err := r.b.Cancel(r.session, Cancellation{Turn: three}); err != nil {
		t.Fatal(err)
	}
	r.ended(three)
	r.until("the queue", func(ev []Event) bool {
		q, err := r.b.Queue(r.session)
		return err == nil && len(q) == 2
	})
	r.crash()
	next := r.again(reloads + "reply@l {}\nexpect session/prompt {\"prompt\":[{\"text\":\"FOUR\"}]}\nreply {\"stopReason\":\"end_turn\"}")
	if _, err := next.b.LoadSession(next.ctx, next.session, ""); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{running: "one", two: "two", four: "FOUR"}
	offers := happenings(next.events(), "turn_interrupted")
	for _, o := range offers {
		if want[o.Data["turnId"].(string)] != o.Data["prompt"] || o.Data["sent"] != (o.Data["prompt"] == "one") {
			t.Errorf("offered %+v", o)
		}
		if lead := map[bool]string{true: "Interrupted. Send again? The ", false: "Not sent. Send again? A "}[o.Data["sent"].(bool)]; !strings.HasPrefix(o.Message, lead) {
			t.Errorf("the user reads %q", o.Message)
		}
	}
	if len(offers) != len(want) {
		t.Errorf("%d offers, want %d", len(offers), len(want))
	}
	turn, err := next.b.SendAgain(next.session, four)
	if err != nil {
		t.Fatal(err)
	}
	if end := next.ended(turn.ID); end.Err != nil {
		t.Fatal(end.Err, next.failures())
	}
	next.crash()
	last := next.again(reloads + "reply@l {}")
	if _, err := last.b.LoadSession(last.ctx, last.session, ""); err != nil {
		t.Fatal(err)
	}
	if got := happenings(last.events(), "turn_interrupted"); len(got) != 0 {
		t.Errorf("offered again: %+v", got)
	}
	text, _, err := last.b.Transcript(last.session)
	if err != nil || strings.Contains(text, "three") || strings.Count(text, "FOUR") != 1 || !strings.Contains(text, "one") {
		t.Errorf("%v: the transcript is\n%s", err, text)
	}
}

// An editor that goes away in the middle of a turn is no cancel: the next run offers the prompt, and those that waited.
// What the user had cancelled stays so.
func TestAnEditorThatGoesAwayIsNoCancel(t *testing.T) {
	t.Parallel()
	for _, cancelled := range []bool{false, true} {
		r := lasting(t, hello+"expect session/prompt\nmark there\nwait never").open()
		one := r.prompt("one")
		r.await("there")
		if cancelled {
			if err := r.b.Cancel(r.session, Cancellation{Turn: one}); err != nil {
				t.Fatal(err)
			}
		}
		two := r.prompt("two")
		if _, err := r.b.Queue(r.session); err != nil {
			t.Fatal(err)
		}
		r.b.Close(r.ctx)
		if end := r.ended(one); end.StopReason != acp.StopReasonCancelled {
			t.Errorf("the editor was told %v", end.StopReason)
		}
		next := r.again(reloads + "reply@l {}")
		if _, err := next.b.LoadSession(next.ctx, next.session, ""); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range happenings(next.events(), "turn_interrupted") {
			got = append(got, o.Data["turnId"].(string))
		}
		want := one + " " + two
		if cancelled {
			want = two
		}
		if strings.Join(got, " ") != want {
			t.Errorf("cancelled %v: offered %q, want %q", cancelled, got, want)
		}
	}
}

// A turn of an earlier run is undone, what was kept of it too, as long as nobody changed that since.
func TestATurnOfAnEarlierRunIsUndone(t *testing.T) {
	t.Parallel()
	script := hello
	for _, name := range []string{"a.txt", "b.txt"} {
		script += "expect@p session/prompt\nrequest fs/write_text_file {\"sessionId\":\"$session\",\"path\":\"$dir/" + name + "\",\"content\":\"one\\nTWO\\n\"}\nanswer\nreply@p {\"stopReason\":\"end_turn\"}\n"
	}
	r := lasting(t, script)
	r.scripts[0] = strings.ReplaceAll(script, "$dir", r.dir)
	r.put("a.txt", "one\ntwo\n")
	r.put("b.txt", "one\ntwo\n")
	r.open()
	first, second := r.run("a").Turn, r.run("b").Turn
	if n, _ := r.b.Keep(review.Selector{All: true}); n != 2 {
		t.Fatalf("kept %d", n)
	}
	r.crash()
	r.put("b.txt", "one\nmine\n")
	next := r.again("handshake")
	if turn, paths := next.b.LastTurn(); turn != second || len(paths) != 1 {
		t.Errorf("the last turn is %s, %q", turn, paths)
	}
	if n, bad := next.b.Undo(next.ctx, review.Selector{Turn: first, Kept: true}); n != 1 || len(bad) > 0 || next.disk("a.txt") != "one\ntwo\n" {
		t.Errorf("undone %d, %v; the file is %q", n, bad, next.disk("a.txt"))
	}
	if n, bad := next.b.Undo(next.ctx, review.Selector{Turn: second, Kept: true}); n != 0 || len(bad) != 1 || next.disk("b.txt") != "one\nmine\n" {
		t.Errorf("undone %d, %v; the file is %q", n, bad, next.disk("b.txt"))
	}
}
