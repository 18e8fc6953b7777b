package clifront

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/internal/wrap"
)

// escapeKey is what the key Escape sends, and what the sequences of other keys begin with.
const escapeKey = 27

// clearLine is Ctrl-U, which in a terminal takes all of a line away.
const clearLine = 21

// closing reports whether a key closes what is open: Escape, Ctrl-C, Ctrl-D.
func closing(k rune) bool { return k == escapeKey || k == 3 || k == 4 }

// typedLead stands before a text that is typed.
const typedLead = "  > "

// typedLine is a text that the user types on one line. Line ends that it has already stay in it, and are shown as arrows.
type typedLine struct {
	text string
	most int // characters
}

// shownTyped is a typed text as it is on the screen.
func shownTyped(text string) string {
	return escape.Inline(strings.ReplaceAll(text, "\n", "↵"))
}

// readLine lets the user type until Enter; ok is false where the line was closed. [ErrRedraw] where it has to be shown again: l
// has what was typed.
func (f *Front) readLine(ctx context.Context, held Held, l *typedLine) (ok bool, err error) {
	f.echo(typedLead + shownTyped(l.text))
	for {
		k, err := held.Typed(ctx)
		switch {
		case err != nil:
			if errors.Is(err, ErrRedraw) {
				f.echo("\n")
			}
			return false, err
		case closing(k), k == '\r', k == '\n':
			f.echo("\n")
			return !closing(k), nil
		case k == 127 || k == 8:
			f.rubOut(l)
		case k == clearLine:
			l.text = ""
			f.echo("\n" + typedLead)
		case unicode.IsPrint(k) && utf8.RuneCountInString(l.text) < l.most:
			l.text += string(k)
			f.echo(shownTyped(string(k)))
		}
	}
}

// rubOut takes the last character away. Where the text has more than one row it is written again: the cursor does not go up.
func (f *Front) rubOut(l *typedLine) {
	_, n := utf8.DecodeLastRuneInString(l.text)
	if n == 0 {
		return
	}
	gone := l.text[len(l.text)-n:]
	cols, _ := f.size()
	above := wrap.Width(typedLead+shownTyped(l.text)) >= cols
	l.text = l.text[:len(l.text)-n]
	if above {
		f.echo("\n" + typedLead + shownTyped(l.text))
		return
	}
	cells := wrap.Width(shownTyped(gone))
	back := strings.Repeat("\b", cells)
	f.echo(back + strings.Repeat(" ", cells) + back)
}

// echo shows what is typed. Only characters that can be printed are.
func (f *Front) echo(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fmt.Fprint(f.o.Stderr, text)
}
