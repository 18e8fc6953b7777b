package terminalproxy

import "unicode/utf8"

// decoder turns bytes into valid UTF-8 as they come: a character split between two reads is joined, each byte
// that belongs to none becomes U+FFFD. Whole characters only come out.
type decoder struct {
	held     [utf8.UTFMax - 1]byte // the beginning of a character
	n        int                   // bytes in held
	replaced uint64
	scratch  []byte
}

const replacement = "\uFFFD"

func (d *decoder) decode(p []byte, out func([]byte)) {
	for d.n > 0 && len(p) > 0 {
		var buf [utf8.UTFMax]byte
		n := copy(buf[:], d.held[:d.n])
		n += copy(buf[n:], p)
		if !utf8.FullRune(buf[:n]) { // then all of p fits into held
			d.n = copy(d.held[:], buf[:n])
			return
		}
		r, size := utf8.DecodeRune(buf[:n])
		if r == utf8.RuneError && size == 1 {
			d.replaced++
			out([]byte(replacement))
		} else {
			out(buf[:size])
		}
		if size >= d.n {
			p = p[size-d.n:]
			d.n = 0
		} else {
			d.n = copy(d.held[:], d.held[size:d.n])
		}
	}
	if cut := incomplete(p); cut > 0 {
		d.n = copy(d.held[:], p[len(p)-cut:])
		p = p[:len(p)-cut]
	}
	if utf8.Valid(p) {
		if len(p) > 0 {
			out(p)
		}
		return
	}
	if d.scratch == nil {
		d.scratch = make([]byte, 0, scratchSize)
	}
	text := d.scratch[:0]
	for len(p) > 0 {
		if r, size := utf8.DecodeRune(p); r == utf8.RuneError && size == 1 {
			d.replaced++
			text = append(text, replacement...)
			p = p[1:]
		} else {
			text = append(text, p[:size]...)
			p = p[size:]
		}
		if len(text) > scratchSize-utf8.UTFMax {
			out(text)
			text = text[:0]
		}
	}
	if len(text) > 0 {
		out(text)
	}
}

// end passes on what never became a character.
func (d *decoder) end(out func([]byte)) {
	for range d.n {
		d.replaced++
		out([]byte(replacement))
	}
	d.n = 0
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
