package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
)

// A lane is a state with the names that inputs use. It steps without a session: the effects are printed.
type lane struct {
	st    *state
	turns map[string]*turn
	uses  map[string]*calls.Use
	look  int // the newest that is due
}

func newLane() *lane {
	return &lane{st: &state{known: known{Info: Info{ID: "s"}, agent: new(agents.Process)}, calls: calls.New(), life: context.Background(), now: time.Now, newID: func() string { return "own" }}, turns: map[string]*turn{}, uses: map[string]*calls.Use{}}
}

func (l *lane) turn(name string) *turn {
	if l.turns[name] == nil {
		l.turns[name] = &turn{id: name, sent: make(chan struct{}), ended: make(chan struct{})}
	}
	return l.turns[name]
}

// in makes an input of a word: "prompt a", "cancel a", "cancel", "say x", "call c", "done c", "ended a",
// "ended a cancelled", "failed a", "settled a", "load", "load muted", "loaded", "close", "asking", "asked".
func (l *lane) in(word string) any {
	verb, rest, _ := strings.Cut(word, " ")
	name, how, _ := strings.Cut(rest, " ")
	switch verb {
	case "prompt":
		return promptIn{turn: l.turn(name), next: how == "next"}
	case "edit":
		return editIn{turn: name}
	case "cancel":
		return cancelIn{Cancellation{Turn: rest}}
	case "say":
		return messageIn{msg: acp.NewUpdate("s", &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(rest)}})}
	case "call":
		return messageIn{msg: acp.NewUpdate("s", &acp.ToolCall{ToolCallID: acp.ToolCallID(rest), Title: "x"})}
	case "done":
		status := acp.ToolCallStatusCompleted
		return messageIn{msg: acp.NewUpdate("s", &acp.ToolCallUpdate{ToolCallID: acp.ToolCallID(rest), Status: &status})}
	case "ended":
		reason := acp.StopReasonEndTurn
		if how != "" {
			reason = acp.StopReason(how)
		}
		if t := l.st.turn; t != nil && t.own != nil {
			return endedIn{turn: t}
		}
		return endedIn{turn: l.turn(name), resp: &acp.PromptResponse{StopReason: reason}}
	case "failed":
		return endedIn{turn: l.turn(name), err: errors.New("boom")}
	case "settled":
		if t := l.st.turn; t != nil && t.own != nil {
			return settledIn{turn: t}
		}
		return settledIn{turn: l.turn(name)}
	case "load":
		return replayIn{on: true, mute: rest == "muted"}
	case "loaded":
		return replayIn{}
	case "tool":
		if rest == "done" {
			return doneIn{}
		}
		return toolIn{use: calls.NewUse("x", nil)}
	case "sign":
		return signIn{copilot.TurnSign(rest[0] - '0')}
	case "looked":
		return lookedIn{l.st.turn, l.look}
	case "gone":
		return goneIn{}
	case "asking":
		return askingIn{"may I?"}
	case "asked":
		return answeredIn{}
	case "close":
		return closeIn{}
	}
	panic("no input " + word)
}

func (l *lane) step(word string) []string {
	out := []string{}
	for _, e := range l.st.step(l.in(word)) {
		switch e := e.(type) {
		case nil:
		case emit:
			out = append(out, printed(e.ev))
		case startTurn:
			out = append(out, "→ start "+e.turn.id)
		case cancelTurn:
			out = append(out, "→ cancel "+e.turn.id)
			if e.abort {
				out[len(out)-1] += " abort"
			}
		case lookAgain:
			l.look = e.look
			out = append(out, "→ look")
		case ownEnds:
			out = append(out, "→ own end")
		case killAgent:
			out = append(out, "→ kill")
		case settle:
			out = append(out, "→ settle "+e.turn.id)
		case endSession:
			out = append(out, "→ end")
		case reply:
			switch a := e.answer.(type) {
			case struct{}:
				out = append(out, "→ tool")
			case bool:
				out = append(out, fmt.Sprint("→ edited ", a))
			case nil:
				out = append(out, "refused "+strings.Fields(word)[1])
			}
		}
	}
	return out
}

func TestAStepAnswersWithWhatHasToBeDone(t *testing.T) {
	busy, ready := "status busy Copilot is working", "status ok ready"
	begin := func(name string) []string { return []string{"started " + name, busy, "→ start " + name} }
	waiting := func(names ...string) []string {
		return []string{strings.Join(append([]string{"waiting:"}, names...), " ")}
	}
	cases := map[string][]struct {
		in   string
		want []string
	}{
		"a turn": {
			{"prompt a", begin("a")},
			{"say hello", []string{`agent_message_chunk "hello"`}},
			{"ended a", []string{"→ settle a"}},
			{"settled a", []string{"ended a end_turn", ready}},
		},
		"the second prompt waits, and runs after the first": {
			{"prompt a", begin("a")}, {"prompt b", waiting("b")}, {"prompt c", waiting("b", "c")},
			{"ended a", []string{"→ settle a"}},
			{"settled a", append(append([]string{"ended a end_turn"}, begin("b")...), waiting("c")...)},
			{"ended b", []string{"→ settle b"}},
			{"settled b", append(append([]string{"ended b end_turn"}, begin("c")...), waiting()...)},
		},
		"what was added too late comes before those that wait": {
			{"prompt a", begin("a")}, {"prompt b", waiting("b")}, {"prompt c next", waiting("c", "b")},
		},
		"a prompt that waits can be edited, one that runs or is over cannot": {
			{"prompt a", begin("a")}, {"prompt b", waiting("b")},
			{"edit b", append(waiting("b"), "→ edited true")}, {"edit a", []string{"→ edited false"}}, {"edit x", []string{"→ edited false"}},
			{"cancel b", append([]string{"ended b cancelled"}, waiting()...)}, {"edit b", []string{"→ edited false"}},
			{"close", []string{"→ cancel a", "ended a cancelled", "→ end"}}, {"edit a", []string{"refused a"}},
		},
		"a waiting turn is taken out of the queue": {
			{"prompt a", begin("a")}, {"prompt b", waiting("b")}, {"prompt c", waiting("b", "c")},
			{"cancel b", append([]string{"ended b cancelled"}, waiting("c")...)},
			{"cancel b", nil},
			{"ended a", []string{"→ settle a"}},
			{"settled a", append(append([]string{"ended a end_turn"}, begin("c")...), waiting()...)},
		},
		"a cancel without a name is for all": {
			{"prompt a", begin("a")}, {"prompt b", waiting("b")},
			{"cancel", []string{"ended b cancelled", "waiting:", "→ cancel a"}},
			{"ended a cancelled", []string{"→ settle a"}},
			{"settled a", []string{"ended a cancelled", ready}},
		},
		"a cancelled turn is cancelled, whatever the agent says": {
			{"prompt a", begin("a")},
			{"cancel a", []string{"→ cancel a"}},
			{"say late", []string{`agent_message_chunk "late"`}},
			{"ended a", []string{"→ settle a"}},
			{"settled a", []string{"ended a cancelled", ready}},
		},
		"an error after a cancel is the cancel": {
			{"prompt a", begin("a")}, {"cancel a", []string{"→ cancel a"}},
			{"failed a", []string{"→ settle a"}},
			{"settled a", []string{"ended a cancelled", ready}},
		},
		"a second cancel ends the agent": {
			{"prompt a", begin("a")}, {"cancel a", []string{"→ cancel a"}}, {"cancel a", []string{"→ kill"}},
			{"failed a", []string{"→ settle a"}}, {"settled a", []string{"ended a cancelled", ready}},
		},
		"a cancel after the agent's end has no effect": {
			{"prompt a", begin("a")}, {"ended a", []string{"→ settle a"}}, {"cancel a", nil}, {"cancel", nil},
			{"settled a", []string{"ended a end_turn", ready}}, {"cancel", nil},
		},
		"a cancel of a turn nobody knows has no effect": {{"cancel x", nil}, {"prompt a", begin("a")}, {"cancel x", nil}},
		"an error is shown": {
			{"prompt a", begin("a")}, {"failed a", []string{"→ settle a"}},
			{"settled a", []string{"ended a error: boom", "status error boom"}},
		},
		"background work goes on between turns": {
			{"prompt a", begin("a")}, {"ended a", []string{"→ settle a"}}, {"settled a", []string{"ended a end_turn", ready}},
			{"say more", []string{`agent_message_chunk "more" (no turn)`}},
			{"done bg", []string{"tool_call_update bg completed (no turn)"}},
		},
		"a call between turns has a turn of its own, until it is over": {
			{"call c", append(begin("own"), "tool_call c")},
			{"looked", nil},
			{"say more", []string{`agent_message_chunk "more"`}},
			{"done c", []string{"tool_call_update c completed", "→ look"}}, {"say so", []string{`agent_message_chunk "so"`}},
			{"looked", []string{"→ settle own"}},
			{"settled own", []string{"ended own end_turn", ready}},
		},
		"a log that was read before the agent did more is read again": {
			{"call c", append(begin("own"), "tool_call c")}, {"done c", []string{"tool_call_update c completed", "→ look"}},
			{"call d", []string{"tool_call d"}}, {"looked", nil},
			{"done d", []string{"tool_call_update d completed", "→ look"}}, {"looked", []string{"→ settle own"}},
		},
		"a log that comes behind all that was done tells of the same turn": {
			{"call c", append(begin("own"), "tool_call c")}, {"done c", []string{"tool_call_update c completed", "→ look"}},
			{"sign 1", nil}, {"looked", nil}, {"sign 2", nil}, {"sign 3", nil}, {"sign 4", nil},
			{"sign 2", nil}, {"say done", []string{`agent_message_chunk "done"`}}, {"sign 4", []string{"→ own end"}},
		},
		"a turn of the agent's own of which a log tells is over when that says so": {
			{"sign 1", begin("own")}, {"looked", nil}, {"sign 2", nil},
			{"call c", []string{"tool_call c"}}, {"sign 3", nil}, {"done c", []string{"tool_call_update c completed"}}, {"sign 4", nil},
			{"sign 2", nil}, {"say done", []string{`agent_message_chunk "done"`}},
			{"prompt a", waiting("a")},
			{"sign 4", []string{"→ own end"}},
			{"ended own", []string{"→ settle own"}},
			{"settled own", append(append([]string{"ended own end_turn"}, begin("a")...), waiting()...)},
		},
		"a log that comes after the call tells of the same turn": {
			{"call c", append(begin("own"), "tool_call c")}, {"sign 1", nil}, {"looked", nil},
			{"done c", []string{"tool_call_update c completed"}}, {"sign 5", []string{"→ own end"}},
		},
		"what the log says of a prompt's turn begins and ends nothing": {
			{"sign 2", nil}, {"sign 4", nil}, {"prompt a", begin("a")}, {"sign 1", nil}, {"sign 4", nil}, {"sign 5", nil},
		},
		"a prompt does not wait for a turn of the agent's own of which no log tells": {
			{"call c", append(begin("own"), "tool_call c")},
			{"prompt a", append(waiting("a"), "tool_call_update c failed", "→ settle own")},
			{"settled own", append(append([]string{"ended own end_turn"}, begin("a")...), waiting()...)},
		},
		"a turn of the agent's own is cancelled, and what is said until its end is not shown": {
			{"sign 1", begin("own")}, {"looked", nil},
			{"cancel own", []string{"→ cancel own abort"}}, {"say usage", nil}, {"sign 5", nil},
			{"ended own", []string{"→ settle own"}},
			{"settled own", []string{"ended own cancelled", ready}},
			{"say more", []string{`agent_message_chunk "more" (no turn)`}},
		},
		"a second cancel of a turn of the agent's own ends the agent, and that the turn": {
			{"sign 1", begin("own")}, {"cancel", []string{"→ cancel own abort"}}, {"cancel", []string{"→ kill"}}, {"gone", []string{"→ settle own"}},
			{"settled own", []string{"ended own cancelled", ready}},
		},
		"an agent that ends takes its own turn along, no prompt's": {
			{"sign 1", begin("own")}, {"gone", []string{"→ settle own"}},
			{"settled own", []string{"ended own error: Interrupted. The agent ended in a turn that it had begun by itself",
				"status error Interrupted. The agent ended in a turn that it had begun by itself; what it changed can be reviewed"}},
			{"prompt a", begin("a")}, {"gone", nil},
		},
		"what the agent wants done while a turn ends waits for a turn": {
			{"prompt a", begin("a")}, {"ended a", []string{"→ settle a"}}, {"tool", nil},
			{"settled a", append([]string{"ended a end_turn", ready}, append(begin("own"), "→ tool")...)},
			{"tool", []string{"→ tool"}}, {"tool done", nil}, {"tool done", []string{"→ look"}}, {"looked", []string{"→ settle own"}},
		},
		"what the agent wants done while a turn ends is done in the next one": {
			{"prompt a", begin("a")}, {"prompt b", waiting("b")}, {"ended a", []string{"→ settle a"}}, {"tool", nil},
			{"settled a", append(append(append([]string{"ended a end_turn"}, begin("b")...), waiting()...), "→ tool")},
		},
		"a close answers what waits for a turn": {
			{"prompt a", begin("a")}, {"ended a", []string{"→ settle a"}}, {"tool", nil},
			{"close", []string{"ended a end_turn", "→ tool", "→ end"}},
		},
		"a close in a turn of the agent's own ends it": {
			{"sign 1", begin("own")}, {"close", []string{"→ cancel own", "ended own cancelled", "→ end"}}, {"sign 4", nil},
		},
		"history begins no turn": {
			{"load", nil}, {"call c", []string{"tool_call c (no turn) (replay)"}}, {"sign 1", nil}, {"loaded", []string{"tool_call_update c failed (no turn) (replay)"}},
			{"call c", []string{"tool_call c (no turn)"}},
		},
		"a tool call left open is closed once, before the end": {
			{"prompt a", begin("a")}, {"call c1", []string{"tool_call c1"}}, {"call c2", []string{"tool_call c2"}},
			{"done c1", []string{"tool_call_update c1 completed"}},
			{"ended a", []string{"tool_call_update c2 failed", "→ settle a"}},
			{"settled a", []string{"ended a end_turn", ready}},
			{"prompt b", begin("b")}, {"ended b", []string{"→ settle b"}},
		},
		"an update before its call counts as the call": {
			{"prompt a", begin("a")}, {"done c", []string{"tool_call_update c completed"}}, {"call c", []string{"tool_call c"}},
			{"ended a", []string{"→ settle a"}},
		},
		"a replay is shown as one, or not at all": {
			{"load", nil}, {"say old", []string{`agent_message_chunk "old" (no turn) (replay)`}},
			{"call c", []string{"tool_call c (no turn) (replay)"}},
			{"loaded", []string{"tool_call_update c failed (no turn) (replay)"}},
			{"load muted", nil}, {"say old", nil}, {"call c", nil}, {"loaded", nil},
			{"say new", []string{`agent_message_chunk "new" (no turn)`}},
		},
		"a question shows that the user is waited for": {
			{"prompt a", begin("a")},
			{"asking", []string{"status waiting may I?"}}, {"asking", []string{"status waiting may I?"}},
			{"asked", nil}, {"asked", []string{busy}},
			{"asking", []string{"status waiting may I?"}}, {"cancel a", []string{"→ cancel a"}},
			{"ended a", []string{"→ settle a"}}, {"settled a", []string{"ended a cancelled", ready}},
			{"asked", []string{ready}},
		},
		"close when idle":    {{"close", []string{"→ end"}}, {"close", nil}, {"cancel", nil}, {"say x", nil}},
		"close when running": {{"prompt a", begin("a")}, {"prompt b", waiting("b")}, {"call c", []string{"tool_call c"}}, {"close", []string{"ended b cancelled", "waiting:", "→ cancel a", "tool_call_update c failed", "ended a cancelled", "→ end"}}, {"ended a", nil}},
		"close when cancelling does not kill the agent, which has other sessions": {
			{"prompt a", begin("a")}, {"prompt b", waiting("b")}, {"cancel a", []string{"→ cancel a"}},
			{"close", []string{"ended b cancelled", "waiting:", "ended a cancelled", "→ end"}}, {"settled a", nil},
		},
		"close when settling tells how the turn ended": {
			{"prompt a", begin("a")}, {"ended a", []string{"→ settle a"}}, {"close", []string{"ended a end_turn", "→ end"}}, {"settled a", nil},
		},
		"a prompt that meets the end is told so": {{"close", []string{"→ end"}}, {"prompt a", []string{"refused a"}}},
	}
	for name, steps := range cases {
		t.Run(name, func(t *testing.T) {
			l := newLane()
			for _, s := range steps {
				if got := l.step(s.in); !slices.Equal(got, s.want) {
					t.Fatalf("%s in %v:\n%s", s.in, l.st, cmp.Diff(s.want, got))
				}
			}
		})
	}
}
