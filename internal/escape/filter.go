package escape

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

type mode uint8

const (
	text mode = iota
	inline
	strip
	screen // as text, but a lone CR, a backspace and colours do what they do in a terminal
)

type state uint8

const (
	ground        state = iota
	escape              // after ESC
	intermediate        // after ESC and 0x20-0x2f
	control             // in a CSI
	command             // in an OSC: BEL ends it
	stringing           // in a DCS, SOS, PM or APC
	commandEscape       // after an ESC that may begin the ST of an OSC
	stringEscape        // after an ESC that may begin the ST of another string
)

const (
	bel = 0x07
	can = 0x18
	sub = 0x1a
	esc = 0x1b
	del = 0x7f
)

// filter is the parser of a DEC-style terminal, reduced to finding out where sequences end. It reads
// characters, not bytes, because 0x9c is a string terminator and also the last byte of a quotation mark.
//
// A byte that a sequence cannot contain ends it and is then read as text, so that a broken sequence hides
// as little as possible.
type filter struct {
	mode    mode
	state   state
	length  int     // of the sequence so far, in bytes
	partial [3]byte // the beginning of a character that is not complete yet
	held    int     // bytes in partial
	params  []byte  // of a control sequence, in the mode screen
	cr      bool    // a CR was read and nothing visible since
	started bool    // something was put out
}

// feed appends what p becomes to dst.
func (f *filter) feed(dst, p []byte) []byte {
	for f.held > 0 && len(p) > 0 {
		var buf [utf8.UTFMax]byte
		n := copy(buf[:], f.partial[:f.held])
		n += copy(buf[n:], p)
		if !utf8.FullRune(buf[:n]) { // then all of p fits into partial
			f.held = copy(f.partial[:], buf[:n])
			return dst
		}
		r, size := utf8.DecodeRune(buf[:n])
		dst = f.decoded(dst, r, size, buf[0])
		if size >= f.held {
			p = p[size-f.held:]
			f.held = 0
			break
		}
		f.held = copy(f.partial[:], f.partial[size:f.held])
	}
	for len(p) > 0 {
		if f.state == ground {
			n := 0
			for n < len(p) && passes(p[n], f.mode) {
				n++
			}
			if n > 0 {
				dst = f.visible(dst, p[0])
				dst = append(dst, p[1:n]...)
				p = p[n:]
				continue
			}
		}
		if !utf8.FullRune(p) {
			f.held = copy(f.partial[:], p)
			return dst
		}
		r, size := utf8.DecodeRune(p)
		dst = f.decoded(dst, r, size, p[0])
		p = p[size:]
	}
	return dst
}

// end appends what was held back. The filter is as new after it.
func (f *filter) end(dst []byte) []byte {
	for _, b := range f.partial[:f.held] {
		dst = f.decoded(dst, utf8.RuneError, 1, b)
	}
	dst = f.flushCR(dst)
	*f = filter{mode: f.mode}
	return dst
}

// decoded takes one character or, with size 1 and RuneError, one byte that is none. A bare byte 0x80-0x9f is
// what an 8-bit terminal takes for a control, so it is one here too.
func (f *filter) decoded(dst []byte, r rune, size int, first byte) []byte {
	if r == utf8.RuneError && size == 1 && first < 0xa0 {
		r = rune(first)
	}
	return f.rune(dst, r, size)
}

func (f *filter) rune(dst []byte, r rune, size int) []byte {
	if f.mode == inline {
		return f.plain(dst, r)
	}
	f.length += size
	switch f.state {
	case ground:
		return f.plain(dst, r)
	case escape:
		return f.afterEscape(dst, r)
	case intermediate:
		if r >= 0x20 && r <= 0x2f && f.length < maxSequence {
			return dst
		}
		f.state = ground
		if r >= 0x30 && r < del {
			return dst
		}
	case control:
		if r >= 0x20 && r <= 0x3f && f.length < maxSequence {
			if f.mode == screen && len(f.params) <= maxColour {
				f.params = append(f.params, byte(r))
			}
			return dst
		}
		f.state = ground
		if r == 'm' && f.mode == screen {
			return f.colour(dst)
		}
		if r >= 0x40 && r < del {
			return dst
		}
	case command, stringing:
		switch {
		case r == 0x9c, r == can, r == sub, r == bel && f.state == command:
			f.state = ground
			return dst
		case r == esc && f.state == command:
			f.state = commandEscape
			return dst
		case r == esc:
			f.state = stringEscape
			return dst
		case f.length < maxString && (r < 0x80 || r > 0x9f):
			return dst
		}
		f.state = ground
	case commandEscape, stringEscape:
		if r == '\\' {
			f.state = ground
			return dst
		}
		f.state = escape
		return f.afterEscape(dst, r)
	}
	return f.plain(dst, r)
}

func (f *filter) afterEscape(dst []byte, r rune) []byte {
	switch {
	case r == '[':
		f.begin(control)
	case r == ']':
		f.begin(command)
	case r == 'P', r == 'X', r == '^', r == '_':
		f.begin(stringing)
	case r >= 0x20 && r <= 0x2f:
		f.begin(intermediate)
	case r == esc:
	default:
		f.state = ground
		if r < 0x30 || r >= del {
			return f.plain(dst, r)
		}
	}
	return dst
}

func (f *filter) begin(s state) { f.state, f.length, f.params = s, 0, f.params[:0] }

// colour appends the sequence that has just been read, SGR, if it only says how text looks, and does not hide it.
func (f *filter) colour(dst []byte) []byte {
	if len(f.params) > maxColour || strings.Trim(string(f.params), "0123456789;:") != "" {
		return dst
	}
	numbers := strings.Split(string(f.params), ";")
	for i := 0; i < len(numbers); i++ {
		n, _, _ := strings.Cut(numbers[i], ":")
		switch strings.TrimLeft(n, "0") {
		case "8": // conceal
			return dst
		case "38", "48", "58": // a colour by its number, or by three
			if i+1 < len(numbers) && numbers[i+1] == "5" {
				i += 2
			} else if i+1 < len(numbers) && numbers[i+1] == "2" {
				i += 4
			}
		}
	}
	dst = append(f.flushCR(dst), "\x1b["...)
	return append(append(dst, f.params...), 'm')
}

// plain takes a character in the ground state.
func (f *filter) plain(dst []byte, r rune) []byte {
	if f.mode == inline {
		switch {
		case r == '\n':
			return append(dst, "⏎"...)
		case r == '\t':
			return append(dst, "→"...)
		case r == '\r':
			return append(dst, "␍"...)
		case isControl(r), Hidden(r):
			return name(dst, r)
		}
		return utf8.AppendRune(dst, r)
	}
	switch {
	case r == esc:
		f.state = escape
		return dst
	case r == 0x9b:
		f.begin(control)
		return dst
	case r == 0x9d:
		f.begin(command)
		return dst
	case r == 0x90, r == 0x98, r == 0x9e, r == 0x9f:
		f.begin(stringing)
		return dst
	case r >= 0x80 && r <= 0x9f:
		return dst
	case f.mode == strip:
		return utf8.AppendRune(dst, r)
	case r == '\n':
		f.cr = false
		f.started = true
		return append(dst, '\n')
	case f.mode == screen && (r == '\r' || r == '\b'):
		f.started = true
		return append(dst, byte(r))
	case r == '\r':
		dst = f.flushCR(dst)
		f.cr = true
		return dst
	case r == '\t':
		return f.visible(dst, '\t')
	case isControl(r):
		return dst
	case r == bom && !f.started && !f.cr:
		f.started = true
		return utf8.AppendRune(dst, r)
	case Hidden(r):
		dst = name(f.flushCR(dst), r)
		f.started = true // a byte order mark after it is none
		return dst
	}
	f.started = true
	return utf8.AppendRune(f.flushCR(dst), r)
}

// visible appends a byte that stands for itself, and before it the CR that turned out not to end a line.
func (f *filter) visible(dst []byte, b byte) []byte {
	if b == '\n' {
		f.cr = false
	} else {
		dst = f.flushCR(dst)
	}
	f.started = true
	return append(dst, b)
}

func (f *filter) flushCR(dst []byte) []byte {
	if f.cr {
		f.cr = false
		f.started = true
		dst = append(dst, "␍"...)
	}
	return dst
}

func isControl(r rune) bool { return r < ' ' || r >= del && r <= 0x9f }

func name(dst []byte, r rune) []byte { return fmt.Appendf(dst, "<U+%04X>", r) }
