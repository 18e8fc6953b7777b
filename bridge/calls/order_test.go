package calls

import (
	"fmt"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// three is a table of three announced edits, each with its question.
func three() (t *Table, asks []*Ask) {
	t = New()
	for _, name := range []string{"1", "2", "3"} {
		args := map[string]any{"path": name}
		title := "editor-edit"
		raw, err := acp.Marshal(args)
		if err != nil {
			panic(err)
		}
		t.Learn(&acp.ToolCallUpdate{ToolCallID: acp.ToolCallID(name), Title: &title, RawInput: raw}, true)
		u := NewUse("edit", args)
		t.Add(u)
		asks = append(asks, NewAsk(u))
	}
	return t, asks
}

// A question that may be put keeps its place while others give up the wait, until it is taken back: two that give up at once behind
// a call that never asks come in their order.
func TestGivingUpKeepsTheOrder(t *testing.T) {
	table, asks := three()
	table.Ask(asks[2])
	table.Ask(asks[1])
	if due := table.Due(); len(due) != 0 {
		t.Fatalf("%d are put before the first", len(due))
	}
	table.GiveUp(asks[1])
	if due := fmt.Sprint(table.Due()); due != fmt.Sprint(asks[1:2]) {
		t.Errorf("put %s, not the second", due)
	}
	table.GiveUp(asks[2])
	if due := table.Due(); len(due) != 0 {
		t.Error("the third overtook the second on its way")
	}
	table.Withdraw(asks[1])
	table.GiveUp(asks[2])
	if due := fmt.Sprint(table.Due()); due != fmt.Sprint(asks[2:]) {
		t.Errorf("put %s, not the third: it waits for a question that was taken back", due)
	}
}
