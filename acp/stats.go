package acp

import (
	"strconv"
	"sync/atomic"

	"github.com/rs/zerolog"
)

// Stats counts what went over a connection. Received lines that are in none of
// the other counters were delivered.
type Stats struct {
	LinesReceived, LinesSent uint64
	BytesReceived, BytesSent uint64 // with newlines

	Blank          uint64 // received lines with nothing on them
	Stray          uint64 // that are not JSON-RPC: log output, a cut last line
	Broken         uint64 // refused and answered with an error
	Refused        uint64 // refused without anyone to answer, lost responses among them
	TooLong        uint64 // over the limit; also counted as Broken or Refused
	StrayResponses uint64 // answers to nothing we asked, second answers

	Panics uint64 // of the Handler
}

type counters struct {
	lines, bytes, sent             atomic.Uint64
	blank, stray, broken, refused  atomic.Uint64
	tooLong, strayResponse, panics atomic.Uint64
	quoted                         atomic.Uint64
}

// Stats returns the counters of now.
func (c *Conn) Stats() Stats {
	s := &c.stats
	return Stats{
		LinesReceived: s.lines.Load(), LinesSent: s.sent.Load(),
		BytesReceived: s.bytes.Load(), BytesSent: c.out.Written(),
		Blank: s.blank.Load(), Stray: s.stray.Load(), Broken: s.broken.Load(), Refused: s.refused.Load(),
		TooLong: s.tooLong.Load(), StrayResponses: s.strayResponse.Load(), Panics: s.panics.Load(),
	}
}

// skipped counts and logs a line that is not delivered.
func (c *Conn) skipped(kind lineKind, reason string, line *rawLine) {
	level := zerolog.WarnLevel
	switch kind {
	case lineBlank:
		c.stats.blank.Add(1)
		return
	case lineStray:
		if c.stats.stray.Add(1) > 1 {
			level = zerolog.DebugLevel
		}
	case lineBroken:
		c.stats.broken.Add(1)
	default:
		c.stats.refused.Add(1)
	}
	if c.stats.quoted.Add(1) > maxLoggedLines {
		return
	}
	event := c.log.WithLevel(level).Str("why", reason).Int64("bytes", line.size).Str("line", quote(line.text))
	if kind == lineStray && suspicious(line.text) {
		event = event.Bool("holds_a_message", true)
	}
	event.Msg(kind.String())
}

func (c *Conn) strayResponse(e *envelope) {
	c.stats.strayResponse.Add(1)
	if c.stats.quoted.Add(1) > maxLoggedLines {
		return
	}
	c.log.Warn().Str("id", quote(e.id)).Str("error", quote(e.err)).Msg("skipped a response to nothing that was asked")
}

// summary ends the log of a connection that skipped something.
func (c *Conn) summary() {
	s := c.Stats()
	if s.Stray+s.Broken+s.Refused+s.StrayResponses == 0 {
		return
	}
	c.log.Info().Uint64("stray", s.Stray).Uint64("broken", s.Broken).Uint64("refused", s.Refused).
		Uint64("too_long", s.TooLong).Uint64("stray_responses", s.StrayResponses).Msg("lines skipped in all")
}

// quote makes a piece of foreign text safe for any log.
func quote(text []byte) string {
	if len(text) <= maxLoggedBytes {
		return strconv.QuoteToASCII(string(text))
	}
	return strconv.QuoteToASCII(string(text[:maxLoggedBytes])) + "…"
}
