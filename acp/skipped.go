package acp

import (
	"strconv"

	"github.com/rs/zerolog"
)

// counters count the lines that were received and not delivered. They are the
// reading goroutine's.
type counters struct {
	blank          uint64 // nothing on them
	stray          uint64 // not JSON-RPC: log output, a cut last line
	broken         uint64 // refused and answered with an error
	refused        uint64 // refused without anyone to answer, lost responses among them
	tooLong        uint64 // over the limit; also counted as broken or refused
	strayResponses uint64 // answers to nothing we asked, second answers

	panics uint64 // of the Handler
	quoted uint64 // in the log
}

// skipped counts and logs a line that is not delivered.
func (r *reader) skipped(kind lineKind, reason string, line *rawLine) {
	level := zerolog.WarnLevel
	switch kind {
	case lineBlank:
		r.count.blank++
		return
	case lineStray:
		if r.count.stray++; r.count.stray > 1 {
			level = zerolog.DebugLevel
		}
	case lineBroken:
		r.count.broken++
	default:
		r.count.refused++
	}
	if r.count.quoted++; r.count.quoted > maxLoggedLines {
		return
	}
	event := r.c.log.WithLevel(level).Str("why", reason).Int64("bytes", line.size).Str("line", quote(line.text))
	if kind == lineStray && suspicious(line.text) {
		event = event.Bool("holds_a_message", true)
	}
	event.Msg(kind.String())
}

func (r *reader) strayResponse(e *envelope) {
	r.count.strayResponses++
	if r.count.quoted++; r.count.quoted > maxLoggedLines {
		return
	}
	r.c.log.Warn().Str("id", quote(e.id)).Str("error", quote(e.err)).Msg("skipped a response to nothing that was asked")
}

// summary ends the log of a connection that skipped something.
func (r *reader) summary() {
	n := &r.count
	if n.stray+n.broken+n.refused+n.strayResponses == 0 {
		return
	}
	r.c.log.Info().Uint64("stray", n.stray).Uint64("broken", n.broken).Uint64("refused", n.refused).
		Uint64("too_long", n.tooLong).Uint64("stray_responses", n.strayResponses).Msg("lines skipped in all")
}

// quote makes a piece of foreign text safe for any log.
func quote(text []byte) string {
	if len(text) <= maxLoggedBytes {
		return strconv.QuoteToASCII(string(text))
	}
	return strconv.QuoteToASCII(string(text[:maxLoggedBytes])) + "…"
}
