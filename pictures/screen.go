package main

import (
	"image/color"
	"regexp"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// A screen is what a terminal showed at one moment: rows of runs, each of one style.
type screen [][]cellRun

// A cellRun is text of one style that begins in a column.
type cellRun struct {
	col   int
	cols  int
	text  string
	style style
}

// A style is how cells look; colours are as #rrggbb, "" is the terminal's own.
type style struct {
	fg, bg                       string
	bold, italic, underline, dim bool
}

// changing is what differs from run to run, and what the picture has instead: how long a test took, and the number of a temporary
// folder.
var changing = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`\d\.\d\d\d?s`), "0.01s"},
	{regexp.MustCompile(`-demo-\d+`), "-demo-1"},
}

// shown is the screen of a terminal now. The caller holds what guards the terminal.
func shown(t *vt.Emulator) screen {
	out := make(screen, t.Height())
	for y := range out {
		var row []cellRun
		for x := 0; x < t.Width(); x++ {
			c := t.CellAt(x, y)
			if c == nil || c.Width == 0 {
				continue // the second half of a wide one
			}
			text, st := c.Content, styleOf(c.Style)
			if text == "" {
				text = " "
			}
			if n := len(row); n > 0 && row[n-1].style == st && row[n-1].col+row[n-1].cols == x && c.Width == 1 && plain(text) == plain(row[n-1].text) {
				row[n-1].text += text
				row[n-1].cols++
				continue
			}
			row = append(row, cellRun{x, c.Width, text, st})
		}
		for i := range row {
			for _, c := range changing { // what is behind it in the row is of other colours, and stays where it is
				before := len(row[i].text)
				row[i].text = c.from.ReplaceAllString(row[i].text, c.to)
				row[i].cols -= before - len(row[i].text)
			}
		}
		out[y] = row
	}
	return out
}

// plain says whether a text is of characters that every font has in one width. Others stand by themselves, so that they move nothing.
func plain(text string) bool {
	for _, r := range text {
		if r > 0x24f {
			return false
		}
	}
	return true
}

// text is the screen as plain text, without what is empty at the end.
func (s screen) text() string {
	var b strings.Builder
	for _, row := range s {
		var line strings.Builder
		for _, r := range row {
			line.WriteString(r.text)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func styleOf(s uv.Style) style {
	out := style{
		fg: hex(s.Fg), bg: hex(s.Bg), bold: s.Attrs&uv.AttrBold != 0, italic: s.Attrs&uv.AttrItalic != 0,
		dim: s.Attrs&uv.AttrFaint != 0, underline: s.Underline != 0,
	}
	if s.Attrs&uv.AttrReverse != 0 {
		out.fg, out.bg = or(out.bg, background), or(out.fg, foreground)
	}
	return out
}

func or(colour, other string) string {
	if colour == "" {
		return other
	}
	return colour
}

// hex is a colour as #rrggbb, or "" for none.
func hex(c color.Color) string {
	if c == nil {
		return ""
	}
	const digits = "0123456789abcdef"
	r, g, b, _ := c.RGBA()
	out := []byte("#")
	for _, v := range []uint32{r >> 8, g >> 8, b >> 8} {
		out = append(out, digits[v>>4&15], digits[v&15])
	}
	return string(out)
}
