package acp

import (
	"encoding/binary"
	"math/bits"
)

const (
	everyByte = 0x0101010101010101
	topBits   = 0x8080808080808080
)

// scanString checks the string whose opening quote is b[i]. Most bytes of most
// messages are text, so it looks at eight at a time for the three things that
// matter: a quote, a backslash, a control character. The lowest flagged byte of
// a word is always a true hit; borrows only disturb the bytes above it.
func scanString(b []byte, i int) (int, fault) {
	i++
	for {
		for i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			quote, slash := w^(everyByte*'"'), w^(everyByte*'\\')
			hit := ((quote - everyByte) &^ quote) | ((slash - everyByte) &^ slash) | ((w - everyByte*0x20) &^ w)
			if hit &= topBits; hit != 0 {
				i += bits.TrailingZeros64(hit) / 8
				break
			}
			i += 8
		}
		if i >= len(b) {
			return i, faultSyntax
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, faultNone
		case c == '\\':
			n := escapeLen(b[i:])
			if n == 0 {
				return i, faultSyntax
			}
			i += n
		case c < 0x20:
			return i, faultSyntax
		default:
			i++
		}
	}
}

// isText reports whether what stands between the quotes of a string is its text:
// ASCII without escapes.
func isText(inside []byte) bool {
	if hasEscape(inside) {
		return false
	}
	for ; len(inside) >= 8; inside = inside[8:] {
		if binary.LittleEndian.Uint64(inside)&topBits != 0 {
			return false
		}
	}
	return isASCII(inside)
}

// escapeLen returns the length of the escape sequence at the start of b, 0 if
// it is none. A lone surrogate is one: it is grammatical JSON.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) < 6 {
			return 0
		}
		for _, c := range b[2:6] {
			if !isHex(c) {
				return 0
			}
		}
		return 6
	}
	return 0
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func scanNumber(b []byte, i int) (int, fault) {
	start := i
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b) || !isDigit(b[i]):
		return i, faultSyntax
	case b[i] == '0':
		i++
	default:
		i = skipDigits(b, i)
	}
	if i < len(b) && b[i] == '.' {
		if i++; i >= len(b) || !isDigit(b[i]) {
			return i, faultSyntax
		}
		i = skipDigits(b, i)
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if i >= len(b) || !isDigit(b[i]) {
			return i, faultSyntax
		}
		i = skipDigits(b, i)
	}
	if i-start > maxNumber {
		return i, faultNumber
	}
	return i, faultNone
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}
