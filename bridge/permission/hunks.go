package permission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

// Choice is a yes to another text than the one that was proposed for a file: to some parts of the change and not to others, or
// to what the user made of it.
type Choice struct {
	Grant       Grant  // for the old text with what was taken, or with the user's
	text        string // that text
	taken, left []Hunk
	amended     *amendment // the user's own text, nil where parts were chosen
	words       string     // what the user said to it
}

// hunksOf are the parts of a change, nil where there are too many to choose from.
func hunksOf(d FileDiff) []Hunk {
	list := diff.Lines(d.OldText, d.NewText)
	if len(list) > maxHunks {
		return nil
	}
	before, after := wholeLines(d.OldText), wholeLines(d.NewText)
	out := make([]Hunk, len(list))
	for i, h := range list {
		out[i] = Hunk{
			Start: h.OldStart, End: h.OldEnd,
			OldText: strings.Join(before[h.OldStart:h.OldEnd], ""), NewText: strings.Join(after[h.NewStart:h.NewEnd], ""),
		}
	}
	return out
}

// wholeLines cuts a text after each newline.
func wholeLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// number gives a question and its parts their ids. The question's own id is in theirs, so that an answer to another one
// cannot name them.
func (q *Question) number(id string) {
	n := 0
	q.ID = id
	for i, d := range q.Diffs {
		q.Diffs[i].Hunks = slices.Clone(d.Hunks)
		for j := range d.Hunks {
			n++
			q.Diffs[i].Hunks[j].ID = fmt.Sprintf("%s.%d", q.ID, n)
		}
	}
}

// choose reads what a yes covers: nil for all that was shown. Only the question about one file has parts. An id that
// the question does not have makes the answer one to something else.
func choose(q *Question, a Answer) (*Choice, error) {
	if a.NewText != nil {
		return amend(q, a)
	}
	if a.Hunks == nil {
		return nil, nil
	}
	var parts []Hunk
	old := ""
	if len(q.Diffs) == 1 {
		parts, old = q.Diffs[0].Hunks, q.Diffs[0].OldText
	}
	for _, id := range a.Hunks {
		if !slices.ContainsFunc(parts, func(h Hunk) bool { return h.ID == id }) {
			return nil, fmt.Errorf("the editor allowed a part %q of the change, which was not offered", id)
		}
	}
	c := &Choice{words: strings.TrimSpace(a.Words)}
	for _, h := range parts {
		if slices.Contains(a.Hunks, h.ID) {
			c.taken = append(c.taken, h)
		} else {
			c.left = append(c.left, h)
		}
	}
	if len(c.taken) > 0 && len(c.left) == 0 {
		return nil, nil
	}
	c.text = applyHunks(old, c.taken)
	return c, nil
}

// applyHunks makes some parts of a change in the text they are parts of, in order.
func applyHunks(old string, list []Hunk) string {
	var out strings.Builder
	lines, at := wholeLines(old), 0
	for _, h := range list {
		out.WriteString(strings.Join(lines[at:h.Start], ""))
		out.WriteString(h.NewText)
		at = h.End
	}
	out.WriteString(strings.Join(lines[at:], ""))
	return out.String()
}

// Note is what the model is told: which parts of its change are not in the file, or what the user made of it.
func (c *Choice) Note(path string) string {
	if c.amended != nil {
		return c.amended.note(path, c.text, c.words)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The user allowed only %d of %d parts of this change to %s. Left out, and not in the file:\n", len(c.taken), len(c.taken)+len(c.left), path)
	for i, h := range c.left {
		var part strings.Builder
		fmt.Fprintf(&part, "@@ %s @@\n", lines(h))
		signed(&part, "-", h.OldText)
		signed(&part, "+", h.NewText)
		if b.Len()+part.Len() > maxLeftOut && i > 0 {
			fmt.Fprintf(&b, "… and %d more parts, not shown here\n", len(c.left)-i)
			break
		}
		b.WriteString(part.String())
	}
	b.WriteString("Do not make the left out parts again in the same way. Read the file again before the next edit.")
	if c.words != "" {
		b.WriteString(" The user said: " + c.words)
	}
	return b.String()
}

// lines is where a part is in the text before the change, lines from 1.
func lines(h Hunk) string {
	switch h.End - h.Start {
	case 0:
		return fmt.Sprintf("after line %d", h.Start)
	case 1:
		return fmt.Sprintf("line %d", h.Start+1)
	}
	return fmt.Sprintf("lines %d to %d", h.Start+1, h.End)
}

// signed writes lines with a sign before each. What is too long is cut in the middle of nothing: at a line's end.
func signed(b *strings.Builder, sign, text string) {
	for _, line := range wholeLines(text) {
		if b.Len() > maxLeftOut {
			b.WriteString("[more lines]\n")
			return
		}
		b.WriteString(sign + strings.TrimSuffix(line, "\n") + "\n")
	}
}
