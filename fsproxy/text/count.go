package text

import "strings"

// counts is what a node knows of the text below it.
type counts struct {
	bytes  int
	lead   int // characters: bytes that do not continue a UTF-8 sequence
	astral int // characters that take two UTF-16 units
	lf     int // "\n" bytes, including those of "\r\n"
	cr     int // "\r" bytes, including those of "\r\n"
	crlf   int // "\r\n" pairs
	// firstLF and lastCR tell a parent whether two neighbours share a "\r\n".
	firstLF, lastCR bool
}

// breaks is the number of line ends, a trailing "\r" counted as one.
func (c counts) breaks() int { return c.lf + c.cr - c.crlf }

// units is the length in the given encoding.
func (c counts) units(enc Encoding) int {
	switch enc {
	case UTF8:
		return c.bytes
	case UTF32:
		return c.lead
	default:
		return c.lead + c.astral
	}
}

// add returns the counts of c's text followed by d's text.
func (c counts) add(d counts) counts {
	if d.bytes == 0 {
		return c
	}
	if c.bytes == 0 {
		return d
	}
	if c.lastCR && d.firstLF {
		c.crlf++
	}
	c.bytes += d.bytes
	c.lead += d.lead
	c.astral += d.astral
	c.lf += d.lf
	c.cr += d.cr
	c.crlf += d.crlf
	c.lastCR = d.lastCR
	return c
}

// count counts s.
func count(s string) counts {
	c := counts{bytes: len(s)}
	if s == "" {
		return c
	}
	c.lead, c.astral = characters(s)
	c.lf = strings.Count(s, "\n")
	c.cr = strings.Count(s, "\r")
	if c.cr > 0 {
		c.crlf = strings.Count(s, "\r\n")
	}
	c.firstLF = s[0] == '\n'
	c.lastCR = s[len(s)-1] == '\r'
	return c
}

// characters returns how many characters begin in s and how many of them take
// two UTF-16 units. Most source text is ASCII, so eight bytes are looked at at
// once until one is not.
func characters(s string) (lead, astral int) {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		if (b[0]|b[1]|b[2]|b[3]|b[4]|b[5]|b[6]|b[7])&0x80 == 0 {
			lead += 8
			continue
		}
		for j := range len(b) {
			lead += int(isLead(b[j]))
			astral += int(isAstral(b[j]))
		}
	}
	for ; i < len(s); i++ {
		lead += int(isLead(s[i]))
		astral += int(isAstral(s[i]))
	}
	return lead, astral
}

// isLead is 1 for a byte that begins a character, else 0.
func isLead(b byte) byte {
	if b&0xC0 != 0x80 {
		return 1
	}
	return 0
}

// isAstral is 1 for a byte that begins a character of two UTF-16 units, else 0.
func isAstral(b byte) byte {
	if b >= 0xF0 {
		return 1
	}
	return 0
}
