package conversation

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// CarryOver notes that the agent has lost what was said: the next prompt begins with a summary of it, also after a
// restart.
func (c *Conversation) CarryOver() {
	c.mu.Lock()
	c.carry = true
	c.mu.Unlock()
	c.SetMeta(func(m *store.Meta) { m.Carry = true })
}

// Carried is the summary for the next prompt, "" where the agent knows what was said. With an error not all that was said
// could be read, and the summary is of what could.
func (c *Conversation) Carried() (string, error) {
	c.mu.Lock()
	carry := c.carry
	c.mu.Unlock()
	if !carry {
		return "", nil
	}
	whole, err := c, error(nil)
	if c.cfg.DiskOnly && c.cfg.Store != nil {
		c.Sync()
		whole, err = Read(c.cfg.Store, c.cfg.ID)
	}
	text := whole.summary()
	if text == "" {
		return "", err
	}
	return "This conversation goes on from an earlier one whose history you no longer have. What was said in it, shortened:\n\n" + text, err
}

// Arrived notes that the agent has been told what it had lost.
func (c *Conversation) Arrived() {
	c.mu.Lock()
	was := c.carry
	c.carry = false
	c.mu.Unlock()
	if was {
		c.SetMeta(func(m *store.Meta) { m.Carry = false })
	}
}

// summary is what was said by whom, the newest part of it, within MaxSummary. The prompt that is under way is not in it.
// What tools did is left out: it can be seen in the files.
func (c *Conversation) summary() string {
	var parts []string
	speaker := ""
	say := func(who, text string) {
		text = strings.TrimSpace(text)
		if text == "" {
			return
		}
		if head := escape.Head(text, MaxSummary/4); len(head) < len(text) {
			text = head + " …"
		}
		if who != speaker {
			text = who + ": " + text
			speaker = who
		}
		parts = append(parts, text)
	}
	open := -1 // where the prompt of an open turn stands
	c.each(func(e *item) {
		switch e.update.(type) {
		case *acp.AgentMessageChunk:
			say("You", string(e.text))
		case *acp.UserMessageChunk:
			say("User", string(e.text))
		}
		if e.prompt != nil {
			open = len(parts)
			for _, b := range e.prompt {
				say("User", blockMarkdown(b))
			}
		}
		if e.end != nil {
			open = -1
		}
	})
	if open >= 0 {
		parts = parts[:open]
	}
	size, from := 0, len(parts)
	for from > 0 && size+len(parts[from-1]) <= MaxSummary {
		from--
		size += len(parts[from]) + 1
	}
	return strings.Join(parts[from:], "\n")
}

// Answer is what the agent said in a turn, as far as it is in memory.
func (c *Conversation) Answer(turn string) string {
	var out strings.Builder
	c.each(func(e *item) {
		if _, ok := e.update.(*acp.AgentMessageChunk); ok && e.turn == turn {
			out.Write(e.text)
		}
	})
	return out.String()
}
