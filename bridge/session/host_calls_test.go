package session

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
)

// TestToolCallsFindTheirAnnouncements plays parallel calls of our tools and the agent's announcements of them in random
// orders; each announcement must get the diff of its own call, in its last update.
func TestToolCallsFindTheirAnnouncements(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		l := newLane()
		l.step("prompt a")
		const n = 4
		type event struct {
			call int
			what string
		}
		var todo [n][]string
		for i := range n {
			todo[i] = []string{"announce", "done"} // of the agent
		}
		uses := [n]*calls.Use{}
		var ours [n][]string
		for i := range n {
			ours[i] = []string{"use", "diff"}
		}
		last := map[int]*acp.ToolCallUpdate{}
		var order []event
		for {
			var can []event
			for i := range n {
				if len(todo[i]) > 0 && (todo[i][0] == "announce" || len(ours[i]) == 0) {
					can = append(can, event{i, todo[i][0]})
				}
				if len(ours[i]) > 0 {
					can = append(can, event{i, ours[i][0]})
				}
			}
			if len(can) == 0 {
				break
			}
			e := can[rnd.IntN(len(can))]
			order = append(order, e)
			args := map[string]any{"path": fmt.Sprintf("/w/%d.txt", e.call/2), "old_str": fmt.Sprint(e.call), "new_str": "x"} // two calls a file
			switch e.what {
			case "announce":
				raw, err := acp.Marshal(args)
				if err != nil {
					t.Fatal(err)
				}
				l.st.step(messageIn{msg: acp.NewUpdate("s", &acp.ToolCall{ToolCallID: acp.ToolCallID(fmt.Sprint(e.call)), Title: "editor-edit", RawInput: raw})})
			case "use":
				uses[e.call] = calls.NewUse("edit", args)
				l.st.step(toolIn{use: uses[e.call]})
			case "diff":
				l.st.step(diffIn{uses[e.call], FileDiff{Path: "/w/x", OldText: fmt.Sprint(e.call), NewText: "x"}})
			case "done":
				status := acp.ToolCallStatusCompleted
				m := acp.NewUpdate("s", &acp.ToolCallUpdate{ToolCallID: acp.ToolCallID(fmt.Sprint(e.call)), Status: &status, Content: []acp.ToolCallContent{&acp.Content{Content: acp.Text("File updated")}}})
				l.st.step(messageIn{msg: m})
				last[e.call] = m.Update().(*acp.ToolCallUpdate)
			}
			if e.what == "use" || e.what == "diff" {
				ours[e.call] = ours[e.call][1:]
			} else {
				todo[e.call] = todo[e.call][1:]
			}
		}
		for i := range n {
			d, ok := last[i].Content[0].(*acp.Diff)
			if !ok || len(last[i].Content) != 2 || *d.OldText != fmt.Sprint(i) {
				t.Fatalf("seed %d: the last update of call %d has %+v\norder: %v", seed, i, last[i].Content, order)
			}
			if id, _ := uses[i].Await(t.Context()); id != acp.ToolCallID(fmt.Sprint(i)) {
				t.Fatalf("seed %d: call %d was found as %s", seed, i, id)
			}
		}
	}
}

func TestACallIsToldItsTerminalOnce(t *testing.T) {
	args := map[string]any{"command": "make"}
	input, err := acp.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	orders := [][]string{{"announce", "use", "begin", "again"}, {"use", "begin", "announce", "again"}, {"use", "announce", "begin", "again"}}
	for i, order := range append(orders, orders...) {
		title := "editor-bash"
		if i >= len(orders) {
			title = "Build it" // the command's description, as Copilot CLI 1.0.102 has it
		}
		l := newLane()
		l.step("prompt a")
		use := calls.NewUse("bash", args)
		var told []string
		for _, what := range order {
			var got []effect
			switch what {
			case "announce":
				got = l.st.step(messageIn{msg: acp.NewUpdate("s", &acp.ToolCall{ToolCallID: "c1", Title: title, RawInput: input})})
			case "use":
				got = l.st.step(toolIn{use: use})
			case "begin":
				got = l.st.step(terminalIn{use, "term-1"})
			case "again":
				got = l.st.step(messageIn{msg: acp.NewUpdate("s", &acp.ToolCallUpdate{ToolCallID: "c1"})})
			}
			for _, e := range got {
				if e, ok := e.(emit); ok {
					if u, ok := e.ev.(*Message); ok {
						if u, ok := u.Update().(*acp.ToolCallUpdate); ok && u.Meta != nil {
							told = append(told, string(u.ToolCallID)+" "+string(u.Meta))
						}
					}
				}
			}
		}
		if want := []string{`c1 {"copilot-bridge":{"terminalId":"term-1"}}`}; !slices.Equal(told, want) {
			t.Errorf("%v: told %q, want %q", order, told, want)
		}
	}
}
