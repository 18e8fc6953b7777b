package calls

import "github.com/copilot-bridge/copilot-bridge/acp/copilot"

// Own is how far a turn has come that the agent has begun by itself: no prompt asked for it, and no answer will say that it is
// over. Copilot CLI's own log says it. Of an agent that says it nowhere the turn is over when nothing is in its hands any more:
// no call is open, and nothing that it wants done here is being done.
type Own struct {
	Logged bool // the log has told of the turn, and will tell of its end
	more   bool // the model has asked for tools: it is asked again

	quiet  bool // nothing is in the agent's hands
	looks  int  // how often that has begun: the log has to be read after each
	looked bool // it was
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

// Next says what is to be done about the end of a turn of which no log has told: look numbers the reading of the log, where there
// is one, that is due since nothing is in the agent's hands any more, 0 for none; over says that it was read and still tells
// nothing. Copilot writes to its log behind what it does. hands is how much is being done for the agent.
func (o *Own) Next(t *Table, hands int) (look int, over bool) {
	was := o.quiet
	o.quiet = !o.Logged && hands == 0 && !t.working()
	switch {
	case !o.quiet:
		o.looked = false
	case !was:
		o.looks++
		return o.looks, false
	}
	return 0, o.quiet && o.looked
}

// Looked says that the log was read, as [Own.Next] has numbered it. One that was due before the agent did something more is none.
func (o *Own) Looked(look int) { o.looked = o.quiet && look == o.looks }

// working says whether a call that began in this turn has no end yet.
func (t *Table) working() bool {
	for _, c := range t.byID {
		if c.begun && !c.Done {
			return true
		}
	}
	return false
}
