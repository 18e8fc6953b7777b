package main

import (
	"cmp"
	"fmt"
	"html"
	"strings"
)

// The size of a character cell and what is around the screen, in the picture's units, and the colours of the terminal. The picture
// has a dark background of its own and a border, and so can be read on a light page and on a dark one.
const (
	cellWidth  = 7.8
	cellHeight = 17
	baseline   = 12.5
	pad        = 12
	titleRow   = 34

	foreground = "#e0e2ea"
	background = "#14161b"
	border     = "#4f5258"
	faint      = "#9b9ea4"
)

// A frame is a screen, how long it is shown in seconds, and what is said above it.
type frame struct {
	screen  screen
	seconds float64
	caption string
}

// svg is an animation of the frames, which begins again at its end. Where nothing moves the last one is seen.
func svg(s story, frames []frame) string {
	width, height := float64(s.cols)*cellWidth+2*pad, float64(s.rows)*cellHeight+2*pad+titleRow
	whole, at := 0.0, 0.0
	for _, f := range frames {
		whole += f.seconds
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-size="13" role="img" `+
		`font-family="DejaVu Sans Mono,Menlo,Consolas,ui-monospace,monospace" aria-label="%s">`+"\n", width, height, width, height, html.EscapeString(s.label))
	fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%.0f" height="%.0f" rx="8" fill="%s" stroke="%s"/>`+"\n", width-1, height-1, background, border)
	b.WriteString("<style>text{white-space:pre}")
	fmt.Fprintf(&b, "g{visibility:hidden;animation:%.1fs steps(1) infinite}", whole)
	for i, f := range frames {
		fmt.Fprintf(&b, "#f%d{animation-name:k%d}@keyframes k%d{0%%{visibility:hidden}%.2f%%{visibility:visible}%.2f%%{visibility:hidden}}",
			i, i, i, 100*at/whole, 100*(at+f.seconds)/whole)
		at += f.seconds
	}
	b.WriteString("@media (prefers-reduced-motion:reduce){g{animation:none}g:last-of-type{visibility:visible}}</style>\n")
	for i, f := range frames {
		fmt.Fprintf(&b, `<g id="f%d">`+"\n", i)
		fmt.Fprintf(&b, `<text x="%d" y="25" font-family="ui-sans-serif,Segoe UI,Helvetica,Arial,sans-serif" font-size="15" font-weight="600" fill="%s">%s</text>`+"\n",
			pad+4, foreground, html.EscapeString(f.caption))
		fmt.Fprintf(&b, `<path d="M0 %dH%.0f" stroke="%s"/>`+"\n", titleRow+2, width, border)
		f.screen.draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (s screen) draw(b *strings.Builder) {
	for y, row := range s {
		top := float64(titleRow + pad + y*cellHeight)
		for _, r := range row { // what is behind the text first: letters may reach into the next cell
			if r.style.bg != "" && r.style.bg != background {
				fmt.Fprintf(b, `<rect x="%.1f" y="%.0f" width="%.1f" height="%d" fill="%s"/>`+"\n", pad+float64(r.col)*cellWidth, top, float64(r.cols)*cellWidth+.3, cellHeight, r.style.bg)
			}
		}
		for _, r := range row {
			text := strings.TrimRight(r.text, " ")
			lead := len(text) - len(strings.TrimLeft(text, " "))
			if text = text[lead:]; text == "" {
				continue
			}
			cols := r.cols - lead - (len(r.text) - lead - len(text))
			colour := cmp.Or(r.style.fg, foreground)
			if r.style.dim {
				colour = faint
			}
			extra := ""
			if r.style.bold {
				extra += ` font-weight="bold"`
			}
			if r.style.italic {
				extra += ` font-style="italic"`
			}
			if r.style.underline {
				extra += ` text-decoration="underline"`
			}
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s"%s textLength="%.1f">%s</text>`+"\n",
				pad+float64(r.col+lead)*cellWidth, top+baseline, colour, extra, float64(cols)*cellWidth, html.EscapeString(text))
		}
	}
}
