package transcript

import (
	"cmp"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/transcript/program"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// role says who a message is from.
type role string

const (
	user      role = "user"
	assistant role = "assistant"
	tool      role = "tool" // the assistant used one: what it was called with, and what it answered
)

// message is one thing that was said, as the model is told it.
type message struct {
	Role role
	Text string
	Turn int // counts the turns; a new one is greater

	call acp.ToolCallID // of a tool
	over bool           // and it has answered
}

// history is what was said in a session before the turn that runs, as far as no summary stands for it. It is made anew,
// by add and leave, whenever it is needed; what it is made from is the bridge's.
type history struct {
	summary  *summary
	until    string // the turn that the summary goes to, "" without one
	messages []message

	ends map[string]int // of each turn that was not summed up, and of until: how many messages there are up to its end
	last string         // the turn of what was added last
	turn int
	skip string // a turn that is no part of the conversation
}

// beginning is the turn of what was said before the first turn that the bridge knows: what an agent has replayed.
const beginning = "-"

// add takes in the next thing that was said.
func (h *history) add(s conversation.Said) {
	in := cmp.Or(s.Turn, h.last, beginning) // what comes between turns belongs to the one before,
	if _, over := h.ends[in]; over {
		in = h.last // and so does what comes of a turn after its end
	}
	if in != h.last {
		h.leave()
		h.turn, h.last = h.turn+1, in
		if _, command := compactCommand(promptText(s.Prompt)); command {
			h.skip = in
		}
	}
	if s.Sent != nil {
		h.skip = "" // it was not only the command
	}
	if in != h.skip {
		h.say(s)
	}
	h.ends[in] = len(h.messages)
}

// leave ends the turn under way: if the summary goes up to it, nothing of it and before is needed. It is called again
// when everything was added.
func (h *history) leave() {
	if h.ends == nil {
		h.ends = map[string]int{}
	}
	if h.last == h.until && h.last != "" {
		h.messages = nil
		clear(h.ends)
		h.ends[h.until] = 0
	}
}

func (h *history) say(s conversation.Said) {
	switch {
	case s.Prompt != nil:
		text := promptText(s.Prompt)
		h.repeated(text, false)
		h.put(message{Role: user, Text: text})
	case s.Sent != nil:
		if n := len(h.messages); n > 0 && h.messages[n-1].Role == user && h.messages[n-1].Turn == h.turn {
			h.messages = h.messages[:n-1]
		}
		h.repeated(s.Sent.Text, s.Sent.Again)
		h.put(message{Role: user, Text: s.Sent.Text})
	}
	switch u := s.Update.(type) {
	case *acp.UserMessageChunk:
		if s.Turn == "" { // of a replay; else it echoes the prompt
			h.turn++
			h.put(message{Role: user, Text: promptText([]acp.ContentBlock{u.Content})})
		}
	case *acp.AgentMessageChunk:
		if _, notice := conversation.NoticeOf(u); !notice {
			text := strings.TrimRight(promptText([]acp.ContentBlock{u.Content}), " \t\r\n")
			h.put(message{Role: assistant, Text: program.Clip(text, maxKept)})
		}
	case *acp.ToolCall, *acp.ToolCallUpdate:
		h.used(acp.CallOf(u))
	}
}

func (h *history) put(m message) {
	if m.Text = withoutNUL(m.Text); m.Text != "" {
		m.Turn = h.turn
		h.messages = append(h.messages, m)
	}
}

// repeated leaves out the newest message if text takes its place: the program failed, was cancelled or was cut off before
// it had said anything to it, and it is the same one, or was offered to be sent again. Who knows the one knows the
// other.
func (h *history) repeated(text string, again bool) {
	n := len(h.messages) - 1
	if n < 0 || h.messages[n].Role != user || h.messages[n].Turn == h.turn || !again && h.messages[n].Text != withoutNUL(text) {
		return
	}
	h.messages = h.messages[:n]
}

// used takes in what is said of a tool call: that it was made, or what came of it. Of both, what it did is kept, not all
// of what it said.
func (h *history) used(u *acp.ToolCallUpdate) {
	at := len(h.messages) - 1
	for at >= 0 && (h.messages[at].Role != tool || h.messages[at].call != u.ToolCallID) {
		at--
	}
	if at < 0 {
		if u.Title == nil || *u.Title == "" {
			return // nobody knows of what
		}
		h.put(message{Role: tool, call: u.ToolCallID, Text: program.Clip(strings.TrimSpace(*u.Title+" "+string(u.RawInput)), program.ToolClip)})
		at = len(h.messages) - 1
	}
	m := &h.messages[at]
	if m.over || !conversation.Ended(u.Status) {
		return
	}
	var texts []string
	for _, c := range u.Content {
		if c, ok := c.(*acp.Content); ok {
			texts = append(texts, promptText([]acp.ContentBlock{c.Content}))
		}
	}
	m.over = true
	if text := withoutNUL(strings.Join(texts, "\n")); text != "" {
		m.Text += "\n" + resultLabel + program.Clip(text, program.ToolClip)
	}
}

// after is what was said after a turn, with the summary if that goes further back: what a program is told that knows
// the rest. It knows nothing with turn "", or with one that was never heard of.
func (h *history) after(turn string) (*summary, []message) {
	if n, ok := h.ends[turn]; ok && turn != "" {
		return nil, h.messages[min(n, len(h.messages)):]
	}
	return h.summary, h.messages
}

// prune keeps the newest turns.
func prune(messages []message, turns int) []message {
	seen, last := 0, 0
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; seen == 0 || m.Turn != last {
			seen, last = seen+1, m.Turn
			if seen > turns {
				return messages[i+1:]
			}
		}
	}
	return messages
}
