package clifront

import (
	"cmp"
	"context"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Keys reads single keys of the person.
type Keys interface {
	// Key waits for one key; what was typed before the call does not count. Escape is 27, Ctrl-C 3.
	Key(ctx context.Context) (rune, error)
}

// Ask implements [bridge.Editor]. The question shows everything it is about before the keys are offered.
func (f *Front) Ask(ctx context.Context, q *bridge.Question) (bridge.Answer, error) {
	f.asks.Lock()
	defer f.asks.Unlock()
	if ctx.Err() != nil {
		return bridge.Answer{}, ctx.Err()
	}
	f.mu.Lock()
	f.question(q)
	f.mu.Unlock()
	switch {
	case f.o.Policy == Yes:
		return f.answer(q, acp.PermissionOptionKindAllowOnce, cmp.Or(f.o.Voice, "--yes")), nil
	case f.o.Policy == No:
		return f.answer(q, acp.PermissionOptionKindRejectOnce, "--no"), nil
	case f.o.Keys == nil:
		return f.answer(q, acp.PermissionOptionKindRejectOnce, "there is no terminal to ask at; use --yes or --no"), nil
	}
	return f.choose(ctx, q)
}

// question shows what would happen. Caller holds mu.
func (f *Front) question(q *bridge.Question) {
	if f.o.JSON {
		f.jsonQuestion(q)
		return
	}
	f.note(f.ink.bold("? " + escape.Inline(q.Title)))
	if q.Reason != "" {
		f.note("  " + escape.Inline(q.Reason))
	}
	if len(q.Argv) > 0 {
		words := q.Argv
		if len(words) == 3 && words[1] == "-c" { // a line for the shell, shown as the line it is
			words = words[2:]
		}
		for i, a := range words {
			if len(words) > 1 {
				f.note(fmt.Sprintf("  argv[%d] %s", i, escape.Inline(a)))
				continue
			}
			f.note("  $ " + escape.Inline(a))
		}
		f.note("  in " + escape.Inline(q.Cwd))
	}
	for _, e := range q.Env {
		f.note("  with " + escape.Inline(e.Name+"="+e.Value))
	}
	for _, n := range q.Notes {
		f.note(f.ink.yellow("  note: " + escape.Inline(n)))
	}
	for _, d := range q.Diffs {
		f.diff(d.Path, d.OldText, d.NewText)
	}
	if q.ToolCall != nil && len(q.Diffs) > 0 { // seen now, not again when the call ends
		if c := f.calls[q.ToolCall.ToolCallID]; c != nil {
			c.diffs = len(q.Diffs)
		}
	}
}

// answer picks the option of a kind; none of it is no answer, which means no.
func (f *Front) answer(q *bridge.Question, kind acp.PermissionOptionKind, why string) bridge.Answer {
	for _, o := range q.Options {
		if o.Kind == kind {
			f.mu.Lock()
			if !f.o.JSON {
				f.note(f.ink.bold("  "+o.Name) + " (" + why + ")")
			}
			f.mu.Unlock()
			return bridge.Answer{OptionID: o.OptionID}
		}
	}
	return bridge.Answer{}
}

// choose asks by keys: the first letter of an option, Escape and Ctrl-C are no.
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
	f.mu.Lock()
	f.note(f.ink.bold(line))
	f.mu.Unlock()
	for {
		k, err := f.o.Keys.Key(ctx)
		if err != nil {
			return bridge.Answer{}, err
		}
		if o, ok := keys[k]; ok {
			f.mu.Lock()
			f.note("  " + o.Name)
			f.mu.Unlock()
			return bridge.Answer{OptionID: o.OptionID}, nil
		}
		if k == 27 || k == 3 {
			return bridge.Answer{}, nil
		}
	}
}

func keyOf(o acp.PermissionOption) rune {
	switch o.Kind {
	case acp.PermissionOptionKindAllowOnce:
		return 'y'
	case acp.PermissionOptionKindAllowAlways:
		return 'a'
	}
	return 'n'
}
