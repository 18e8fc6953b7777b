package prompt

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Remark is a comment of the user's on some lines, for the agent.
type Remark struct {
	Path      string // absolute
	StartLine int    // 1-based
	EndLine   int    // inclusive; before StartLine where no line is left
	Pending   bool   // the lines are a change of the agent's that the user has not decided about
	Quoted    string
	Text      string
}

// Review is the prompt that a list of comments becomes; words come first, where the user has added any. Paths in cwd are relative to it.
func Review(cwd, words string, remarks []Remark) string {
	var out strings.Builder
	if words = strings.TrimSpace(words); words != "" {
		out.WriteString(words + "\n\n")
	}
	fmt.Fprintf(&out, "My review has %s. Each comes with its place and the lines as they are now.\n", plural(len(remarks), "comment"))
	for i, r := range remarks {
		path := r.Path
		if rel, err := filepath.Rel(cwd, path); err == nil && filepath.IsLocal(rel) {
			path = filepath.ToSlash(rel)
		}
		fmt.Fprintf(&out, "\n%d. %s, %s", i+1, path, r.lines())
		if r.Pending {
			out.WriteString(" (a change of yours that is still pending)")
		}
		out.WriteString("\n")
		if quoted := escape.HeadLines(r.Quoted, maxQuoted); quoted != "" {
			fence := escape.Fence(quoted)
			out.WriteString(fence + "\n" + strings.TrimSuffix(quoted, "\n") + "\n" + fence + "\n")
			if len(quoted) < len(r.Quoted) {
				fmt.Fprintf(&out, "(%d bytes more)\n", len(r.Quoted)-len(quoted))
			}
		}
		out.WriteString(strings.TrimSpace(r.Text) + "\n")
	}
	return out.String()
}

// maxQuoted is how much (bytes) of the lines of one comment is repeated to the agent, which has the file.
const maxQuoted = 4 << 10

func (r Remark) lines() string {
	switch {
	case r.EndLine < r.StartLine:
		return fmt.Sprintf("line %d, where lines were taken out", r.StartLine)
	case r.EndLine == r.StartLine:
		return fmt.Sprintf("line %d", r.StartLine)
	}
	return fmt.Sprintf("lines %d to %d", r.StartLine, r.EndLine)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
