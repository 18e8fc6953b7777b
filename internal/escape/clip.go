package escape

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Clip returns s in at most n characters, for people: where something is left out, the last one is "…".
func Clip(s string, n int) string {
	if len(s) <= n || n < 1 {
		return s[:min(len(s), max(n, 0))]
	}
	last, count := 0, 0
	for at := range s {
		if count++; count == n {
			last = at
		}
		if count > n {
			return s[:last] + "…"
		}
	}
	return s
}

// ClipMiddle returns s in at most n characters, for people, with its beginning and its end: a question must not be hidden
// by what stands before it. In place of the middle stands how many characters it has.
func ClipMiddle(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	gap := fmt.Sprintf(" …(%d characters)… ", len(r)-n)
	keep := n - utf8.RuneCountInString(gap)
	if keep < 2 {
		return Clip(s, n)
	}
	head := keep / 2
	return string(r[:head]) + gap + string(r[len(r)-(keep-head):])
}

// Head returns the first n bytes of s at most, without the part of a character at their end. What a model or a protocol
// takes is counted in bytes; who calls it says in words of its own that something is left out.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Tail is Head for the last n bytes.
func Tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	at := len(s) - max(n, 0)
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return s[at:]
}

// HeadLines is Head less the part of a line at its end, unless that is all there is.
func HeadLines(s string, n int) string {
	head := Head(s, n)
	if i := strings.LastIndexByte(head, '\n'); i >= 0 && len(head) < len(s) {
		return head[:i+1]
	}
	return head
}

// Fence returns the backquotes for a Markdown code block that text cannot end: three, or one more than text has in a row.
func Fence(text string) string {
	longest, run := 2, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

// Fenced returns text, as [Text] gives it, in a Markdown code block. What an agent is to read byte by byte is put between
// two of [Fence] instead.
func Fenced(lang, text string) string {
	text = Text(text)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	fence := Fence(text)
	return fence + lang + "\n" + text + fence + "\n"
}
