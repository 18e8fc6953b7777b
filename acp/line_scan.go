package acp

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
