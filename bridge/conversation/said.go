package conversation

import (
	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// Said is one thing that was said in a session, for an agent that has no memory of its own. One of Prompt, Sent and
// Update is set.
type Said struct {
	Turn   string             // "" outside a turn
	Prompt []acp.ContentBlock // by the user
	Sent   *Sent              // what the model was told in the place of the turn's prompt
	Update acp.SessionUpdate  // by the agent
}

// Sent is a prompt in the words that the model was told it in: with the text of files, for one.
type Sent struct {
	Text  string `json:"text"`
	Again bool   `json:"again,omitzero"` // it is one that was cut off and not answered, sent once more
}

// AddSent adds what the model is told in the place of a turn's prompt. It returns when it is on disk, as with AddPrompt.
// Unlike those that add what is shown it may be called by the goroutine that runs the turn, once the prompt is there.
func (c *Conversation) AddSent(turn string, sent Sent) {
	c.put(item{turn: turn, sent: &sent})
	c.Sync()
}

// Said visits what was said, oldest first. visit must not use the conversation. With an error not all could be read.
func (c *Conversation) Said(visit func(Said)) error {
	tell := func(e *item) {
		switch s := (Said{Turn: e.turn, Prompt: e.prompt, Sent: e.sent}); {
		case e.update != nil:
			s.Update = e.asMessage(c.cfg.ID, 0).Update()
			visit(s)
		case e.prompt != nil, e.sent != nil:
			visit(s)
		}
	}
	if !c.cfg.DiskOnly || c.cfg.Store == nil {
		c.each(tell)
		return nil
	}
	c.Sync()
	read := New(Config{ID: c.cfg.ID}) // all but the last item, which may be a run that goes on, is told at once
	err := c.cfg.Store.Read(c.cfg.ID, func(e store.Entry) bool {
		read.restore(e)
		if n := len(read.items); n > 1 {
			tell(&read.items[0])
			read.items = append(read.items[:0], read.items[1:]...)
		}
		return true
	})
	read.each(tell)
	return err
}

// AgentState is what the agent keeps of the session, nil if that is nothing; see [Conversation.PutAgentState].
func (c *Conversation) AgentState() ([]byte, error) {
	c.mu.Lock()
	state, saved := c.agent, c.saved
	c.mu.Unlock()
	if state != nil || saved == nil {
		return state, nil
	}
	return saved.AgentState()
}

// PutAgentState keeps something small for the agent, in the place of what was kept before: how it stands to what was
// said. It is on disk when this returns nil; after an error it is in memory, as everything is that is not saved.
func (c *Conversation) PutAgentState(state []byte) error {
	c.mu.Lock()
	c.agent = state
	saved := c.saved
	c.mu.Unlock()
	if saved == nil {
		return nil
	}
	return saved.PutAgentState(state)
}

// Folder is where files that belong to the session may be put, "" where nothing is saved.
func (c *Conversation) Folder() string {
	if saved := c.open(); saved != nil {
		return saved.Folder()
	}
	return ""
}
