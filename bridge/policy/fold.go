package policy

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold is a name as the most forgiving of all file systems compares it: case folded, Unicode normalised (also the look
// of a character: a full-width g is a g), characters without a width left out. Fold(Fold(s)) is Fold(s).
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	fold := cases.Fold()
	for range maxFolds {
		t := strings.Map(dropIgnorable, s)
		t = norm.NFKC.String(t)
		t = fold.String(t)
		t = strings.NewReplacer("i\u0307", "i", "ı", "i").Replace(t) // Turkish: İ and ı are an i to some
		t = norm.NFKC.String(t)
		if t == s {
			break
		}
		s = t
	}
	return s
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// dropIgnorable removes characters that file systems ignore in names: HFS+ (CVE-2014-9390), and ext4 and f2fs with
// case folding, which leave out all that Unicode calls ignorable.
func dropIgnorable(r rune) rune {
	if r >= 0x80 && unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return -1
	}
	return r
}

// components are the parts of a path as the strictest file system compares them, on every system: folded, without NTFS
// stream names, without the dots and spaces at the end that Windows drops.
func components(name string) []string {
	var out []string
	for c := range strings.FieldsFuncSeq(Fold(name), func(r rune) bool { return r == '/' || r == '\\' }) {
		if i := strings.IndexByte(c, ':'); i > 0 { // an NTFS stream
			c = c[:i]
		}
		if t := strings.TrimRight(c, ". "); t != "" {
			c = t
		}
		out = append(out, c)
	}
	return out
}

// short83 says whether a component looks like one of the short names that Windows gives long ones: GIT~1 may be .git,
// MCP~1.JSO may be .mcp.json, and GI7D29~1 may be anything that begins with "gi". Nobody else names files so.
func short83(c string) bool {
	stem, ext, _ := strings.Cut(c, ".")
	name, digits, ok := strings.Cut(stem, "~")
	if !ok || name == "" || digits == "" || len(stem) > 8 || len(ext) > 3 {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}
