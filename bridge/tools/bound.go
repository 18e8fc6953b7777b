package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// bound makes any text a result the model gets to see: valid UTF-8, and at most MaxResult bytes of it. What is longer
// keeps its beginning and its end, cut at line ends where one is near, with a line between that says what is missing.
// Every result passes here and nowhere else.
func bound(s string) string { return boundTo(s, MaxResult) }

// boundTo is bound with another limit.
func boundTo(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= limit {
		return s
	}
	room := limit - boundNotice
	first := cutBack(s, room*2/3)
	last := cutForward(s, len(s)-(room-room*2/3))
	return fmt.Sprintf("%s\n[… %d bytes left out here; ask for less at a time …]\n%s",
		strings.TrimSuffix(s[:first], "\n"), last-first, s[last:])
}

// cutBack is the best place to cut at or before n.
func cutBack(s string, n int) int {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if nl := strings.LastIndexByte(s[max(0, n-nearLine):n], '\n'); nl >= 0 {
		return max(0, n-nearLine) + nl + 1
	}
	return n
}

// cutForward is the best place to cut at or after n.
func cutForward(s string, n int) int {
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	if nl := strings.IndexByte(s[n:min(len(s), n+nearLine)], '\n'); nl >= 0 {
		return n + nl + 1
	}
	return n
}
