package conversation

import "github.com/copilot-bridge/copilot-bridge/acp"

// Event is something an editor is shown. Of this package are *Message and *Replayed; package bridge has the others, and
// closes the set.
type Event interface{ IsEvent() }

// Message is a message of the agent's, with its place in the session: an update, of which the view may have been changed by
// the bridge, or whatever else goes to an editor that speaks ACP. An update's Seq starts at 1 and has no gaps: it is counted
// when the message is shown to the editor, after merging.
type Message struct {
	*acp.Message
	Session string // the bridge's id; "" of a session that is not known
	Turn    string // "" outside a turn
	Seq     uint64
	Replay  bool     // history of a loaded session, not news
	Paths   []string // absolute paths the update speaks of

	of *Conversation // see [Conversation.Claim]
}

// Replayed is what the history of a loaded session holds beside updates: something that happened to it, or how a turn
// ended. It is no news: nothing is to be done about it.
type Replayed struct {
	Session, Turn string
	Seq           uint64         // counted with the updates
	Event         *Happening     // nil for the end of a turn
	StopReason    acp.StopReason // of the end of a turn: ACP's, or StopReasonError
	Message       string         // why the turn failed, "" if it did not
	Said          bool           // the agent has said that in a notice of its own
	Files         []FileCount    // what the turn left changed
}

func (*Message) IsEvent()  {}
func (*Replayed) IsEvent() {}

// Happening is something that happened to the session beside its turns: "notice", "error", "history_lost",
// "tools_lost", "compaction_started", …
type Happening struct {
	Type    string         `json:"type"`
	Message string         `json:"message"`
	Data    map[string]any `json:"data,omitzero"`
	Said    bool           `json:"-"` // the conversation has it in another form: it is not added, and is no news
}

// News says whether the user has to be told of it, because the agent has not said it.
func (h *Happening) News() bool {
	return !h.Said && h.Type != "compaction_started" && h.Type != "compaction_completed"
}

// StopReasonError is the stop reason of a turn that failed.
const StopReasonError acp.StopReason = "error"

// End is how a turn ended.
type End struct {
	StopReason acp.StopReason `json:"stopReason"`
	Message    string         `json:"message,omitzero"` // why it failed
	Said       bool           `json:"said,omitzero"`    // the agent has said that in a notice of its own
	Files      []FileCount    `json:"files,omitzero"`
	Lost       bool           `json:"lost,omitzero"` // the agent has not answered the prompt, and not because of a cancel
}

// FileCount says how many lines a turn added to and removed from a file.
type FileCount struct {
	Path    string `json:"path"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// ContextRef is a place in the editor that belongs to a prompt.
type ContextRef struct {
	Path      string `json:"path"`               // absolute
	StartLine int    `json:"startLine,omitzero"` // 1-based; 0: the whole file
	EndLine   int    `json:"endLine,omitzero"`   // inclusive
}
