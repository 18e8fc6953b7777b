package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// note is one undone hunk that the agent has not been told of.
type note struct {
	Session string `json:"session"`
	Path    string `json:"path"`
	Hunk    string `json:"hunk"`
	Line    int    `json:"line"` // 1-based
	Kind    Kind   `json:"kind,omitzero"`
	Out     string `json:"out,omitzero"` // taken out
	Back    string `json:"back,omitzero"`
}

// note remembers that a hunk was undone, for the session whose agent made it last.
func (st *state) note(f *file, h *hunk, out string) {
	n := note{
		Session: h.session(), Path: f.Path, Hunk: h.ID, Line: h.Start + 1, Kind: f.kind(),
		Out: clip(out), Back: clip(h.Old),
	}
	st.Notes = append(st.Notes, n)
	if over := len(st.Notes) - maxNotes; over > 0 {
		st.Notes = slices.Clone(st.Notes[over:])
	}
}

// noteBack remembers that a hunk is there again that the agent had reverted.
func (st *state) noteBack(f *file, m *mark) {
	st.note(f, &m.Hunk, m.Hunk.Old)
	n := &st.Notes[len(st.Notes)-1]
	n.Back = clip(m.Text)
}

// unnote takes back what would have been said of a hunk that is there again.
func (st *state) unnote(id string) {
	st.Notes = slices.DeleteFunc(st.Notes, func(n note) bool { return n.Hunk == id })
}

// clip cuts a text to MaxUndoneText, at a line if there is one, and says so.
func clip(s string) string {
	head := escape.HeadLines(s, MaxUndoneText)
	if len(head) == len(s) {
		return s
	}
	return head + fmt.Sprintf("… (%d bytes more)\n", len(s)-len(head))
}

// TakeUndone gives the text that tells the agent of a session which of its
// changes the user undid since the last call, and forgets them; "" if there are
// none. It is meant to stand at the start of the next prompt.
func (b *Book) TakeUndone(session string) string {
	defer b.changing()()
	var ns []note
	for _, n := range b.st.Notes {
		if n.Session == session {
			ns = append(ns, n)
		}
	}
	if len(ns) == 0 {
		return ""
	}
	b.do(record{Told: &toldOp{Session: session}})
	return tell(ns)
}

func tell(ns []note) string {
	var out strings.Builder
	out.WriteString("Some of your changes were undone by the user. The files no longer contain them; do not make them again unless you are asked to.\n")
	for i, n := range ns {
		piece := n.String()
		if out.Len()+len(piece) > MaxUndoneBlock {
			fmt.Fprintf(&out, "\n… and %d more changes were undone.\n", len(ns)-i)
			break
		}
		out.WriteString(piece)
	}
	return out.String()
}

// String says it in the words the agent reads.
func (n note) String() string {
	var out strings.Builder
	what := fmt.Sprintf("undone in %s, line %d", n.Path, n.Line)
	switch n.Kind {
	case KindCreate:
		what = "undone: the creation of " + n.Path
	case KindDelete:
		what = "undone: the deletion of " + n.Path
	case KindMove:
		if n.Out == "" && n.Back == "" {
			what = "undone: the renaming to " + n.Path
		}
	}
	fmt.Fprintf(&out, "\n%s\n", what)
	if n.Out != "" {
		out.WriteString("taken out:\n" + quote(n.Out, "- "))
	}
	if n.Back != "" && n.Kind != KindDelete {
		out.WriteString("put back:\n" + quote(n.Back, "+ "))
	}
	return out.String()
}

// quote puts a sign before each line.
func quote(s, sign string) string {
	var out strings.Builder
	for l := range strings.Lines(strings.ToValidUTF8(s, "\uFFFD")) {
		out.WriteString(sign + strings.TrimRight(l, "\r\n") + "\n")
	}
	return out.String()
}
