package conversation

import (
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// ReadCopilot adds what Copilot's own log of a session says, as far as it can be read: for a session that Copilot will
// not replay. It is called where the conversation is [Conversation.Empty], before anything of it is shown. With an error it
// is what could be read.
func (c *Conversation) ReadCopilot(s copilot.SessionState) error {
	turn := ""
	end := func() {
		if turn != "" {
			c.put(item{turn: turn, end: &End{StopReason: acp.StopReasonEndTurn}})
		}
	}
	err := copilot.ReadMessages(s.Log, func(m copilot.Message) {
		if m.User {
			end()
			turn = m.ID
			c.put(item{turn: turn, prompt: []acp.ContentBlock{acp.Text(m.Text)}})
			return
		}
		c.Add(&Message{Turn: turn, Message: acp.NewUpdate("", &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(m.Text + "\n\n")}})})
	})
	end()
	return err
}

// FromCopilot is an event of Copilot's log as an editor is told of it; nil for one that is no news.
func FromCopilot(e copilot.LogEvent) *Happening {
	num := func(key string) int64 {
		f, _ := e.Data[key].(float64)
		return int64(f)
	}
	str := func(key string) string {
		t, _ := e.Data[key].(string)
		return t
	}
	h := &Happening{Data: map[string]any{}}
	for k, v := range e.Data {
		if k != "type" && k != "message" && k != "summaryContent" { // the summary is in the checkpoint
			h.Data[k] = v
		}
	}
	switch e.Type {
	case "session.compaction_start":
		h.Type = "compaction_started"
		h.Message = fmt.Sprintf("Copilot is summarizing the conversation: %d of %d tokens are used.", num("currentTokens"), num("tokenLimit"))
	case "session.compaction_complete":
		h.Type = "compaction_completed"
		h.Message = fmt.Sprintf("Copilot replaced %d messages (%d tokens) with a summary.", num("messagesRemoved"), num("tokensRemoved"))
		if ok, _ := e.Data["success"].(bool); !ok {
			h.Message = "Copilot could not summarize the conversation: " + strings.TrimSpace(str("error")+" "+str("outcomeReason")) + "."
		}
	case "session.truncation":
		h.Type = "truncation"
		h.Message = fmt.Sprintf("Copilot dropped %d old messages (%d tokens) to make room.", num("messagesRemovedDuringTruncation"), num("tokensRemovedDuringTruncation"))
	case "session.error":
		h.Type = "error"
		h.Message = "Copilot reports an error: " + str("message")
	case "session.model_change":
		if str("source") == "startup" {
			return nil
		}
		h.Type = "model_changed"
		h.Message = "The model is now " + str("newModel") + "."
	case "session.shutdown":
		h.Type = "shutdown" // for the record; the end of the agent itself is told by its status
		h.Message = "Copilot has ended the session's process."
	default:
		return nil
	}
	return h
}
