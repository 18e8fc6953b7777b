package host

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// matcher is the regular expression of a search. The agent writes it, and its time is its size times that of the text, so a
// long search ends with its call.
type matcher struct {
	re   *regexp.Regexp
	size int  // in instructions
	once bool // it speaks of the beginning of the text
}

func newMatcher(expr string) (m matcher, err error) {
	if len(expr) > maxPattern {
		return m, fmt.Errorf("it has %d bytes, and %d are the most", len(expr), maxPattern)
	}
	if m.re, err = regexp.Compile(expr); err != nil {
		return m, err
	}
	if _, literal := m.re.LiteralPrefix(); literal {
		return m, nil
	}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return m, err
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return m, err
	}
	m.size = len(prog.Inst)
	m.once = slices.ContainsFunc(prog.Inst, func(i syntax.Inst) bool {
		return i.Op == syntax.InstEmptyWidth && syntax.EmptyOp(i.Arg)&syntax.EmptyBeginText != 0
	})
	return m, nil
}

// find gives the matches in a text; of a long search at least one in each line that has some, and none once ctx is done.
func (m *matcher) find(ctx context.Context, text string) (hits [][]int) {
	if m.size*len(text) <= maxMatchSteps {
		return m.re.FindAllStringIndex(text, -1)
	}
	for at := 0; at < len(text); {
		hit := m.re.FindReaderIndex(&untilDone{ctx: ctx, text: strings.NewReader(text[at:])})
		if ctx.Err() != nil {
			return nil
		}
		if hit == nil {
			break
		}
		from, to := at+hit[0], at+hit[1]
		hits = append(hits, []int{from, to})
		if m.once {
			break
		}
		if at = to; from == to || text[to-1] != '\n' { // to the next line
			next := strings.IndexByte(text[to:], '\n')
			if next < 0 {
				break
			}
			at += next + 1
		}
	}
	return hits
}

// untilDone reads a text until its context is done.
type untilDone struct {
	ctx  context.Context
	text *strings.Reader
	n    int
}

func (u *untilDone) ReadRune() (r rune, size int, err error) {
	const every = 64
	if u.n++; u.n%every == 0 && u.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	return u.text.ReadRune()
}
