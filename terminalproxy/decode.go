package terminalproxy

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/runes"
)

// decoder turns bytes into valid UTF-8 as they come: a character split between two reads is joined, each byte
// that belongs to none becomes U+FFFD. Whole characters only come out.
type decoder struct{ held []byte } // the beginning of a character

func (d *decoder) decode(p []byte, out func([]byte)) {
	if len(d.held) > 0 {
		p = append(d.held, p...)
	}
	whole := len(p) - incomplete(p)
	d.held = bytes.Clone(p[whole:])
	d.pass(p[:whole], out)
}

// end passes on what never became a character.
func (d *decoder) end(out func([]byte)) {
	d.pass(d.held, out)
	d.held = nil
}

func (d *decoder) pass(p []byte, out func([]byte)) {
	if !utf8.Valid(p) {
		p = runes.ReplaceIllFormed().Bytes(p)
	}
	if len(p) > 0 {
		out(p)
	}
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
