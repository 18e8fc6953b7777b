package program

import "github.com/copilot-bridge/copilot-bridge/internal/escape"

// Clip cuts a text to size bytes, at a rune boundary, and marks it: "...<truncated>...". The head stays, and with it a
// third of the end where there is room.
func Clip(text string, size int) string {
	const mark = "...<truncated>..."
	if len(text) <= size {
		return text
	}
	room := size - len(mark)
	if room <= 0 {
		return mark[:max(0, min(size, len(mark)))]
	}
	tail := room / 3
	return escape.Head(text, room-tail) + mark + escape.Tail(text, tail)
}
