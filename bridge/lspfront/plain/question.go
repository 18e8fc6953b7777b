package plain

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// line is a question on one line of about n characters. What it is about is always named: of a long command the start and
// the end, and then the folder, the environment and the files, each cut by itself, so that none can push another out.
func (q *question) line(n int) string {
	head := q.Title
	if len(q.Argv) > 0 {
		if words := escape.Inline(policy.CommandText(q.Argv)); !strings.Contains(head, words) {
			head += ": " + words
		}
	}
	for _, d := range q.Diffs {
		added, removed := 0, 0
		for _, h := range diff.Lines(d.OldText, d.NewText) {
			added, removed = added+h.NewEnd-h.NewStart, removed+h.OldEnd-h.OldStart
		}
		head += fmt.Sprintf(" (+%d -%d)", added, removed)
	}
	var facts, why string
	for i, fact := range q.Facts() {
		if i == maxFacts {
			facts += fmt.Sprintf("; and %d more, see the log", len(q.Facts())-i)
			break
		}
		facts += "; " + escape.ClipMiddle(escape.Inline(fact), maxFact)
	}
	for _, note := range append(slices.Clone(q.Notes), q.Reason) {
		if note != "" {
			why += "; " + note
		}
	}
	head, why = escape.Inline(head), escape.Inline(why)
	rest := n - utf8.RuneCountInString(facts)
	head = escape.ClipMiddle(head, max(rest-utf8.RuneCountInString(why), rest/2, n/3))
	return head + facts + escape.ClipMiddle(why, max(rest-utf8.RuneCountInString(head), n/3))
}

// titles are the options as the user sees them, in the question's order, no two alike.
func (q *question) titles() []string {
	out := make([]string, len(q.Options))
	seen := map[string]bool{}
	for i, o := range q.Options {
		title := escape.Clip(escape.Inline(o.Name), MaxTitle)
		if title == "" || seen[title] {
			title = fmt.Sprintf("%s (%s)", title, escape.Inline(string(o.OptionID)))
		}
		seen[title], out[i] = true, title
	}
	return out
}

// option is the option with a title, "" for none: that is a no.
func (q *question) option(title string) acp.PermissionOptionID {
	for i, t := range q.titles() {
		if t == title {
			return q.Options[i].OptionID
		}
	}
	return ""
}

// ofKind is the first option of a kind.
func (q *question) ofKind(k acp.PermissionOptionKind) (acp.PermissionOptionID, bool) {
	for _, o := range q.Options {
		if o.Kind == k {
			return o.OptionID, true
		}
	}
	return "", false
}

func isYes(q *bridge.Question, id acp.PermissionOptionID) bool {
	for _, o := range q.Options {
		if o.OptionID == id {
			return o.Kind == acp.PermissionOptionKindAllowOnce || o.Kind == acp.PermissionOptionKindAllowAlways
		}
	}
	return false
}

// wholeQuestion is all that a question is about, for the log.
func wholeQuestion(q *bridge.Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Copilot asks: %s\n%s\n", q.Title, q.Reason)
	for _, n := range q.Notes {
		fmt.Fprintln(&b, n)
	}
	for _, fact := range q.Facts() {
		fmt.Fprintln(&b, escape.Inline(fact))
	}
	if len(q.Argv) > 0 {
		fmt.Fprintln(&b, escape.Lines(policy.CommandText(q.Argv)))
	}
	for _, d := range q.Diffs {
		b.WriteString(questionDiff(d))
	}
	return b.String()
}

// questionDiff is what would change, with every character of it in sight.
func questionDiff(d bridge.FileDiff) string {
	before := d.Path
	if d.Created {
		before = os.DevNull
	}
	return escape.Lines(strings.ReplaceAll(diff.Unified(before, d.Path, d.OldText, d.NewText, 3), "\r\n", "\n"))
}

// placeOf is where a question is shown as a diagnostic: at its change, at its tool call, else in the file used last.
func (p *Tier) placeOf(q *bridge.Question) place {
	at := place{line: -1}
	switch {
	case len(q.Diffs) > 0:
		d := q.Diffs[0]
		at.path = d.Path
		if hunks := diff.Lines(d.OldText, d.NewText); len(hunks) > 0 {
			at.line = hunks[0].OldStart
		}
	case q.ToolCall != nil && len(q.ToolCall.Locations) > 0:
		at = placeAt(q.ToolCall.Locations[0])
	default:
		if sel := p.Client.Selection(); sel != nil {
			at.path, at.line = sel.Path, sel.StartLine-1
		} else if b, err := p.Client.Bridge(); err == nil {
			if open := b.Overlay().OpenPaths(); len(open) > 0 {
				at.path = slices.Min(open)
			}
		}
	}
	if b, err := p.Client.Bridge(); err == nil && at.path != "" {
		at.path = b.Canonical(at.path)
	}
	return at
}
