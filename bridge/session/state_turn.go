package session

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// turn is one prompt, or one that the agent began by itself, and what became of it.
type turn struct {
	id        string
	ctx       context.Context // ends with a cancel, and when the agent is done with it; set when it begins
	end       context.CancelFunc
	blocks    []acp.ContentBlock
	refs      []ContextRef
	cancelled bool   // by us; an agent that then reports end_turn is not believed
	failure   string // the agent's own "Error: …" text, which it sends before a plain end_turn
	resp      *acp.PromptResponse
	err       error
	repeats   bool            // it was lost before, and is sent again
	queued    func()          // closes sent; called when it is so
	sent      <-chan struct{} // closed when the agent has been sent it: a cancel makes sense from then on
	own       *calls.Own      // of a turn that the agent has begun by itself, nil of a prompt's
	aborting  bool            // it is ended by something else than a cancel, see [Session.abort]
	ended     chan struct{}   // closed when the agent is done with it

	// Of a prompt that an editor made which speaks ACP; see Prompt.
	params jsontext.Value
	back   context.Context
	after  <-chan struct{}

	cancel jsontext.Value // of the editor's session/cancel, nil where there is none
	answer jsontext.Value // the agent's, as it came
}

// result says how the turn ended. Our own cancel outweighs what the agent says: Copilot has answered end_turn to a
// session/cancel (github/copilot-cli#4561), others answer an error.
func (t *turn) result(end *TurnEnded) {
	if t.own != nil {
		end.StopReason, end.Own = acp.StopReasonEndTurn, true
	}
	if t.resp != nil {
		end.StopReason = t.resp.StopReason
		end.Usage = conversation.UsageOf(t.resp)
	}
	switch {
	case t.cancelled:
		end.StopReason = acp.StopReasonCancelled
	case t.err != nil:
		end.StopReason, end.Err = StopReasonError, asError(t.err)
		if t.own == nil {
			t.lose(end)
		}
	case t.failure != "" && t.params == nil:
		end.StopReason = StopReasonError
		end.Said = true
		end.Err = &Error{Code: CodeInternal, Message: strings.TrimSpace(t.failure), Hint: "send the prompt again after fixing the cause", Retryable: true}
	}
}
