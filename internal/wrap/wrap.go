// Package wrap breaks text into lines that fit a terminal.
//
// It counts cells as a terminal does: a wide character has two, a combining one none, and a colour (an SGR sequence) none. The text
// has passed the escape filter: it has no other sequences in it. A colour that is on where a line breaks is switched off there and on again
// in the next line, so that each line can be written alone.
package wrap

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// tabWidth is what a tab takes at most.
const tabWidth = 8

// colour is what switches colours at the beginning of a line.
var colour = regexp.MustCompile(`^(?:\x1b\[[0-9;:]*m)+`)

const reset = "\x1b[0m"

// Text is s in lines of at most cells cells, broken at spaces. The continuation of a line that begins with spaces begins
// with as many. A word that is longer than a line is broken where the line ends. With cells below 1 no line is broken.
func Text(s string, cells int) []string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		out = append(out, one(line, cells)...)
	}
	return out
}

// one breaks one line.
func one(line string, cells int) []string {
	if cells < 1 || Width(line) <= cells {
		return []string{line}
	}
	colours := colour.FindString(line)
	text := strings.TrimLeft(line[len(colours):], " ")
	indent := line[len(colours) : len(line)-len(text)]
	text = colours + text      // an indent has no colour
	if len(indent) > cells/2 { // there must be room for the words
		indent = ""
	}
	var (
		out   []string
		b     strings.Builder
		used  = len(indent)
		empty = true   // b has no word yet
		on    []string // the colours that are on
	)
	b.WriteString(indent)
	end := func() {
		if len(on) > 0 {
			b.WriteString(reset)
		}
		out = append(out, b.String())
		b.Reset()
		b.WriteString(indent + strings.Join(on, ""))
		used, empty = len(indent), true
	}
	for word := range strings.SplitSeq(text, " ") {
		n := Width(word)
		if !empty && used+1+n > cells {
			end()
		}
		if !empty {
			b.WriteByte(' ')
			used++
		}
		empty = false
		for word != "" {
			piece, w := next(word)
			word = word[len(piece):]
			if w > 0 && used+w > cells && used > len(indent) {
				end()
				empty = false
			}
			if strings.HasPrefix(piece, "\x1b") {
				if on = append(on, piece); piece == reset || piece == "\x1b[m" {
					on = nil
				}
			}
			b.WriteString(piece)
			used += w
		}
	}
	return append(out, b.String())
}

// Width is how many cells a line takes.
func Width(line string) (n int) {
	for line != "" {
		piece, w := next(line)
		line = line[len(piece):]
		n += w
	}
	return n
}

// next is the first character or colour of s, which is not empty, and its cells.
func next(s string) (piece string, cells int) {
	if strings.HasPrefix(s, "\x1b[") {
		if i := strings.IndexByte(s, 'm'); i > 0 && strings.Trim(s[2:i], "0123456789;:") == "" {
			return s[:i+1], 0
		}
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == '\t':
		return s[:size], tabWidth
	case r < 0x7f:
		return s[:size], 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return s[:size], 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return s[:size], 2
	}
	return s[:size], 1
}
