package plain

import (
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// TestTheEndOfAnAgentIsToldOnce: by the offer to send the prompt again, whichever of its end and the turn's is known first.
func TestTheEndOfAnAgentIsToldOnce(t *testing.T) {
	gone := &bridge.StatusChanged{Kind: bridge.StatusError, Gone: true, Message: "the agent has ended"}
	f := newFailures(New(Config{Client: nobody{}}))
	if !f.isNews(gone, false) || f.isNews(gone, true) {
		t.Error("without a turn it is news, and in a turn it is not")
	}
	f.turn(&bridge.TurnEnded{Err: &bridge.Error{Code: bridge.CodeAgentUnavailable, Message: "cut off"}, Lost: true})
	if f.isNews(gone, false) {
		t.Error("after the end of its turn it is told again")
	}
	if !f.isNews(&bridge.StatusChanged{Kind: bridge.StatusError, Message: "not saved"}, false) {
		t.Error("what else goes wrong is not told")
	}
	f.started()
	if !f.isNews(gone, false) {
		t.Error("the next end is not told")
	}
}

// nobody is an editor without a plugin that takes what it is sent.
type nobody struct{ Client }

func (nobody) Rich(Concern) bool  { return false }
func (nobody) Notify(string, any) {}
