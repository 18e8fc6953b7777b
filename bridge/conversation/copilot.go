package conversation

import (
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
