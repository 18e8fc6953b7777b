package calls

import (
	"slices"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// Ask is a question about a call of one of our tools, or of the agent's own, on its way to the user. An agent that makes several calls at once gets its
// questions asked in the order in which it has announced the calls, whichever of them is ready first.
type Ask struct {
	use *Use // nil for a call of the agent's own
	may chan struct{}

	own  acp.ToolCallID // that call, see [Table.Coming]
	due  bool           // it may be put, and is on its way or was
	late bool           // no other waits for it any more
}

// NewAsk is a question about a call of one of our tools.
func NewAsk(use *Use) *Ask { return &Ask{use: use, may: make(chan struct{})} }

// May is closed when the question may be put.
func (a *Ask) May() <-chan struct{} { return a.may }

// Put closes May. It is called once, with what [Table.Due] has given back.
func (a *Ask) Put() { close(a.may) }

// Ask takes in a question that is ready to be put. It waits for the calls that were announced before its own, until each of them
// is past its question; [Table.Due] gives it back then.
func (t *Table) Ask(a *Ask) { t.asks = append(t.asks, a) }

// Withdraw takes a question back that nobody waits for any more. Its call is no longer waited for on its account.
func (t *Table) Withdraw(a *Ask) {
	if a.use == nil {
		t.Gone(a)
		return
	}
	t.asks = slices.DeleteFunc(t.asks, func(other *Ask) bool { return other == a })
	a.use.due = false
}

// Pass notes that a call of our tools is past its question: that is on its way to the editor, or it is done without one. What the call
// does then, a long command for example, holds no question up.
func (t *Table) Pass(u *Use) { u.past = true }

// Reads notes that a call of our tools may read what it names, and nobody was asked. If it is to change nothing it is past its question.
func (t *Table) Reads(u *Use) { u.past = u.past || !slices.Contains(changing, u.tool) }

// changing are the tools that read before they ask about a change.
var changing = []string{"edit", "create", string(tools.Rename), string(tools.Format), string(tools.CodeActions)}

// GiveUp has no question wait any longer for the calls before that of a which have none: one that was announced may never come, or
// have something else to wait for. A call whose question waits too, or is on its way, is still waited for.
func (t *Table) GiveUp(a *Ask) {
	if a.use == nil {
		t.giveUp(a)
		return
	}
	for _, c := range t.before(a) {
		waits := func(other *Ask) bool { return other.use == c.Use }
		c.past = !slices.ContainsFunc(t.asks, waits) && (c.Use == nil || !c.Use.due)
	}
}

// Due takes out the questions that may be put now.
func (t *Table) Due() (due []*Ask) {
	t.asks = slices.DeleteFunc(t.asks, func(a *Ask) bool {
		if a.use == nil || len(t.before(a)) > 0 {
			return false
		}
		a.use.due = true
		due = append(due, a)
		return true
	})
	for _, a := range t.coming { // in their order
		if slices.Contains(t.asks, a) && !t.waits(a) {
			a.due = true
			due = append(due, a)
		}
	}
	t.asks = slices.DeleteFunc(t.asks, func(a *Ask) bool { return a.due })
	return due
}

// before are the calls that a question waits for. One whose call the agent has not announced waits for none.
func (t *Table) before(a *Ask) (out []*Call) {
	for _, id := range t.order {
		switch c := t.byID[id]; {
		case c.Use == a.use:
			return out
		case c.mayAsk():
			out = append(out, c)
		}
	}
	return nil
}

// mayAsk says whether a question about a call is still to come: it is one of ours and neither over nor past its question.
func (c *Call) mayAsk() bool {
	if !c.begun || c.Done || c.past || c.Use != nil && c.Use.past {
		return false
	}
	return c.Use != nil || c.tool != "" || c.isCommand()
}
