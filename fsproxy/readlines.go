package fsproxy

import (
	"fmt"
	"strings"
)

// PastEndError is a wish for lines that begin after the end of a text.
type PastEndError struct {
	Line  int // asked for, from 1
	Lines int // the last line there is
}

func (e *PastEndError) Error() string {
	return fmt.Sprintf("line %d is past the end: the text has %d lines", e.Line, e.Lines)
}

// ReadLines gives what ACP v1 fs/read_text_file means by line and limit: at most
// limit lines of text from the given line on, counted from 1, with their line ends
// as they are. A nil or zero line is the first; a nil limit is all there are. The
// place after the last line end is a line too, an empty one; to begin after it is
// a *PastEndError. A text without characters is empty whatever is asked.
func ReadLines(text string, line, limit *uint32) (string, error) {
	if text == "" {
		return "", nil
	}
	if line != nil {
		rest := text
		for n := uint32(1); n < *line; n++ {
			i := strings.IndexByte(rest, '\n')
			if i < 0 {
				return "", &PastEndError{Line: int(*line), Lines: int(n)}
			}
			rest = rest[i+1:]
		}
		text = rest
	}
	if limit == nil {
		return text, nil
	}
	end := 0
	for n := uint32(0); n < *limit; n++ {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return text, nil
		}
		end += i + 1
	}
	return text[:end], nil
}
