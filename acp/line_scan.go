package acp

import (
	"encoding/binary"
	"math/bits"
)

// fault says why a value was not accepted.
type fault uint8

const (
	faultNone   fault = iota
	faultSyntax       // not JSON; or cut off, for a value that reaches the end of the input
	faultDepth        // nested deeper than maxNesting
	faultKeys         // an object with more than maxKeys members
	faultNumber       // a number longer than maxNumber
)

func (f fault) String() string {
	switch f {
	case faultDepth:
		return "nested too deeply"
	case faultKeys:
		return "an object has too many members"
	case faultNumber:
		return "a number is too long"
	default:
		return "not valid JSON"
	}
}

// scanValue checks the JSON value that begins at b[i] and returns the index
// behind it. It accepts exactly the grammar of RFC 8259 within the limits;
// UTF-8 is checked for a whole line at once, elsewhere.
func scanValue(b []byte, i, depth int) (int, fault) {
	if i >= len(b) {
		return i, faultSyntax
	}
	switch b[i] {
	case '"':
		return scanString(b, i)
	case '{':
		return scanObject(b, i, depth+1)
	case '[':
		return scanArray(b, i, depth+1)
	case 't':
		return scanLiteral(b, i, "true")
	case 'f':
		return scanLiteral(b, i, "false")
	case 'n':
		return scanLiteral(b, i, "null")
	default:
		return scanNumber(b, i)
	}
}

func scanObject(b []byte, i, depth int) (int, fault) {
	if depth > maxNesting {
		return i, faultDepth
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, faultNone
	}
	for keys := 1; ; keys++ {
		if keys > maxKeys {
			return i, faultKeys
		}
		var f fault
		if _, i, f = scanName(b, i); f != faultNone {
			return i, f
		}
		if i, f = scanValue(b, i, depth); f != faultNone {
			return i, f
		}
		i = skipSpace(b, i)
		if i >= len(b) {
			return i, faultSyntax
		}
		switch b[i] {
		case ',':
			i = skipSpace(b, i+1)
		case '}':
			return i + 1, faultNone
		default:
			return i, faultSyntax
		}
	}
}

// scanName checks a member's name and colon at b[i]. It returns the index
// behind the name's closing quote, and where the value begins.
func scanName(b []byte, i int) (nameEnd, value int, f fault) {
	if i >= len(b) || b[i] != '"' {
		return i, i, faultSyntax
	}
	nameEnd, f = scanString(b, i)
	if f != faultNone {
		return i, i, f
	}
	i = skipSpace(b, nameEnd)
	if i >= len(b) || b[i] != ':' {
		return i, i, faultSyntax
	}
	return nameEnd, skipSpace(b, i+1), faultNone
}

func scanArray(b []byte, i, depth int) (int, fault) {
	if depth > maxNesting {
		return i, faultDepth
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1, faultNone
	}
	for {
		var f fault
		if i, f = scanValue(b, i, depth); f != faultNone {
			return i, f
		}
		i = skipSpace(b, i)
		if i >= len(b) {
			return i, faultSyntax
		}
		switch b[i] {
		case ',':
			i = skipSpace(b, i+1)
		case ']':
			return i + 1, faultNone
		default:
			return i, faultSyntax
		}
	}
}

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

func scanLiteral(b []byte, i int, lit string) (int, fault) {
	if len(b)-i < len(lit) || string(b[i:i+len(lit)]) != lit {
		return i, faultSyntax
	}
	return i + len(lit), faultNone
}

func skipSpace(b []byte, i int) int {
	if i < len(b) && b[i] > ' ' { // nearly always
		return i
	}
	return skipSpaces(b, i)
}

func skipSpaces(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}
