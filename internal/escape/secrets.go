package escape

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"
)

// Secrets are values that must not be read in what is written down: in no spelling that programs give a text by themselves.
// The zero value has none. It belongs to one goroutine.
type Secrets struct{ spelled []string } // the longest first

// Add notes values. One shorter than six bytes is left alone: it would take words out of the text and give away no less.
func (s *Secrets) Add(values ...string) {
	for _, v := range values {
		if len(v) < minSecret {
			continue
		}
		for _, as := range spellings(v) {
			if len(as) >= minSecret && !slices.Contains(s.spelled, as) {
				s.spelled = append(s.spelled, as)
			}
		}
	}
	slices.SortStableFunc(s.spelled, func(a, b string) int { return len(b) - len(a) })
}

// Hide replaces the values, and then what [Redact] finds. A longer value goes before one that it contains.
func (s *Secrets) Hide(text string) string {
	for _, v := range s.spelled {
		text = strings.ReplaceAll(text, v, Redacted)
	}
	return Redact(text)
}

// spellings are a value as it is, inside JSON strings (also of JSON that is itself in a string), in the address of a page, in
// base64 and as hexadecimal digits.
func spellings(v string) []string {
	query := url.QueryEscape(v)
	out := []string{v, query, url.PathEscape(v), strings.ReplaceAll(query, "+", "%20"), hex.EncodeToString([]byte(v)), fmt.Sprintf("%X", v)}
	for _, first := range []string{inJSON(v), forPages.Replace(inJSON(v)), inASCII(v), forPages.Replace(inASCII(v)), unitsOf(v)} {
		out = append(out, first)
		for range jsonLevels - 1 {
			first = inJSON(first)
			out = append(out, first)
		}
	}
	for _, escaped := range out[1:4] {
		out = append(out, lowerHex(escaped))
	}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 { // "user:" and the like may stand before it
			bits, end := 8*before, 8*(before+len(v))
			text := enc.EncodeToString(append(make([]byte, before), v...))
			out = append(out, text[(bits+5)/6:end/6]) // the characters that nothing beside it has a part in
		}
	}
	return out
}

// inJSON is a text inside a JSON string.
func inJSON(s string) string {
	quoted, err := jsontext.AppendQuote(nil, s)
	if err != nil { // bytes that are no text
		return s
	}
	return string(quoted[1 : len(quoted)-1])
}

// forPages is what writers of JSON that is put into a page escape beside what they must.
var forPages = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`)

// inASCII is inJSON for writers that keep to ASCII.
func inASCII(s string) string {
	var b strings.Builder
	for _, r := range inJSON(s) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			b.WriteString(unitsOf(string(r)))
		}
	}
	return b.String()
}

// unitsOf is a text in which every character is escaped as JSON allows.
func unitsOf(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "\\u%04x", u)
	}
	return b.String()
}

// lowerHex is a percent-encoded text with small letters in its escapes.
func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}
