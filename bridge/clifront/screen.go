package clifront

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/internal/wrap"
)

// A question that waits for a key can be believed because of two rules, which need no colour. Each of its lines begins with mark,
// and nothing else that is shown has a character like it, wherever the terminal breaks its lines. And while it is open
// nothing is written: what comes meanwhile waits for the answer.

// mark begins the lines of a question.
const mark = "▌ "

// The screen where its size is not known: the smallest that is common.
const (
	usualCols = 80
	usualRows = 24
)

// maxHeldLog is how much of the log waits while a question is open; what is more is counted.
const maxHeldLog = 64 << 10

// likeMark reports whether r looks like mark, or could be taken for it: blocks and heavy bars.
func likeMark(r rune) bool {
	switch {
	case r >= 0x2580 && r <= 0x259f, r >= 0x1fb00 && r <= 0x1fbff, r >= 0x2758 && r <= 0x275a:
		return true
	case r == 0x2503, r == 0x2507, r == 0x250b, r == 0x25ae, r == 0x25af, r == 0x2759:
		return true
	}
	return false
}

// unmarked is text that cannot be taken for a question: a block is shown as #, so that a progress bar still is one.
func unmarked(s string) string {
	return strings.Map(func(r rune) rune {
		if likeMark(r) {
			return '#'
		}
		return r
	}, s)
}

// unmarker passes whole characters on, as unmarked has them.
type unmarker struct{ to io.Writer }

func (u unmarker) Write(p []byte) (int, error) {
	if _, err := io.WriteString(u.to, unmarked(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// rows is how many rows of the screen lines take, rather too many than too few.
func rows(lines []string, cols int) (n int) {
	for _, line := range lines {
		width := 0
		for _, r := range escape.StripANSI(line) {
			switch {
			case r == '\t':
				width += 8
			case r >= 0x1100: // from here on characters may be wide
				width += 2
			default:
				width++
			}
		}
		n += max(1, (width+cols-1)/cols)
	}
	return n
}

// size is that of the screen.
func (f *Front) size() (cols, rows int) {
	if f.o.Size != nil {
		cols, rows = f.o.Size()
	}
	if cols <= 0 || rows <= 0 {
		return usualCols, usualRows
	}
	return cols, rows
}

// marked is a text of ours in lines of a question.
func (f *Front) marked(text string, cols int) []string {
	lines := wrap.Text(text, cols-wrap.Width(mark))
	for i, line := range lines {
		lines[i] = mark + unmarked(line)
	}
	return lines
}

// wrapKeys is wrap.Text for keys such as "[y] Allow once": what is in brackets stays with the word behind it.
func wrapKeys(keys string, cells int) []string {
	const noBreak = "\u00a0"
	lines := wrap.Text(strings.ReplaceAll(keys, "] ", "]"+noBreak), cells)
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, noBreak, " ")
	}
	return lines
}

// draw writes the lines of a question. What does not fit on the screen is said below it, where it can be seen. Caller
// holds mu.
func (f *Front) draw(lines []string, options string) {
	cols, high := f.size()
	title := f.ink.bold(escape.Clip(escape.StripANSI(lines[0]), 2*cols))
	lines = slices.Clone(lines)
	for i, line := range lines {
		lines[i] = mark + unmarked(trimNewline(line))
	}
	keys := wrapKeys(f.ink.bold(options), cols-wrap.Width(mark))
	for i, line := range keys {
		keys[i] = mark + unmarked(line)
	}
	if n := rows(lines, cols) + len(keys) + 1; n > high-1 { // a row for the cursor
		more := fmt.Sprintf("  there is more above: this question has %d rows, the screen %d. Scroll up and read it whole.", n, high)
		lines = append(lines, f.marked(f.ink.yellow(more), cols)...)
		lines = append(lines, f.marked(title, cols)...) // what it is about stands above the keys, whatever has gone
	}
	lines = append(lines, keys...)
	f.endLine()
	f.spoke = false
	fmt.Fprintln(f.o.Stderr, strings.Join(lines, "\n"))
}

// lock takes mu when no question is open; false if ctx ended before.
func (f *Front) lock(ctx context.Context) bool {
	for {
		f.mu.Lock()
		open := f.open
		if open == nil {
			return true
		}
		f.mu.Unlock()
		select {
		case <-open:
		case <-ctx.Done():
			return false
		}
	}
}

// closed ends the time of the question that is open, and writes what has waited of the log.
func (f *Front) closed() {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.open)
	f.open = nil
	held, more := f.held, f.heldMore
	f.held, f.heldMore = nil, 0
	if len(held) > 0 || more > 0 {
		f.endLine()
		_, _ = f.o.Stderr.Write(held)
	}
	if more > 0 {
		f.note(fmt.Sprintf("%d more bytes of the log were left out while the question was open", more))
	}
}

// Log is where a log that goes to stderr is written: it waits too while a question is open, but its writers do not.
func (f *Front) Log() io.Writer { return heldLog{f} }

type heldLog struct{ f *Front }

func (h heldLog) Write(p []byte) (int, error) {
	f := h.f
	f.mu.Lock()
	defer f.mu.Unlock()
	line := unmarked(string(p))
	switch {
	case f.open == nil:
		f.endLine()
		_, err := io.WriteString(f.o.Stderr, line)
		return len(p), err
	case f.heldMore == 0 && len(f.held)+len(line) <= maxHeldLog:
		f.held = append(f.held, line...)
	default:
		f.heldMore += len(p)
	}
	return len(p), nil
}
