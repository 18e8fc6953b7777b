package program

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
	head := runeStart(text, room-tail)
	end := len(text) - tail
	for end < len(text) && !isStart(text[end]) {
		end++
	}
	return text[:head] + mark + text[end:]
}

func isStart(b byte) bool { return b&0xC0 != 0x80 }

// runeStart is the last rune boundary at or before at.
func runeStart(text string, at int) int {
	for at > 0 && at < len(text) && !isStart(text[at]) {
		at--
	}
	return at
}
