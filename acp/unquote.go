package acp

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote is the text of a string without its quotes, which the decoder has checked. Bytes that are no UTF-8, and halves of
// surrogate pairs, become U+FFFD. It allocates the text and nothing else, where the general decoder would need a copy of
// it: most chunks of an answer have an escape, for their line ends and quotes.
func unquote(inner []byte) string {
	var b strings.Builder
	b.Grow(len(inner))
	for len(inner) > 0 {
		n := bytes.IndexByte(inner, '\\')
		if n < 0 {
			n = len(inner)
		}
		plain := inner[:n]
		inner = inner[n:]
		for len(plain) > 0 {
			if utf8.Valid(plain) {
				b.Write(plain)
				break
			}
			r, size := utf8.DecodeRune(plain)
			b.WriteRune(r)
			plain = plain[size:]
		}
		if len(inner) > 0 {
			inner = unescape(&b, inner)
		}
	}
	return b.String()
}

// unescape writes what the escape sequence at the start of s stands for and returns what follows it.
func unescape(b *strings.Builder, s []byte) []byte {
	c := s[1]
	switch c {
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		r := hex(s[2:6])
		s = s[6:]
		if utf16.IsSurrogate(r) {
			pair := rune(utf8.RuneError)
			if len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
				pair = utf16.DecodeRune(r, hex(s[2:6]))
			}
			if r = pair; r != utf8.RuneError {
				s = s[6:]
			}
		}
		b.WriteRune(r)
		return s
	}
	b.WriteByte(c)
	return s[2:]
}

func hex(digits []byte) rune {
	var r rune
	for _, c := range digits {
		switch {
		case c <= '9':
			c -= '0'
		default:
			c = (c | 0x20) - 'a' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}
