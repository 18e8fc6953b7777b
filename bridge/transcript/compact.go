package transcript

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/transcript/program"
)

// thresholds say when a summary is made. Shares are of the context window.
type thresholds struct{ background, exhausted float64 }

// thresholdsOf reads the thresholds as Copilot CLI does, from the same variables. The last of two values counts.
func thresholdsOf(env []string) thresholds {
	th := thresholds{backgroundUse, exhaustedUse}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(v > 0 && v <= 1) {
			continue
		}
		switch name {
		case "COPILOT_BACKGROUND_COMPACTION_THRESHOLD":
			th.background = v
		case "COPILOT_BUFFER_EXHAUSTION_THRESHOLD":
			th.exhausted = v
		}
	}
	return th
}

// step is what a request needs before it is sent.
type step int

const (
	send       step = iota // nothing
	background             // a summary is begun, and the request goes on
	waitFor                // a summary is waited for, and applied
)

// next says what a request needs. use is its share of the context, messages how many there are to sum up; forced says
// that the program has refused one for its length.
func (th thresholds) next(use float64, messages int, running, forced bool) step {
	switch {
	case forced && messages > 0:
		return waitFor
	case messages < minMessages:
		return send
	case use >= th.exhausted:
		return waitFor
	case use >= th.background && !running:
		return background
	}
	return send
}

// summaryInstruction is the instruction of a summary: the system part of its request.
const summaryInstruction = `Summarize the conversation below, so that it can be continued by somebody who has only your summary. Keep what the user wants and has decided, names, paths, numbers and exact wordings that matter, what was done and found out, what failed, what is still open, and what comes next. Leave out small talk and output that no longer matters. Use no tools, change nothing, and answer with the summary only. Its first line is a title of a few words.`

// summaryRequest asks for a summary of what was said, within a limit of tokens. Long messages are shortened, all to the
// same size, before any is left out.
func summaryRequest(h *history, focus string, limit int) request {
	r := request{system: summaryInstruction, summary: h.summary, messages: h.messages, prompt: "Write the summary of this conversation now."}
	if focus = strings.TrimSpace(focus); focus != "" {
		r.prompt += " Pay special attention to this: " + program.Clip(focus, userClip)
	}
	room := int(float64(limit)*headroom)*bytesToken - bytesToken
	if over := r.size() - room; over > 0 {
		r.messages = shortened(r.messages, max(sizeOf(r.messages)-over, 0))
	}
	r, _ = truncate(r, limit)
	return r
}

// shortened clips the longest messages so that all together take at most room bytes, if that is possible without going
// below leastClip.
func shortened(messages []message, room int) []message {
	low, high := leastClip, leastClip
	for _, m := range messages {
		high = max(high, len(m.Text))
	}
	at := func(size int) (out []message) {
		out = make([]message, len(messages))
		for i, m := range messages {
			m.Text = program.Clip(m.Text, size)
			out[i] = m
		}
		return out
	}
	for low < high { // the largest size that fits
		mid := low + (high-low+1)/2
		if sizeOf(at(mid)) <= room {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return at(low)
}

// compacted is what a summary's text, and the plan, replace what was said by. limit, in tokens, bounds it, so that a
// talkative summary does not fill the context again.
func compacted(h *history, text, plan string, limit int) *summary {
	share := func(part float64, most int) int {
		return min(most, max(leastClip, int(part*float64(limit))*bytesToken))
	}
	out := &summary{Text: program.Clip(withoutNUL(text), share(summaryShare, 1<<30)), Plan: program.Clip(plan, share(usersShare, planClip))}
	var said []string
	if h.summary != nil {
		said = append(said, h.summary.Users...)
		out.Plan = cmp.Or(out.Plan, h.summary.Plan)
	}
	for _, m := range h.messages {
		if m.Role == user {
			said = append(said, program.Clip(m.Text, userClip))
		}
	}
	room := share(usersShare, maxUsers)
	from := len(said)
	for from > 0 && room >= len(said[from-1]) {
		from--
		room -= len(said[from]) + len("- \n")
	}
	if from < len(said) {
		out.Users = said[from:]
	} else if len(said) > 0 {
		out.Users = []string{program.Clip(said[len(said)-1], leastClip)}
	}
	return out
}
