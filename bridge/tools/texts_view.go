package tools

import (
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// ViewText is view's answer for a text file: the text as it is, with its own line ends and without line numbers, as
// Copilot's view shows it. A range is 1-based and inclusive, and its last line comes without the line break. What does
// not fit is refused without a range, and cut at the end of a line with one; the answer then says where to go on.
// force shows as much of a large file as fits. An error's text is for the model.
func ViewText(path, text string, r *Range, force bool) (string, error) {
	if r == nil {
		if len(text) <= MaxResult {
			return text, nil
		}
		if !force {
			return "", forModel("%s", TooLarge(len(text)))
		}
		r = &Range{Start: 1, End: -1}
	}
	lines := splitLines(text)
	switch {
	case r.Start < 1:
		return "", forModel("Invalid view_range: start line (%d) must be greater than or equal to 1.", r.Start)
	case r.Start > len(lines):
		return "", forModel("Invalid view_range: start line (%d) is beyond the end of the file. The file has %d lines.", r.Start, len(lines))
	case r.End != -1 && r.End < r.Start:
		return "", forModel("Invalid view_range: end line (%d) must be greater than or equal to start line (%d).", r.End, r.Start)
	}
	end := r.End
	if end == -1 || end > len(lines) {
		end = len(lines)
	}
	part := strings.Join(lines[r.Start-1:end], "\n")
	if len(part) <= MaxResult {
		return strings.TrimSuffix(part, "\r"), nil
	}
	return cutLines(lines, r.Start, end), nil
}

// cutLines shows lines from start as far as they fit. A single line that is too long is cut within.
func cutLines(lines []string, start, end int) string {
	room := MaxResult - viewNotice
	size, n := 0, start-1
	for n < end && size+len(lines[n])+1 <= room {
		size += len(lines[n]) + 1
		n++
	}
	shown, note := strings.Join(lines[start-1:n], "\n"), ""
	if n == start-1 {
		shown = escape.Head(lines[n], room)
		note = fmt.Sprintf(" Line %d has %d bytes; the rest of it is left out, `grep` finds parts of it.", n+1, len(lines[n]))
		n++
	}
	if n < len(lines) {
		note = fmt.Sprintf(" Use view_range=[%d, ...] to continue reading.", n+1) + note
	}
	return fmt.Sprintf("%s\n\n[Output truncated.%s File has %d lines.]", shown, note, len(lines))
}

// splitLines counts as Copilot's view does: a text that ends with a line break has an empty line after it, and an
// empty text has none.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
