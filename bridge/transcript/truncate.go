package transcript

import "slices"

// cut is what truncation has taken out of one request.
type cut struct {
	before, after    int // tokens
	messagesBefore   int
	messagesRemoved  int
	stillOver, clean bool // it does not fit all the same; nothing but orphans went
}

// truncate makes a request fit into a limit of tokens: first the older assistant and tool material goes, oldest first,
// then older messages of the user, then what a summary quotes of the user. What stays, always, is the system part, the
// summary, and the newest message. Results whose call is not there go in any case. What is stored does not change.
func truncate(r request, limit int) (request, cut) {
	c := cut{before: r.tokens(), messagesBefore: len(r.messages)}
	r.messages = withoutOrphans(r.messages)
	c.clean = true
	if r.tokens() > limit {
		c.clean = false
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
	c.after, c.messagesRemoved, c.stillOver = r.tokens(), c.messagesBefore-len(r.messages), r.tokens() > limit
	return r, c
}

// drop takes messages out, oldest first, until the whole, of n bytes, is no longer over. A call takes its result along.
func drop(messages []message, n int, over func(int) bool, may func(message) bool) ([]message, int) {
	if !over(n) {
		return messages, n
	}
	gone := map[string]bool{}
	out := make([]message, 0, len(messages))
	for _, m := range messages {
		if m.Role == result && gone[m.Call] || over(n) && may(m) {
			if m.Role == call {
				gone[m.Call] = true
			}
			n -= m.size()
			continue
		}
		out = append(out, m)
	}
	return out, n
}

// withoutOrphans leaves out results whose call does not stand before them.
func withoutOrphans(messages []message) []message {
	calls := map[string]bool{}
	orphan := func(m message) bool {
		if m.Role == call {
			calls[m.Call] = true
		}
		return m.Role == result && !calls[m.Call]
	}
	if !slices.ContainsFunc(messages, orphan) {
		return messages
	}
	clear(calls)
	return slices.DeleteFunc(slices.Clone(messages), orphan)
}
