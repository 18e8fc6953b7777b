//go:build e2e

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// own waits for the nth turn that the agent begins by itself.
func (e *editor) own(n int) (turn string) {
	e.t.Helper()
	e.until("a turn of the agent's own", func() bool {
		seen := 0
		for _, m := range e.notes {
			var p struct{ TurnID, Origin string }
			if m.Method == "copilot-bridge/turn/started" && json.Unmarshal(m.Params, &p) == nil && p.Origin == "agent" {
				turn = p.TurnID
				seen++
			}
		}
		return seen == n
	})
	return turn
}

// TestE2ECopilotsOwnTurns: Copilot's /after begins a turn without a prompt. It is started, asked about, reviewed and ended; one that
// is cancelled ends although Copilot does not heed a cancel then, and a prompt runs afterwards.
func TestE2ECopilotsOwnTurns(t *testing.T) {
	w := copilot(t, map[string]string{"a.txt": "a one\na two\n"})
	e := w.start()
	e.open("a.txt", "a one\na two\nmine\n")
	s := e.newSession()
	e.turn(s, "/after 1m x "+model.Script(tool("edit", obj{"path": w.path("a.txt"), "old_str": "a two\n", "new_str": "a TWO\n"}), model.Say("later")))
	turn := e.own(1)
	end := e.ended(turn)
	if text := e.text("a.txt"); end.Reason != "end_turn" || text != "a one\na TWO\nmine\n" {
		t.Errorf("it ended with %s %s, the buffer holds %q", end.Reason, end.Error, text)
	}
	if q, h := e.questions(), e.hunks("a.txt"); len(q) != 1 || len(h) != 1 || !strings.Contains(e.said(), "later") {
		t.Errorf("asked %d, pending %v, said %q", len(q), h, e.said())
	}
	e.resolve(obj{"action": "undo", "turnId": turn})
	if text := e.text("a.txt"); text != "a one\na two\nmine\n" {
		t.Errorf("undone, the buffer holds %q", text)
	}
	e.turn(s, "it is undone: "+model.Script(model.Say("fine"))) // what was undone is said before a prompt, which is no command then

	e.turn(s, "/after 1m x "+model.Script(model.Step{Text: "never to be said", Hold: "held"}))
	turn = e.own(2)
	e.call("copilot-bridge/session/cancel", obj{"sessionId": s, "turnId": turn}, nil)
	if end := e.ended(turn); end.Reason != "cancelled" {
		t.Errorf("cancelled, it ended with %s %s", end.Reason, end.Error)
	}
	w.model.Release("held")
	e.turn(s, "and now "+model.Script(model.Say("on again")))
	if said := e.said(); !strings.HasSuffix(said, "on again") || strings.Contains(said, "Session Usage") {
		t.Errorf("it said %q", said)
	}
}

// TestE2EACPCopilotsOwnTurns: in front of an editor that speaks ACP, which knows no such turns: what is done in one is asked about and
// done.
func TestE2EACPCopilotsOwnTurns(t *testing.T) {
	w := copilot(t, map[string]string{"a.txt": "a one\na two\n"})
	e := w.startACP(false)
	s := e.newSession()
	if reason := e.turn(s, "/after 1m x "+model.Script(tool("edit", obj{"path": w.path("a.txt"), "old_str": "a two\n", "new_str": "a TWO\n"}), model.Say("later"))); reason != "end_turn" {
		t.Fatal(reason)
	}
	e.until("the question of the later turn", func() bool { return len(e.asked) == 1 })
	e.until("the end of the later turn", func() bool { return strings.Contains(string(e.newest()), "later") })
	if text := w.read("a.txt"); text != "a one\na TWO\n" {
		t.Errorf("the disk holds %q; the model was given %q", text, w.results())
	}
	if reason := e.turn(s, "x "+model.Script(model.Say("on again"))); reason != "end_turn" || e.questions() != 1 {
		t.Errorf("the next turn ended with %s, asked %d", reason, e.questions())
	}
}

// newest is all that came of what the agent says, as it came. The caller holds the lock.
func (e *acpEditor) newest() (said []byte) {
	for _, m := range e.got {
		var u acpUpdate
		var c struct{ Text string }
		if m.Method == "session/update" && json.Unmarshal(m.Params, &u) == nil && u.Update.SessionUpdate == "agent_message_chunk" && json.Unmarshal(u.Update.Content, &c) == nil && !strings.Contains(c.Text, "Scheduled") {
			said = append(said, c.Text...)
		}
	}
	return said
}
