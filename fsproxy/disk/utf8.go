package disk

import (
	"strings"
	"unicode/utf8"
)

// checkText returns a *NotTextError if s, the content of path, is not UTF-8. A NUL
// is a character like any other: a file with one is text to git only sometimes, but
// it survives being read and written, which is all that is asked here.
func checkText(path, s string) error {
	if utf8.ValidString(s) {
		return nil
	}
	at := 0
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return &NotTextError{Path: path, Offset: int64(at), Looks: looksLike(s, at)}
}

// magics are how files begin that are often met beside source code.
var magics = []struct{ prefix, name string }{
	{"\xFF\xFE\x00\x00", "UTF-32 (little endian)"},
	{"\x00\x00\xFE\xFF", "UTF-32 (big endian)"},
	{"\xFF\xFE", "UTF-16 (little endian)"},
	{"\xFE\xFF", "UTF-16 (big endian)"},
	{"\x89PNG", "a PNG image"},
	{"\xFF\xD8\xFF", "a JPEG image"},
	{"GIF8", "a GIF image"},
	{"%PDF-", "a PDF document"},
	{"PK\x03\x04", "a zip archive"},
	{"\x1F\x8B", "a gzip archive"},
	{"\x28\xB5\x2F\xFD", "a zstd archive"},
	{"\xFD7zXZ", "an xz archive"},
	{"\x7FELF", "a program"},
	{"MZ", "a program"},
	{"\xCF\xFA\xED\xFE", "a program"},
	{"\xCA\xFE\xBA\xBE", "a program"},
	{"SQLite format 3", "a database"},
	{"wOF", "a font"},
}

// looksLike guesses, for people, what s is, whose byte at offset at is not UTF-8.
func looksLike(s string, at int) string {
	for _, m := range magics {
		if strings.HasPrefix(s, m.prefix) {
			return m.name
		}
	}
	if len(s)-at >= 2 && s[at] == 0xED && s[at+1] >= 0xA0 {
		return "UTF-8 with half of a surrogate pair in it"
	}
	odd := 0
	sniff := s[max(0, min(at-sniffLen/2, len(s)-sniffLen)):]
	sniff = sniff[:min(len(sniff), sniffLen)]
	for i := range len(sniff) {
		if c := sniff[i]; c < ' ' && !strings.ContainsRune("\t\n\r\f\b\x1b", rune(c)) {
			odd++
		}
	}
	if odd*20 > len(sniff) { // one in twenty is more than any text has
		return "binary data"
	}
	if len(s)-at < utf8.UTFMax && !utf8.FullRuneInString(s[at:]) {
		return "UTF-8 that was cut off in the middle of a character"
	}
	return "Latin-1, Windows-1252 or another encoding of one byte a character"
}
