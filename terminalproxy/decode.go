package terminalproxy

import (
	"bytes"
	"unicode/utf8"
)

// decoder turns bytes into valid UTF-8 as they come: a character split between two reads is joined, each byte
// that belongs to none becomes U+FFFD. Whole characters only come out.
type decoder struct {
	held     []byte // the beginning of a character
	repaired []byte // the last output that was not UTF-8, for reuse: some commands write nothing else
}

func (d *decoder) decode(p []byte, out func([]byte)) {
	if len(d.held) > 0 {
		p = append(d.held, p...)
	}
	whole := len(p) - incomplete(p)
	d.held = bytes.Clone(p[whole:])
	d.valid(p[:whole], out)
}

// end passes on what never became a character.
func (d *decoder) end(out func([]byte)) {
	d.valid(d.held, out)
	d.held = nil
}

func (d *decoder) valid(p []byte, out func([]byte)) {
	if !utf8.Valid(p) {
		p = d.repair(p)
	}
	if len(p) > 0 {
		out(p)
	}
}

// repair returns p with U+FFFD for each byte that belongs to no character. The result is valid until the next call. It
// takes half the time of golang.org/x/text where nothing is UTF-8, and the same where little is not.
func (d *decoder) repair(p []byte) []byte {
	text := d.repaired[:0]
	for len(p) > 0 {
		r, size := utf8.DecodeRune(p)
		if r == utf8.RuneError {
			text = append(text, "\uFFFD"...) // twice as fast as AppendRune
		} else {
			text = utf8.AppendRune(text, r)
		}
		p = p[size:]
	}
	d.repaired = text
	return text
}

// incomplete is how many bytes at the end of p are the beginning of a character that may still be completed.
func incomplete(p []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if b := p[len(p)-i]; utf8.RuneStart(b) {
			if utf8.FullRune(p[len(p)-i:]) {
				return 0
			}
			return i
		}
	}
	return 0
}
