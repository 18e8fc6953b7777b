package conversation

import "github.com/copilot-bridge/copilot-bridge/acp"

// Ended says whether a tool call has ended by its status, well or not.
func Ended(status *acp.ToolCallStatus) bool {
	return status != nil && (*status == acp.ToolCallStatusCompleted || *status == acp.ToolCallStatusFailed)
}

// CancelledCall is the update that closes a call the agent left open. ACP v1 has no status for it.
func CancelledCall(id acp.ToolCallID) *acp.ToolCallUpdate {
	failed := acp.ToolCallStatusFailed
	return &acp.ToolCallUpdate{ToolCallID: id, Status: &failed, Meta: []byte(`{"copilot-bridge":{"cancelled":true}}`)}
}
