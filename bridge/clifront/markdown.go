package clifront

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/internal/wrap"
)

// markdown shows Markdown in a terminal. It uses bold, italic, underlined and one colour, on the terminal's own foreground and background, so
// it can be read on a light one and on a dark one. Every word passes the escape filter after it was parsed: Markdown has ways
// of its own to write a control character.
type markdown struct {
	ink    ink
	cols   int // 0: lines are not broken
	source []byte
}

var parser = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()

// lines is a text as it is shown.
func (m markdown) lines(source string) []string {
	m.source = []byte(source)
	return m.blocks(parser.Parse(text.NewReader(m.source)), m.cols)
}

// blocks are the children of a node, with an empty line between two.
func (m markdown) blocks(parent ast.Node, cols int) (out []string) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n.PreviousSibling() != nil && n.Kind() != ast.KindTextBlock && !tight(parent) {
			out = append(out, "")
		}
		out = append(out, m.block(n, cols)...)
	}
	return out
}

// tight reports whether nothing stands between the children.
func tight(n ast.Node) bool {
	if item, ok := n.(*ast.ListItem); ok {
		n = item.Parent()
	}
	list, ok := n.(*ast.List)
	return ok && list.IsTight
}

func (m markdown) block(n ast.Node, cols int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return m.wrapped(m.ink.bold(m.inline(n)), cols)
	case *ast.List:
		return m.list(n, cols)
	case *ast.Blockquote:
		return prefixed("| ", "| ", m.blocks(n, narrower(cols, 2)))
	case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
		return m.code(n)
	case *ast.ThematicBreak:
		return []string{m.ink.dim("---")}
	case *east.Table:
		return m.table(n, cols)
	}
	return m.wrapped(m.inline(n), cols)
}

func (m markdown) wrapped(s string, cols int) []string { return wrap.Text(s, cols) }

// list marks its items, whose further lines stand below their text.
func (m markdown) list(n *ast.List, cols int) (out []string) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		lead := "- "
		if n.IsOrdered() {
			lead = fmt.Sprintf("%d. ", number)
			number++
		}
		if item.PreviousSibling() != nil && !n.IsTight {
			out = append(out, "")
		}
		out = append(out, prefixed(lead, strings.Repeat(" ", len(lead)), m.blocks(item, narrower(cols, len(lead))))...)
	}
	return out
}

// code is shown as it is, and not broken: who copies it gets it whole.
func (m markdown) code(n ast.Node) (out []string) {
	rows := n.Lines()
	for i := range rows.Len() {
		row := rows.At(i)
		line := tabbed(strings.TrimRight(string(row.Value(m.source)), "\r\n"))
		if line != "" {
			line = "    " + m.ink.cyan(line)
		}
		out = append(out, line)
	}
	return out
}

// table aligns its columns where there is room, and otherwise writes one row after the other.
func (m markdown) table(n *east.Table, cols int) (out []string) {
	var rows [][]string
	var widths []int
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		var row []string
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			row = append(row, m.inline(c))
			if len(widths) < len(row) {
				widths = append(widths, 0)
			}
			widths[len(row)-1] = max(widths[len(row)-1], wrap.Width(row[len(row)-1]))
		}
		rows = append(rows, row)
	}
	total := 3 * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for i, row := range rows {
		if cols == 0 || total <= cols {
			for j := range row[:len(row)-1] {
				row[j] += strings.Repeat(" ", widths[j]-wrap.Width(row[j]))
			}
		}
		line := strings.Join(row, " | ")
		if i == 0 {
			line = m.ink.bold(line)
		}
		out = append(out, m.wrapped(line, cols)...)
	}
	return out
}

// inline is the text of a node.
func (m markdown) inline(parent ast.Node) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			b.WriteString(escape.Inline(string(n.Value(m.source))))
			if n.HardLineBreak() {
				b.WriteByte('\n')
			} else if n.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.WriteString(escape.Inline(string(n.Value)))
		case *ast.CodeSpan:
			if code := m.inline(n); m.ink {
				b.WriteString(m.ink.cyan(code))
			} else {
				b.WriteString("`" + code + "`")
			}
		case *ast.Emphasis:
			if n.Level > 1 {
				b.WriteString(m.ink.bold(m.inline(n)))
			} else {
				b.WriteString(m.ink.italic(m.inline(n)))
			}
		case *ast.Link:
			says, to := m.inline(n), escape.Inline(string(n.Destination))
			if b.WriteString(m.ink.underline(says)); says != to {
				b.WriteString(" (" + to + ")")
			}
		case *ast.Image:
			b.WriteString("[" + m.inline(n) + "] (" + escape.Inline(string(n.Destination)) + ")")
		case *ast.AutoLink:
			b.WriteString(m.ink.underline(escape.Inline(string(n.URL(m.source)))))
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				s := n.Segments.At(i)
				b.WriteString(escape.Inline(string(s.Value(m.source))))
			}
		default:
			b.WriteString(m.inline(n))
		}
	}
	return b.String()
}

// prefixed puts something before the first line and the others.
func prefixed(first, others string, lines []string) []string {
	if len(lines) == 0 {
		return []string{strings.TrimRight(first, " ")}
	}
	for i, l := range lines {
		lead := others
		if i == 0 {
			lead = first
		}
		if l != "" || i == 0 {
			lines[i] = lead + l
		}
	}
	return lines
}

// leastCols is how narrow text in lists and quotes gets; what is nested deeper is as wide, and runs over.
const leastCols = 10

func narrower(cols, by int) int {
	if cols == 0 {
		return 0
	}
	return max(cols-by, leastCols)
}

// tabbed is a line with its tabs and nothing else that could move the cursor.
func tabbed(line string) string {
	words := strings.Split(line, "\t")
	for i, w := range words {
		words[i] = escape.Inline(w)
	}
	return strings.Join(words, "\t")
}

// whole is how much of a Markdown text is complete blocks: up to the last empty line that is in no code.
func whole(s string) int {
	at, end, fence := 0, 0, ""
	for line := range strings.Lines(s) {
		at += len(line)
		bare := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			}
		case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
		case bare == "" && strings.HasSuffix(line, "\n"):
			end = at
		}
	}
	return end
}
