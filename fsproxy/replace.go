package fsproxy

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNoMatch: the text to be replaced is not in the file.
var ErrNoMatch = errors.New("the text to replace is not in the file")

// AmbiguousError is a text to be replaced that the file has more than once.
type AmbiguousError struct {
	Old   string
	Lines []int // where it begins, lines from 1, at most maxMatches
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("the text to replace is in the file more than once (lines %s); give more of the text around it",
		strings.Trim(fmt.Sprint(e.Lines), "[]"))
}

// Replace puts new in the place of old, which must be in s exactly once. Line ends
// are no hindrance: an old with '\n' matches '\r\n', or the other way round, if
// there is no exact match. What new has that old had not gets the line ends that
// most lines of s have, unless it brings its own '\r'; everything else keeps its
// bytes.
func Replace(s, old, new string) (string, error) {
	if old == "" {
		if s == "" {
			return new, nil
		}
		return "", fmt.Errorf("%w: it is empty", ErrNoMatch)
	}
	at, err := 0, ErrNoMatch
	crlf := strings.Contains(s, "\r\n")
	if !crlf || old[0] != '\n' && old[len(old)-1] != '\r' { // such a match could cut a line end in two
		at, err = once(s, s, old, nil)
	}
	end := at + len(old)
	if errors.Is(err, ErrNoMatch) && (crlf || strings.Contains(old, "\r\n")) {
		plainOld := toLF(old)
		p := toLF(s)
		if at, err = once(s, p, plainOld, func(i int) int { return rawOffset(s, i) }); err == nil {
			at, end = rawOffset(s, at), rawOffset(s, at+len(plainOld))
			if strings.Contains(old, "\r\n") {
				new = toLF(new) // its line ends were those of old, which are not those of s
			}
		}
	}
	if err != nil {
		return "", err
	}
	return s[:at] + withEnds(s[at:end], new, endFor(s)) + s[end:], nil
}

// once finds the only place of old in s; raw and back say which line of the
// original text a place is on.
func once(raw, s, old string, back func(int) int) (int, error) {
	at := strings.Index(s, old)
	if at < 0 {
		return 0, ErrNoMatch
	}
	amb := &AmbiguousError{Old: old}
	for i := at; i >= 0 && len(amb.Lines) < maxMatches; {
		r := i
		if back != nil {
			r = back(i)
		}
		amb.Lines = append(amb.Lines, 1+strings.Count(raw[:r], "\n"))
		next := strings.Index(s[i+1:], old)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	if len(amb.Lines) > 1 {
		return 0, amb
	}
	return at, nil
}

// rawOffset is the offset in s of what is at offset i of toLF(s).
func rawOffset(s string, i int) int {
	raw := 0
	for {
		crlf := strings.Index(s[raw:], "\r\n")
		if crlf < 0 || i <= crlf {
			return raw + i
		}
		raw += crlf + 2
		i -= crlf + 1
	}
}
