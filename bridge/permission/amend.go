package permission

import (
	"errors"
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// amendment is a text of the user's in place of the agent's.
type amendment struct {
	proposed string // by the agent, whole
}

// amend reads the text that an answer brings. nil is the one that was shown; the text that the file has is a no, as a choice
// of no part.
func amend(q *Question, a Answer) (*Choice, error) {
	if len(q.Diffs) != 1 || !q.Diffs[0].Amendable {
		return nil, errors.New("the editor sent another text for a change that cannot be amended")
	}
	if a.Hunks != nil {
		return nil, errors.New("the editor sent another text for the file and chose parts of the one that was shown")
	}
	d := q.Diffs[0]
	text := *a.NewText
	if !strings.HasPrefix(d.OldText, disk.BOM) {
		text = strings.TrimPrefix(text, disk.BOM) // it is the file's, not the text's
	}
	if text == d.NewText || !strings.Contains(text, "\r") && text == strings.ReplaceAll(d.NewText, "\r\n", "\n") { // an editor may hide the '\r'
		return nil, nil
	}
	if !d.Created {
		text, _ = fsproxy.Adapted(d.OldText, text, d.OldText) // the line ends that the file has
	}
	return &Choice{text: text, amended: &amendment{d.NewText}, words: strings.TrimSpace(a.Words)}, nil
}

// changes says whether the choice changes the file at all: none of it is a no.
func (c *Choice) changes(q *Question) bool {
	if c.amended != nil {
		return q.Diffs[0].Created || c.text != q.Diffs[0].OldText
	}
	return len(c.taken) > 0
}

// how is the choice in the words of the log.
func (c *Choice) how() string {
	if c.amended != nil {
		return " (the text was amended)"
	}
	return fmt.Sprintf(" (%d of %d parts were allowed)", len(c.taken), len(c.taken)+len(c.left))
}

// Stale is what becomes of a failed write of the choice. An amended text was written over the text that was shown: where another
// change has got into the file since, the answer was one to something else, and is a no. It is not asked about again with the
// agent's text, which the user did not want.
func (c *Choice) Stale(err error) error {
	if c.amended == nil || !errors.Is(err, ErrShownOtherwise) {
		return err
	}
	return &Refusal{
		Reason: "refused: the user changed your text before allowing it, and the file has changed since it was shown to them. Nothing was written. Read the file again.",
		User:   "The file has changed while you changed the text; nothing was written",
	}
}

// note is what the model is told of the difference between what it proposed and what was written.
func (a *amendment) note(path, written, words string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The user changed your text for %s before allowing it. What is in the file differs from what you proposed in this:\n", path)
	lines := strings.SplitAfter(diff.Unified("proposed", "written", a.proposed, written, amendContext), "\n")
	for _, line := range lines {
		if b.Len()+len(line) > maxLeftOut {
			b.WriteString("[more lines]\n")
			break
		}
		b.WriteString(line)
	}
	b.WriteString("The user wants it as it is now: do not change it back. Read the file again before the next edit.")
	if words != "" {
		b.WriteString(" The user said: " + words)
	}
	return b.String()
}

// asksAgain says whether a text of the user's for a file is asked about as such before it is written: a control file decides
// what runs, and each text of it is seen as the question shows it, whoever wrote it.
func (g *Gate) asksAgain(p policy.Path) bool { return g.all.Rules.Control(p) }
