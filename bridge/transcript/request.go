package transcript

import "strings"

// tokens is the estimate of a text's tokens, from its size in bytes.
func tokens(size int) int { return (size + bytesToken - 1) / bytesToken }

// request is what the program is sent: one text, put together from these parts.
type request struct {
	system   string // never left out
	summary  *summary
	messages []message
	prompt   string // the newest message; never left out
}

// text is the request as the program gets it. Without anything before it, it is the bare message.
func (r request) text() string {
	var b strings.Builder
	b.Grow(r.size())
	r.parts(func(s string) { b.WriteString(s) })
	return b.String()
}

// size is len(text()).
func (r request) size() int {
	n := 0
	r.parts(func(s string) { n += len(s) })
	return n
}

func (r request) tokens() int { return tokens(r.size()) }

func (r request) parts(put func(string)) {
	if r.system != "" {
		put(r.system)
		put("\n\n")
	}
	if r.summary == nil && len(r.messages) == 0 {
		put(r.prompt)
		return
	}
	put("Previous conversation:\n")
	if r.summary != nil {
		r.summary.parts(put)
	}
	for _, m := range r.messages {
		m.parts(put)
	}
	put("\nUser: ")
	put(r.prompt)
}

// whole is everything that was said, and a message: what fills the context.
func (h *history) whole(text string) request {
	return request{prompt: text, summary: h.summary, messages: h.messages}
}

// request is a message with what a program does not know that knows all up to a turn: of that the newest turns.
func (h *history) request(text, known string, turns int) request {
	sum, messages := h.after(known)
	return request{prompt: text, summary: sum, messages: prune(messages, turns)}
}

func (s *summary) parts(put func(string)) {
	put("Summary of its earlier part:\n")
	put(s.Text)
	put("\n")
	if len(s.Users) > 0 {
		put("What the user said in it, shortened:\n")
		for _, u := range s.Users {
			put("- ")
			put(u)
			put("\n")
		}
	}
	if s.Plan != "" {
		put("The plan:\n")
		put(s.Plan)
		put("\n")
	}
	put("\n")
}

// labels are how the roles are written in a transcript.
var labels = map[role]string{user: "User: ", assistant: "Assistant: ", tool: "Tool call: "}

// resultLabel begins what a tool has answered, in the message of its call.
const resultLabel = "Tool result: "

func (m message) parts(put func(string)) {
	put(labels[m.Role])
	put(m.Text)
	put("\n")
}

func (m message) size() int { return len(labels[m.Role]) + len(m.Text) + 1 }

func sizeOf(messages []message) (n int) {
	for _, m := range messages {
		n += m.size()
	}
	return n
}
