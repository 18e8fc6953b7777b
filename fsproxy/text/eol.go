package text

import (
	"strings"
)

// EOL is how the lines of a text end.
type EOL uint8

// The ways lines end. Mixed is any two of the others in one
const (
	None EOL = iota // no line end at all
	LF
	CRLF
	CR
	Mixed
)

// String is the name people know: "LF", "CRLF", "CR", "mixed" or "none".
func (e EOL) String() string {
	switch e {
	case LF:
		return "LF"
	case CRLF:
		return "CRLF"
	case CR:
		return "CR"
	case Mixed:
		return "mixed"
	default:
		return "none"
	}
}

// Bytes is the line end itself: "\n" for None and Mixed too, as that is what
// agents write.
func (e EOL) Bytes() string {
	switch e {
	case CRLF:
		return "\r\n"
	case CR:
		return "\r"
	default:
		return "\n"
	}
}

// EOLOf says how the lines of t end, in constant time.
func EOLOf(t Text) EOL {
	n := t.Ends()
	switch {
	case n.LF+n.CRLF+n.CR == 0:
		return None
	case n.CRLF+n.CR == 0:
		return LF
	case n.LF+n.CR == 0:
		return CRLF
	case n.LF+n.CRLF == 0:
		return CR
	default:
		return Mixed
	}
}

// MajorityEOL is the way most lines of t end: LF, CRLF or CR, None if t has a
// single line. A draw goes to LF, then to CRLF.
func MajorityEOL(t Text) EOL {
	n := t.Ends()
	switch most := max(n.LF, n.CRLF, n.CR); {
	case most == 0:
		return None
	case n.LF == most:
		return LF
	case n.CRLF == most:
		return CRLF
	default:
		return CR
	}
}

// ConvertEOL returns s with every line end made e's. None and Mixed change
// nothing: there is no way of theirs to convert to.
func ConvertEOL(s string, e EOL) string {
	if e == None || e == Mixed || !strings.ContainsAny(s, "\r\n") {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	if e == LF {
		return s
	}
	return strings.ReplaceAll(s, "\n", e.Bytes())
}
