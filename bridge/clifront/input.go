package clifront

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

const (
	// maxKeyed is how many options a key can be given: one digit each.
	maxKeyed = 9

	// maxTyped is the longest answer that can be typed below a question, in characters.
	maxTyped = 2000
)

// CanAsk implements [session.Asker]: where a policy answers the questions, or nobody sits at the terminal, nobody can be asked.
func (f *Front) CanAsk() bool { return f.o.Policy == AskKeys && f.o.Keys != nil }

// picking is a form that can be answered at a terminal: one field to choose from, and perhaps one for other words.
type picking struct {
	field   string
	options []acp.EnumOption
	other   string // the field for other words, "" for none
}

func pickingOf(form *acp.ElicitationSchema) (p picking, ok bool) {
	if form == nil || len(form.Properties) > 2 {
		return p, false
	}
	for name, property := range form.Properties {
		text, isText := property.(*acp.StringPropertySchema)
		switch {
		case !isText, len(text.Enum) > 0:
			return p, false
		case len(text.OneOf) > 0 && p.field == "":
			p.field, p.options = name, text.OneOf
		case len(text.OneOf) == 0 && p.other == "" && !slices.Contains(form.Required, name):
			p.other = name
		default:
			return p, false
		}
	}
	return p, p.field != "" && len(p.options) <= maxKeyed
}

// Input implements [bridge.Editor] for a question with options: by their numbers; o is another answer, which is typed and ends with
// Enter. Escape, Ctrl-C and Ctrl-D close the question.
func (f *Front) Input(ctx context.Context, in *bridge.InputRequest) (bridge.InputAnswer, error) {
	p, ok := pickingOf(in.Schema)
	if !ok || !f.CanAsk() {
		return bridge.InputAnswer{}, bridge.ErrUnsupported
	}
	turn := f.asks.Join()
	defer turn.Leave()
	acp.Queued(ctx)
	if err := turn.Wait(ctx); err != nil {
		return bridge.InputAnswer{}, err
	}
	held, err := f.o.Keys.Hold()
	if err != nil {
		return bridge.InputAnswer{}, err
	}
	defer held.Close()
	f.mu.Lock()
	f.open = make(chan struct{})
	f.mu.Unlock()
	defer f.closed()
	value, field, err := f.pick(ctx, held, in, p)
	switch {
	case err != nil:
		f.says("withdrawn")
		return bridge.InputAnswer{}, err
	case field == "":
		f.says("closed without an answer")
		return bridge.InputAnswer{Action: bridge.InputCancel}, nil
	}
	f.says(value)
	return bridge.InputAnswer{Action: bridge.InputAccept, Content: map[string]any{field: value}}, nil
}

// pick waits for what the user picks or types, and says which field that is for; "" for none.
func (f *Front) pick(ctx context.Context, held Held, in *bridge.InputRequest, p picking) (value, field string, err error) {
	lines := []string{f.ink.bold("? " + escape.Inline(in.Message))}
	for i, o := range p.options {
		lines = append(lines, fmt.Sprintf("  [%d] %s", i+1, escape.Inline(o.Title)))
	}
	keys := "  "
	if p.other != "" {
		keys += "[o] another answer  "
	}
	keys += "[Esc] no answer  "
	typed, typing := typedLine{most: maxTyped}, false
	for {
		f.mu.Lock()
		f.draw(lines, keys)
		f.mu.Unlock()
		for redraw := false; !redraw; {
			if typing {
				ok, err := f.readLine(ctx, held, &typed)
				words := strings.TrimSpace(typed.text)
				switch {
				case errors.Is(err, ErrRedraw):
					redraw = true
				case err != nil || !ok:
					return "", "", err
				case words != "":
					return words, p.other, nil
				}
				continue
			}
			k, err := f.answerKey(ctx, held)
			switch {
			case errors.Is(err, ErrRedraw):
				redraw = true
			case err != nil || closing(k):
				return "", "", err
			case k >= '1' && int(k-'1') < len(p.options):
				return p.options[k-'1'].Const, p.field, nil
			case k == 'o' && p.other != "":
				typing = true
			}
		}
	}
}

// answerKey is the next key. It counts once the question has been on the screen for a while, see answerPause.
func (f *Front) answerKey(ctx context.Context, held Held) (rune, error) {
	pause := time.NewTimer(answerPause)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	return held.Key(ctx)
}
