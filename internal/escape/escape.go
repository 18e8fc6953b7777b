// Package escape makes text from agents, commands and files safe to put in front of the user.
//
// Terminals, logs, LSP messages and permission questions show text that somebody else wrote. That text may
// move the cursor, set the clipboard, draw a prompt that is not ours, or reorder what is read. Everything of
// that kind passes one streaming filter. Three things stay true for every function and every input:
//
//  1. The output is valid UTF-8 and holds no ESC, no C1 control (neither as U+0080-009F nor as a bare byte)
//     and, [StripANSI] apart, no other control than tab and newline.
//  2. The output does not depend on how the input was cut into writes.
//  3. The filter keeps a few bytes of state, whatever comes: an unterminated sequence ends at a cap.
//
// Escape sequences disappear from [Text], because a coloured build log should read as a build log. They do
// not disappear from [Inline], because what the user is asked to allow must be shown whole: a shell runs the
// `; r` that a terminal would swallow as part of a sequence.
//
// What is too long is shortened here too ([Clip], [ClipMiddle]; [Head] and [Tail] where bytes count), and put into
// Markdown by [Fenced].
//
// [Redact] and [RedactValues] take secrets out of what is logged or recorded. Bytes on their way to a file or
// back to the agent never pass through here.
package escape

import (
	"strings"
	"unicode/utf8"
)

// Text returns s as it may be shown over many lines: CSI, OSC, DCS, SOS, PM and APC sequences are dropped in
// their 7-bit and 8-bit spelling, so are control characters except tab and newline. CRLF becomes a newline, a
// CR alone is shown as ␍, invalid UTF-8 as U+FFFD; bidirectional, zero-width and tag characters as <U+202E>.
func Text(s string) string { return apply(s, text) }

// Inline returns s on one line with nothing left out, for questions and titles: as [Text], but newline, tab
// and CR are shown as ⏎, → and ␍, and a control character as <U+001B> with whatever follows it in plain sight.
func Inline(s string) string { return apply(s, inline) }

// Lines returns s over many lines with nothing left out, newlines and tabs as they are and all else as [Inline] shows it:
// what [Text] would drop as part of a sequence is written to a file or run by a shell all the same.
func Lines(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		n := strings.IndexAny(s, "\n\t")
		if n < 0 {
			n = len(s)
		}
		b.WriteString(Inline(s[:n]))
		if n < len(s) {
			b.WriteByte(s[n])
			n++
		}
		s = s[n:]
	}
	return b.String()
}

// StripANSI returns s without escape sequences and C1 controls. The rest stays, with U+FFFD for what is not
// UTF-8: for text that is going to be parsed or matched, not shown.
func StripANSI(s string) string { return apply(s, strip) }

func apply(s string, m mode) string {
	if isPlain(s, m) {
		return s
	}
	f := filter{mode: m}
	out := f.feed(make([]byte, 0, len(s)+len(s)/8+16), []byte(s))
	return string(f.end(out))
}

// isPlain reports whether the filter would return s itself. Most text is, and then nothing is copied.
func isPlain(s string, m mode) bool {
	for i := range len(s) {
		if !passes(s[i], m) {
			return false
		}
	}
	return true
}

// passes reports whether b stands for itself at every place of the ground state.
func passes(b byte, m mode) bool {
	switch {
	case b >= utf8.RuneSelf || b == del:
		return false
	case b >= ' ':
		return true
	default:
		return m != inline && (b == '\n' || b == '\t')
	}
}
