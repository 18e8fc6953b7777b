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
		return scanObject(b, i, depth+1, nil)
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

// scanObject checks the object that begins at b[i]. each, if not nil, is called
// with its members in their order, also those before a fault: the name as it
// stands between its quotes, and where the value is.
func scanObject(b []byte, i, depth int, each func(name []byte, value span)) (int, fault) {
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
		nameEnd, from, f := scanName(b, i)
		if f != faultNone {
			return from, f
		}
		to, f := scanValue(b, from, depth)
		if f != faultNone {
			return to, f
		}
		if each != nil {
			each(b[i+1:nameEnd-1], span{int32(from), int32(to)})
		}
		if i = skipSpace(b, to); i >= len(b) {
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

// span is a part of a text; the zero value is none.
type span struct{ from, to int32 }

func (s span) of(b []byte) []byte {
	if s.to == 0 {
		return nil
	}
	return b[s.from:s.to:s.to]
}

// scanMembers visits the members of the object that begins at b[i], names without
// their escapes. It reports false if visit did, or where there is no object.
func scanMembers(b []byte, i int32, visit func(name []byte, value span) bool) bool {
	at, ok := skipSpace(b, int(i)), true
	if at >= len(b) || b[at] != '{' {
		return false
	}
	_, f := scanObject(b, at, 1, func(name []byte, value span) {
		if hasEscape(name) {
			name = []byte(unquote(name))
		}
		ok = visit(name, value) && ok
	})
	return ok && f == faultNone
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
