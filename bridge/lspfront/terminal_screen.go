package lspfront

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// screens filter the output of the agent's commands before a terminal of the editor's shows it: a command must not set the
// clipboard, the title or the modes of the user's terminal. A sequence may be cut anywhere, so there is one for each
// terminal. Only Show touches them, on the goroutine that calls it.
type screens map[string]*screen

type screen struct {
	text strings.Builder
	w    *escape.Writer
}

// show is a piece of output as it may be shown.
func (s screens) show(e *bridge.TerminalOutput) string {
	key := e.Session + "\x00" + e.Terminal
	t := s[key]
	if t == nil {
		if len(s) >= maxScreens {
			clear(s) // what goes on there is filtered from its middle
		}
		t = &screen{}
		t.w = escape.NewScreen(&t.text)
		s[key] = t
	}
	_, _ = t.w.Write([]byte(e.Data)) // a strings.Builder takes everything
	if e.Exit != nil {
		_ = t.w.Close()
		delete(s, key)
	}
	out := t.text.String()
	t.text.Reset()
	return out
}

// inlineAll is words as they may be shown, nil for none.
func inlineAll(words []string) []string {
	if words == nil {
		return nil
	}
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = escape.Inline(w)
	}
	return out
}
