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

// TestQuestionsOfTheAgentsOwnAreOrdered by the announcements of their calls, whichever is asked, or ready, first; one that is never put
// holds none up.
func TestQuestionsOfTheAgentsOwnAreOrdered(t *testing.T) {
	announced := func(ids ...acp.ToolCallID) *Table {
		table := New()
		for _, id := range ids {
			table.Learn(&acp.ToolCallUpdate{ToolCallID: id}, true)
		}
		return table
	}
	put := func(table *Table, want ...*Ask) {
		t.Helper()
		if due := table.Due(); fmt.Sprint(due) != fmt.Sprint(want) {
			t.Errorf("%d are put, not %d", len(due), len(want))
		}
	}
	// The second is asked about and ready first.
	table := announced("1", "2", "3")
	second, first, unknown := table.Coming("2"), table.Coming("1"), table.Coming("x")
	table.Ask(unknown)
	table.Ask(second)
	put(table)
	table.Ask(first)
	put(table, first)
	put(table) // it is not on its way yet
	table.Gone(first)
	put(table, second)
	table.Gone(second)
	put(table, unknown)
	table.Gone(unknown)

	// One that is allowed without a question, one that is taken back, and one that takes its time.
	table = announced("1", "2", "3", "4")
	var asks []*Ask
	for _, id := range []acp.ToolCallID{"1", "2", "3", "4"} {
		asks = append(asks, table.Coming(id))
	}
	table.Ask(asks[3])
	table.Gone(asks[0])
	table.Ask(asks[1])
	put(table, asks[1])
	table.GiveUp(asks[3])
	put(table) // the second is on its way
	table.Withdraw(asks[1])
	put(table, asks[3])
	table.Ask(asks[2])
	put(table, asks[2]) // late, and behind
	if table.Gone(asks[2]); len(table.coming) != 1 || len(table.asks) != 0 {
		t.Errorf("left over: %d, %d", len(table.coming), len(table.asks))
	}
}
