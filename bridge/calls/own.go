package calls

import "github.com/copilot-bridge/copilot-bridge/acp/copilot"

// Own is how far a turn has come that the agent has begun by itself: no prompt asked for it, and no answer will say that it is
// over. Copilot CLI's own log says it. Of an agent that says it nowhere the turn is over when nothing is in its hands any more:
// no call is open, and nothing that it wants done here is being done. Nothing is concluded from how much time has passed.
type Own struct {
	Logged bool // the log has told of the turn, and will tell of its end
	Looked bool // the log, where there is one, was read since the turn began
	more   bool // the model has asked for tools: it is asked again
}

// Sign takes in what the log says while the turn runs, and says whether that is its end.
func (o *Own) Sign(sign copilot.TurnSign) (over bool) {
	switch sign {
	case copilot.SelfPrompted:
		o.Logged, o.more = true, false
	case copilot.RoundBegan:
		o.more = false
	case copilot.ToolsAsked:
		o.more = true
	case copilot.RoundEnded:
		return o.Logged && !o.more
	case copilot.Aborted:
		return o.Logged
	}
	return false
}

// Over says whether the turn is over for all that is known here. hands is how much is being done for the agent.
func (o *Own) Over(t *Table, hands int) bool {
	return !o.Logged && o.Looked && hands == 0 && !t.working()
}

// working says whether a call that began in this turn has no end yet.
func (t *Table) working() bool {
	for _, c := range t.byID {
		if c.begun && !c.Done {
			return true
		}
	}
	return false
}
