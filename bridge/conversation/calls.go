package conversation

import (
	"slices"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// callStates says of tool calls whether they have ended, in the order in which they were first seen.
type callStates struct {
	order []acp.ToolCallID
	done  map[acp.ToolCallID]bool
}

// learn notes what an update says of a call. Either kind may come first (ACP v1).
func (s *callStates) learn(u acp.SessionUpdate) {
	call := acp.CallOf(u)
	if call == nil {
		return
	}
	id := call.ToolCallID
	if s.done == nil {
		s.done = map[acp.ToolCallID]bool{}
	}
	if _, seen := s.done[id]; !seen {
		s.order = append(s.order, id)
		s.done[id] = false
	}
	if call.Status != nil {
		s.done[id] = *call.Status == acp.ToolCallStatusCompleted || *call.Status == acp.ToolCallStatusFailed
	}
}

// open are the calls without an end.
func (s *callStates) open() []acp.ToolCallID {
	return slices.DeleteFunc(slices.Clone(s.order), func(id acp.ToolCallID) bool { return s.done[id] })
}

// CancelledCall is the update that closes a call the agent left open. ACP v1 has no status for it.
func CancelledCall(id acp.ToolCallID) *acp.ToolCallUpdate {
	failed := acp.ToolCallStatusFailed
	return &acp.ToolCallUpdate{ToolCallID: id, Status: &failed, Meta: []byte(`{"copilot-bridge":{"cancelled":true}}`)}
}
