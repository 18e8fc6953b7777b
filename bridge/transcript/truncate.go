package transcript

import "slices"

// cut is what truncation has taken out of one request.
type cut struct {
	before, after   int // tokens
	messagesBefore  int
	messagesRemoved int
}

// truncate makes a request fit into a limit of tokens: first the older assistant and tool material goes, oldest first,
// then older messages of the user, then what a summary quotes of the user. What stays, always, is the system part, the
// summary, and the newest message. What is stored does not change.
func truncate(r request, limit int) (request, cut) {
	c := cut{before: r.tokens(), messagesBefore: len(r.messages)}
	if r.tokens() > limit {
		over := func(n int) bool { return tokens(n) > int(float64(limit)*headroom) }
		n := r.size()
		r.messages, n = drop(r.messages, n, over, func(m message) bool { return m.Role != user })
		r.messages, n = drop(r.messages, n, over, func(m message) bool { return m.Role == user })
		if over(n) && r.summary != nil && len(r.summary.Users) > 0 {
			s := *r.summary
			for s.Users = slices.Clone(s.Users); over(r.size()) && len(s.Users) > 0; {
				s.Users = s.Users[1:]
				r.summary = &s
			}
		}
	}
	c.after, c.messagesRemoved = r.tokens(), c.messagesBefore-len(r.messages)
	return r, c
}

// drop takes messages out, oldest first, until the whole, of n bytes, is no longer over.
func drop(messages []message, n int, over func(int) bool, may func(message) bool) ([]message, int) {
	if !over(n) {
		return messages, n
	}
	out := make([]message, 0, len(messages))
	for _, m := range messages {
		if over(n) && may(m) {
			n -= m.size()
			continue
		}
		out = append(out, m)
	}
	return out, n
}
