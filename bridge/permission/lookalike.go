package permission

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// likeLatin are scripts of which letters look like Latin ones. Greek ones stand beside Latin ones in the names of quantities,
// which a note does no harm.
var likeLatin = []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu, unicode.Deseret}

// latinTwins are the letters of other scripts that look exactly like Latin ones: a word of nothing but these may be taken for
// another one.
const latinTwins = "аеорсухіјѕһԁԛԝґАВЕЅІЈКМНОРСТУХҮ" + "ονρυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "օսհոց"

// signTwins are signs that look like those by which paths and commands are divided: slashes, backslashes, colons, hyphens.
const signTwins = "\u2044\u2215\u29f8\u2571" + "\u2216\u29f5" + "\u2236\ua789" + "\u2010\u2011\u2212"

// phonetic are letters of the Latin script that look like plain ones, and that no language's names are written in.
var phonetic = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x0250, Hi: 0x02af, Stride: 1}, {Lo: 0x1d00, Hi: 0x1dbf, Stride: 1}, {Lo: 0xa720, Hi: 0xa7ff, Stride: 1}}}

// looksOtherwise says whether a text may be taken by eye for another one: a word in it mixes letters of scripts that look alike, or
// has none but letters that look Latin, or it has forms and signs that look like plain ones (CVE-2021-42694).
func looksOtherwise(text string) bool {
	plain := true
	for i := range len(text) {
		plain = plain && text[i] < 0x80
	}
	if plain {
		return false
	}
	if norm.NFC.IsNormalString(text) && !norm.NFKC.IsNormalString(text) || strings.ContainsAny(text, signTwins) {
		return true
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		latin, other, twins := false, false, true
		for _, r := range word {
			switch {
			case unicode.Is(phonetic, r):
				return true
			case unicode.Is(unicode.Latin, r):
				latin = true
			case unicode.In(r, likeLatin...):
				other = true
			}
			twins = twins && strings.ContainsRune(latinTwins, r)
		}
		if latin && other || twins {
			return true
		}
	}
	return false
}

// spelledWords are the words of a text that look like others, in plain ASCII; "" where there are none.
func spelledWords(text string) string {
	var out []string
	n := 0
	for word := range strings.FieldsSeq(text) {
		if !looksOtherwise(word) {
			continue
		}
		if n++; n <= maxSpelled {
			out = append(out, strconv.QuoteToASCII(word))
		}
	}
	if n > maxSpelled {
		out = append(out, fmt.Sprintf("%d more", n-maxSpelled))
	}
	return strings.Join(out, ", ")
}
