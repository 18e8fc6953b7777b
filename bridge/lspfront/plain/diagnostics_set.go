package plain

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// The codes of our diagnostics (docs/dev/protocol.md, the plain tier).
const (
	CodePending    = "pending-edit"
	CodeFailed     = "tool-failed"
	CodeConflict   = "conflict"
	CodePermission = "permission"
	CodeComment    = "comment"
)

// set is all that is to be said about a file now.
func (d *diagnostics) set(b *bridge.Bridge, path string) []protocol.Diagnostic {
	p := d.p
	now, _ := p.Client.Text(path)
	var out []protocol.Diagnostic
	for _, q := range p.questions.list() {
		if q.shown && q.at.path == path {
			out = append(out, p.questionDiagnostic(now, q))
		}
	}
	if !p.Client.Rich(Review) {
		for _, f := range b.Review(p.Life, review.Filter{Path: path}) {
			for _, h := range f.Hunks {
				out = append(out, p.PendingDiagnostic(now, f, h))
			}
		}
		for _, c := range b.CommentsOn(path) {
			out = append(out, p.CommentDiagnostic(now, c))
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.troubles {
		shown := t.code == CodeConflict && !p.Client.Rich(Review) || t.code == CodeFailed && !p.Client.Rich(Updates)
		if t.at.path == path && shown {
			out = append(out, diagnostic(lineRange(now, p.Client.Encoding(), t.at.line), t.severity, t.code, t.message))
		}
	}
	return out
}

func (p *Tier) questionDiagnostic(now text.Text, q listed) protocol.Diagnostic {
	return diagnostic(lineRange(now, p.Client.Encoding(), q.at.line), protocol.DiagnosticSeverityWarning, CodePermission, "Copilot asks: "+q.line(MaxMessageText))
}

// PendingDiagnostic is what is published of a pending hunk; now is the text of its file.
func (p *Tier) PendingDiagnostic(now text.Text, f review.File, h review.Hunk) protocol.Diagnostic {
	return diagnostic(HunkRange(now, p.Client.Encoding(), h), protocol.DiagnosticSeverityInformation, CodePending, "Copilot "+Did(f, h))
}

// CommentDiagnostic is what is published of a comment that waits; now is the text of its file.
func (p *Tier) CommentDiagnostic(now text.Text, c review.Comment) protocol.Diagnostic {
	return diagnostic(span(now, p.Client.Encoding(), c.StartLine, c.EndLine), protocol.DiagnosticSeverityInformation, CodeComment,
		"Your comment, not sent yet: "+escape.Clip(escape.Text(strings.TrimSpace(c.Text)), MaxMessageText))
}

// Did says what a hunk is, in a few words.
func Did(f review.File, h review.Hunk) string {
	added, removed := lines(h.NewText), lines(h.OldText)
	what := ""
	switch {
	case added == 0 && removed == 0 && f.Kind == review.KindCreate:
		return "created this file: keep or undo it"
	case f.Kind == review.KindDelete:
		return "deleted this file: keep or undo it"
	case added == 0 && removed == 0 && f.Kind == review.KindMove:
		return "moved this file here from " + escape.Clip(escape.Inline(f.From), MaxMessageText) + ": keep or undo it"
	case removed == 0:
		what = "added " + Plural(added, "line")
	case added == 0:
		what = "removed " + Plural(removed, "line")
	default:
		what = fmt.Sprintf("changed %s (+%d -%d)", Plural(removed, "line"), added, removed)
	}
	if h.Edited {
		what += ", and you have changed it since"
	}
	return what + ": keep or undo it"
}

func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// lines counts the lines of a text; the last may lack its end.
func lines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// oneLine is a text safe to show on one line, without white space at its ends.
func oneLine(s string) string { return escape.Inline(strings.TrimSpace(s)) }

func diagnostic(r protocol.Range, sev protocol.DiagnosticSeverity, code, message string) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range: r, Severity: sev, Code: protocol.String(code), Source: protocol.NewOptional("copilot"), Message: protocol.String(message),
	}
}

// lineRange is a line without its end; the first line for what is in no line.
func lineRange(now text.Text, enc text.Encoding, line int) protocol.Range {
	if now.Len() == 0 && line > 0 { // the text of a closed file is not known here
		return protocol.Range{Start: protocol.Position{Line: uint32(line)}, End: protocol.Position{Line: uint32(line)}}
	}
	line = max(0, min(line, now.Lines()-1))
	return span(now, enc, line, line+1)
}

// HunkRange are the lines of a hunk, without the last one's end. An empty hunk is a point.
func HunkRange(now text.Text, enc text.Encoding, h review.Hunk) protocol.Range {
	return span(now, enc, h.StartLine, h.EndLine)
}

// span is the lines from start up to end, without the end of the last one.
func span(now text.Text, enc text.Encoding, start, end int) protocol.Range {
	total := now.PositionOf(now.Len(), enc)
	from := protocol.Position{Line: uint32(max(start, 0))}
	if from.Line > total.Line {
		from = Position(total)
	}
	if end <= start || end-1 > int(total.Line) {
		return protocol.Range{Start: from, End: from}
	}
	return protocol.Range{Start: from, End: Position(now.PositionOf(now.LineEnd(end-1), enc))}
}

// Position is a position as LSP has it.
func Position(p text.Position) protocol.Position {
	return protocol.Position{Line: p.Line, Character: p.Character}
}
