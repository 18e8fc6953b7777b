package clifront

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Keys reads single keys of the user.
type Keys interface {
	// Hold takes the terminal for a question, until it is closed. One at a time.
	Hold() (Held, error)
}

// Held is a terminal that is held for a question. Its methods are called on one goroutine.
type Held interface {
	// Key waits for one key; what was typed before the call does not count. Escape is 27, Ctrl-C 3, Ctrl-D 4. [ErrRedraw] if
	// since the last call, or meanwhile, what is on the screen ceased to be what was drawn.
	Key(ctx context.Context) (rune, error)
	// Typed waits for one character of a text that is typed: what was typed since the last call counts. It ends as Key does;
	// arrow and function keys are left out.
	Typed(ctx context.Context) (rune, error)
	// Close gives the terminal back as it was.
	Close() error
}

// ErrRedraw is returned by Key when the question has to be drawn again: the program was stopped, and the shell has had the
// screen, or the screen has another size.
var ErrRedraw = errors.New("the screen is not what it was")

// errHelp is that the user wants to know the keys.
var errHelp = errors.New("the keys are to be shown")

// answerPause is how long a question is on the screen before a key counts: one that comes sooner was meant for what was
// there before. Nobody reads a question in less.
const answerPause = 500 * time.Millisecond

// Ask implements [bridge.Editor]. The question shows everything it is about before the keys are offered.
func (f *Front) Ask(ctx context.Context, q *bridge.Question) (bridge.Answer, error) {
	turn := f.asks.Join()
	defer turn.Leave()
	acp.Queued(ctx)
	if err := turn.Wait(ctx); err != nil {
		return bridge.Answer{}, err
	}
	switch {
	case f.o.Policy == Yes:
		return f.answer(q, acp.PermissionOptionKindAllowOnce, policy.ByYes, cmp.Or(f.o.Voice, "--yes")), nil
	case f.o.Policy == No:
		return f.answer(q, acp.PermissionOptionKindRejectOnce, policy.ByNo, "--no"), nil
	case f.o.Keys == nil:
		f.mu.Lock()
		f.unasked = true
		f.mu.Unlock()
		return f.answer(q, acp.PermissionOptionKindRejectOnce, policy.ByNobody, "there is no terminal to ask at; use --yes or --no"), nil
	}
	return f.choose(ctx, q)
}

// lines are what would happen. Caller holds mu.
func (f *Front) lines(q *bridge.Question) []string {
	out := []string{f.ink.bold("? " + escape.Inline(q.Title))}
	if q.Reason != "" {
		out = append(out, "  "+escape.Inline(q.Reason))
	}
	if line := policy.LineOf(q.Argv); line != "" || len(q.Argv) == 1 {
		out = append(out, "  $ "+escape.Inline(policy.CommandText(q.Argv)))
	} else {
		for i, a := range q.Argv {
			out = append(out, fmt.Sprintf("  argv[%d] %s", i, escape.Inline(a)))
		}
	}
	for _, fact := range q.Facts() {
		out = append(out, "  "+escape.Inline(fact))
	}
	for _, n := range q.Notes {
		out = append(out, f.ink.yellow("  note: "+escape.Inline(n)))
	}
	for _, d := range q.Diffs {
		out = append(out, f.diff(d.Path, d.OldText, d.NewText)...)
	}
	if q.ToolCall != nil && len(q.Diffs) > 0 { // seen now, not again when the call ends
		if c := f.calls[q.ToolCall.ToolCallID]; c != nil {
			c.diffs = len(q.Diffs)
		}
	}
	return out
}

// answer picks the option of a kind; none of it is no answer, which means no.
func (f *Front) answer(q *bridge.Question, kind acp.PermissionOptionKind, by policy.Who, why string) bridge.Answer {
	a, name := bridge.Answer{By: by}, "No"
	for _, o := range q.Options {
		if o.Kind == kind {
			a.OptionID, name = o.OptionID, o.Name
			break
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.o.JSON {
		f.jsonQuestion(q)
		f.jsonAnswer(q, a, name)
	} else {
		for _, line := range append(f.lines(q), f.ink.bold("  "+escape.Inline(name))+" ("+why+")") {
			f.row(line)
		}
	}
	return a
}

// choose asks by keys: the first letter of an option; Escape, Ctrl-C and Ctrl-D are no. Until it returns nothing else is
// shown.
func (f *Front) choose(ctx context.Context, q *bridge.Question) (bridge.Answer, error) {
	keys := map[rune]acp.PermissionOption{}
	line := "  "
	for _, o := range q.Options {
		k := keyOf(o)
		for keys[k].OptionID != "" {
			k++
		}
		keys[k] = o
		line += fmt.Sprintf("[%c] %s  ", k, escape.Inline(o.Name))
	}
	held, err := f.o.Keys.Hold()
	if err != nil {
		return bridge.Answer{}, err
	}
	defer held.Close()
	f.mu.Lock()
	if f.o.JSON {
		f.jsonQuestion(q)
	}
	f.open = make(chan struct{})
	f.mu.Unlock()
	defer f.closed()
	line += "[?] Help"
	help := false
	for {
		f.mu.Lock()
		lines := f.lines(q)
		if help {
			for _, k := range slices.Sorted(maps.Keys(keys)) {
				lines = append(lines, fmt.Sprintf("  %c  %s", k, escape.Inline(keys[k].Name)))
			}
			lines = append(lines, "  Escape, Ctrl-D  No", "  Ctrl-C  No, and end the turn")
		}
		f.draw(lines, line) // also beside JSON, which may go where nobody reads
		f.mu.Unlock()
		o, err := pressed(ctx, held, keys)
		switch {
		case errors.Is(err, errHelp):
			help = !help
		case errors.Is(err, ErrRedraw):
		case err != nil:
			f.answered(q, bridge.Answer{}, "withdrawn")
			return bridge.Answer{}, err
		default:
			a := bridge.Answer{OptionID: o.OptionID}
			f.answered(q, a, cmp.Or(o.Name, "No"))
			return a, nil
		}
	}
}

// pressed is the option of the key that is pressed once the question has been on the screen for a while, none for a no.
func pressed(ctx context.Context, held Held, keys map[rune]acp.PermissionOption) (acp.PermissionOption, error) {
	pause := time.NewTimer(answerPause)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-ctx.Done():
	}
	for {
		k, err := held.Key(ctx)
		if err != nil {
			return acp.PermissionOption{}, err
		}
		if o, ok := keys[k]; ok {
			return o, nil
		}
		if k == '?' {
			return acp.PermissionOption{}, errHelp
		}
		if closing(k) {
			return acp.PermissionOption{}, nil
		}
	}
}

// answered shows what a question was answered, and tells it as JSON.
func (f *Front) answered(q *bridge.Question, a bridge.Answer, what string) {
	f.says(what)
	if f.o.JSON {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.jsonAnswer(q, a, what)
	}
}

// says writes below a question what became of it.
func (f *Front) says(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fmt.Fprintln(f.o.Stderr, mark+"  "+escape.Inline(what))
}

func keyOf(o acp.PermissionOption) rune {
	if o.OptionID == bridge.OptUnsaved {
		return 'u'
	}
	switch o.Kind {
	case acp.PermissionOptionKindAllowOnce:
		return 'y'
	case acp.PermissionOptionKindAllowAlways:
		return 'a'
	}
	return 'n'
}
