package session_test

import (
	"testing"
)

// The numbers of what an editor is shown have no gap and no double in a replay, whatever is in it, and go on after it:
// in the same process, and after a restart. What is asked for by number is what was shown under it.
func TestNumbersHaveNoGapAndNoDouble(t *testing.T) {
	t.Parallel()
	r := lasting(t, hello+`expect session/prompt
say a
say b
update tool_call {"toolCallId":"c","title":"T","status":"completed"}
say c
reply {"stopReason":"end_turn"}
expect@p session/prompt
mark there
reply@p {"stopReason":"refusal"}`).open()
	r.run("one")
	r.ended(r.prompt("two"))
	r.crash()
	const turn = "expect session/prompt\nsay d\nsay e\nthink f\nreply {\"stopReason\":\"end_turn\"}\n"
	next := r.again(reloads + "reply@l {}\n" + turn + turn + turn)
	if _, err := next.b.LoadSession(next.ctx, next.session, ""); err != nil {
		t.Fatal(err)
	}
	next.run("three")
	check := func(events []Event, from int) (last uint64) {
		t.Helper()
		shown := map[uint64]string{}
		for _, ev := range events[from:] {
			if n := numberOf(ev); n > 0 {
				if n != last+1 {
					t.Fatalf("number %d after %d: %s", n, last, show(events))
				}
				last = n
				shown[n] = printed(ev)
			}
		}
		list, seq, err := next.b.History(next.session, 3)
		if err != nil || seq != last || len(list) == 0 || numberOf(list[0]) != 4 {
			t.Fatalf("since 3: %v, %d, %v", list, seq, err)
		}
		if got, want := printed(list[0])[:10], shown[4][:10]; got != want {
			t.Errorf("number 4 is %q, was shown as %q", got, want)
		}
		return last
	}
	if n := check(next.events(), 0); n < 8 {
		t.Fatalf("only %d numbers", n)
	}
	before := len(next.events())
	if _, err := next.b.LoadSession(next.ctx, next.session, ""); err != nil { // by an editor that has started over
		t.Fatal(err)
	}
	next.run("four")
	check(next.events(), before)
	// To look at it changes no number.
	list, seq, err := next.b.Replay(next.ctx, next.session)
	if err != nil || len(list) == 0 {
		t.Fatal(err)
	}
	for i, ev := range list {
		if numberOf(ev) != uint64(i+1) {
			t.Fatalf("event %d has number %d", i+1, numberOf(ev))
		}
	}
	if last := check(next.events(), before); last != seq {
		t.Fatalf("the newest is %d, shown was %d", seq, last)
	}
	next.run("five")
	check(next.events(), before)
}

// numberOf is the number that an event was shown under, 0 for one that has none.
func numberOf(ev Event) uint64 {
	switch ev := ev.(type) {
	case *Message:
		return ev.Seq
	case *Replayed:
		return ev.Seq
	}
	return 0
}
