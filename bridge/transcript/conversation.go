package transcript

import (
	"slices"
	"strings"
)

// role says who a message is from.
type role string

const (
	user      role = "user"
	assistant role = "assistant"
	call      role = "call"   // the assistant used a tool
	result    role = "result" // what the tool answered
)

// message is one thing that was said, by whom, in which turn.
type message struct {
	Role role   `json:"role"`
	Text string `json:"text"`
	Call string `json:"call,omitzero"` // of call and result: which tool call
	Turn int    `json:"turn"`          // from 1
	// Again says that it takes the place of the message before it, which is the same one and was not answered.
	Again bool `json:"again,omitzero"`
}

// summary stands for the messages that compaction has replaced.
type summary struct {
	Text  string   `json:"text"`
	Users []string `json:"users,omitzero"` // what the user had said, shortened, oldest first
	Plan  string   `json:"plan,omitzero"`
}

// compaction replaces the messages before Until by a summary.
type compaction struct {
	summary
	Until      int `json:"until"`               // number of the first message that stays, over the whole session
	Checkpoint int `json:"checkpoint,omitzero"` // number of the file the summary is in
}

// cliSession is the program's own session that a conversation is held in.
type cliSession struct {
	ID      string `json:"id"`
	Cwd     string `json:"cwd"`
	Started bool   `json:"started,omitzero"` // it is certain that the program has it
	Known   int    `json:"known,omitzero"`   // how many messages it knows, over the whole session
}

// entry is what the log holds: one change. Exactly one member is set.
type entry struct {
	Message    *message    `json:"message,omitzero"`
	Compaction *compaction `json:"compaction,omitzero"`
	CLI        *cliSession `json:"cli,omitzero"`
	Limit      int         `json:"limit,omitzero"` // the context window that the program has named, in tokens
}

// conversation is a session as it is now.
type conversation struct {
	first       int // number of messages[0] over the whole session: so many were replaced
	messages    []message
	summary     *summary
	cli         cliSession
	limit       int // 0: not named
	checkpoints int
}

// apply makes one change. Entries that make no sense, of a damaged log, change nothing.
func (c *conversation) apply(e entry) {
	switch {
	case e.Message != nil:
		m := *e.Message
		m.Text = withoutNUL(m.Text)
		if m.Again && c.unanswered() != nil {
			c.messages = c.messages[: len(c.messages)-1 : len(c.messages)-1] // others may hold the old ones
		}
		c.messages = append(c.messages, m)
	case e.Compaction != nil:
		at := e.Compaction.Until - c.first
		if at < 0 || at > len(c.messages) {
			return
		}
		s := e.Compaction.summary
		s.Text = withoutNUL(s.Text)
		c.summary = &s
		c.messages = slices.Clone(c.messages[at:])
		c.first += at
		c.checkpoints = max(c.checkpoints, e.Compaction.Checkpoint)
	case e.CLI != nil:
		c.cli = *e.CLI
	case e.Limit > 0:
		c.limit = e.Limit
	}
}

// unanswered is the newest message if it is the user's: the program failed, was cancelled or was cut off before it had said
// anything. Otherwise nil.
func (c *conversation) unanswered() *message {
	if n := len(c.messages); n > 0 && c.messages[n-1].Role == user {
		return &c.messages[n-1]
	}
	return nil
}

// withoutNUL is a text that can be an argument of a program.
func withoutNUL(s string) string { return strings.ReplaceAll(s, "\x00", "\uFFFD") }

// window is the context window in tokens: what the program has named, if that is less than what is configured.
func (c *conversation) window(configured int) int {
	if c.limit > 0 {
		return min(c.limit, configured)
	}
	return configured
}

// end is the number that the next message gets.
func (c *conversation) end() int { return c.first + len(c.messages) }

// turn is the number of the newest turn, 0 if there was none.
func (c *conversation) turn() int {
	if n := len(c.messages); n > 0 {
		return c.messages[n-1].Turn
	}
	return 0
}

// since is what was said from message number n on.
func (c *conversation) since(n int) []message {
	return c.messages[min(max(n-c.first, 0), len(c.messages)):]
}

// boundary is the place at or after want where messages can be parted: no result stands after it whose call is before.
func boundary(messages []message, want int) int {
	at := min(max(want, 0), len(messages))
	for again := true; again; {
		again = false
		for i := len(messages) - 1; i >= at; i-- {
			if messages[i].Role == result && called(messages[:at], messages[i].Call) {
				at, again = i+1, true
				break
			}
		}
	}
	return at
}

func called(messages []message, id string) bool {
	return slices.ContainsFunc(messages, func(m message) bool { return m.Role == call && m.Call == id })
}
