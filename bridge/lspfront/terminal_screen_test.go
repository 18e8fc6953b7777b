package lspfront

import (
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// TestAnEditorsTerminalIsShownNoEscapeSequences: what a command writes, and what it is called, sets no clipboard and no title,
// wherever a sequence is cut; progress bars go on.
func TestAnEditorsTerminalIsShownNoEscapeSequences(t *testing.T) {
	const evil = "a\x1b]52;c;Y3VybA==\x07b\x1b[31mred\x1b[0m\x1b[1;8mx\x1b[38;5;8my\x1b[?1mz\u009b2J\r50%\r100%\x08\n\x0e\x1bP+q\x1b\\end\u202e"
	const want = "ab\x1b[31mred\x1b[0mx\x1b[38;5;8myz\r50%\r100%\x08\nend<U+202E>"
	for cut := range len(evil) {
		s := &server{screens: screens{}}
		got := ""
		for i, data := range []string{evil[:cut], evil[cut:]} {
			e := &bridge.TerminalOutput{Session: "s", Terminal: "t", Data: data, Command: "x\x1b]0;t\x07", Args: []string{"\x1b[2J"}}
			if i == 1 {
				e.Exit = &bridge.Exit{}
			}
			_, _, params := s.event(e)
			p := params.(terminalOutput)
			got += p.Data
			if strings.Contains(p.Command+strings.Join(p.Args, ""), "\x1b") || len(p.Args) != 1 {
				t.Errorf("%q %q", p.Command, p.Args)
			}
		}
		if got != want {
			t.Fatalf("cut at %d: %q, want %q", cut, got, want)
		}
		if len(s.screens) != 0 {
			t.Error("an ended terminal is kept")
		}
	}
	w := encodeTerminal(terminalproxy.Info{Command: "ls\x1b]0;t\x07\n", Args: []string{"a\x1b[2J"}, Cwd: "/w\x1b[1m"})
	if all := w.Command + strings.Join(w.Args, "") + w.Cwd; strings.ContainsAny(all, "\x1b\x07\n") {
		t.Errorf("listed: %q", all)
	}
	s := &server{screens: screens{}}
	for i := range 10 * maxScreens {
		s.event(&bridge.TerminalOutput{Session: "s", Terminal: string(rune('a' + i)), Data: "\x1b]"})
	}
	if len(s.screens) > maxScreens {
		t.Errorf("%d terminals are kept", len(s.screens))
	}
}

// TestAStatusLineIsShownNoEscapeSequences: what the agent says of itself reaches status lines, titles and messages.
func TestAStatusLineIsShownNoEscapeSequences(t *testing.T) {
	s := &server{}
	const evil = "bad\x1b]0;t\x07\u009b2J"
	title := evil
	for _, ev := range []bridge.Event{
		&bridge.StatusChanged{Kind: bridge.StatusError, Message: evil},
		&bridge.SessionChanged{Session: "s", Title: &title, Event: &bridge.Happening{Type: "notice", Message: evil}},
		&bridge.TurnEnded{Session: "s", StopReason: acp.StopReasonEndTurn, Err: &bridge.Error{Message: evil}},
	} {
		_, _, params := s.event(ev)
		if text := string(raw(params)); slices.ContainsFunc([]string{`\u001b`, "\x1b", "\u009b", `\u0007`}, func(bad string) bool { return strings.Contains(text, bad) }) {
			t.Errorf("%T: %s", ev, text)
		}
	}
}
