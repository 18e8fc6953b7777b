package calls

import (
	"slices"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// Coming takes in that the agent asks about a tool call of its own (ACP v1 session/request_permission), before anything is done about it.
// Such questions are put in the order in which the agent has announced the calls, as far as it has, and else as they came: one that is
// ready first waits for those before it. [Table.Gone] is called in any case.
func (t *Table) Coming(id acp.ToolCallID) *Ask {
	a := &Ask{own: id, may: make(chan struct{})}
	at := len(t.coming)
	if mine := slices.Index(t.order, id); mine >= 0 {
		later := func(other *Ask) bool { return slices.Index(t.order, other.own) > mine }
		if i := slices.IndexFunc(t.coming, later); i >= 0 {
			at = i
		}
	}
	t.coming = slices.Insert(t.coming, at, a)
	return a
}

// Gone notes that no other question waits for one about a call of the agent's own any more: it is on its way to the editor, or will not be
// put at all.
func (t *Table) Gone(a *Ask) {
	gone := func(other *Ask) bool { return other == a }
	t.coming, t.asks = slices.DeleteFunc(t.coming, gone), slices.DeleteFunc(t.asks, gone)
}

// waits says whether a question about a call of the agent's own is not to be put yet.
func (t *Table) waits(a *Ask) bool {
	return slices.ContainsFunc(t.ahead(a), func(other *Ask) bool { return !other.late })
}

// ahead are those that come before it.
func (t *Table) ahead(a *Ask) []*Ask { return t.coming[:max(slices.Index(t.coming, a), 0)] }

// giveUp has it wait no longer for those that take their time to be ready.
func (t *Table) giveUp(a *Ask) {
	for _, other := range t.ahead(a) {
		other.late = other.late || !other.due && !slices.Contains(t.asks, other)
	}
}
