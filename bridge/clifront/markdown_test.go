package clifront

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/wrap"
)

const answered = "# Done\n\nThe *parser* keeps **every** `token`, see [the page](http://x/y).\nIt has a list:\n\n- one\n- two words that are too long for the line they are on\n  1. nested\n\n" +
	"```go\nfunc main() {\n\n\tprintln(\"a long line of code that is not broken\")\n}\n```\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 22 |\n"

// answeredOn is an answer in pieces of n bytes on a screen of a width.
func answeredOn(t *testing.T, text string, n, cols int, colour bool) string {
	t.Helper()
	s := newStage(Options{Size: func() (int, int) { return cols, 24 }, Colour: colour})
	for len(text) > 0 {
		k := min(n, len(text))
		s.Show(t.Context(), chunk(text[:k]))
		text = text[k:]
	}
	s.Show(t.Context(), &bridge.TurnEnded{Session: "s", Turn: "t", StopReason: acp.StopReasonEndTurn})
	return s.screen.String()
}

func TestAnAnswerIsShownAsMarkdownOnATerminal(t *testing.T) {
	const want = `Done

The parser keeps every ` + "`token`" + `, see the
page (http://x/y). It has a list:

- one
- two words that are too long for the
  line they are on
  1. nested

    func main() {

    	println("a long line of code that is not broken")
    }

| quoted

a | b
1 | 22
`
	for _, n := range []int{1, 7, len(answered)} { // in whatever pieces it comes
		if got := answeredOn(t, answered, n, 40, false); got != want {
			t.Errorf("in pieces of %d:\n%s\nwant\n%s", n, got, want)
		}
	}
}

// TestColoursAreReadableOnAnyBackground: none sets one, and each ends.
func TestColoursAreReadableOnAnyBackground(t *testing.T) {
	got := answeredOn(t, answered, 100, 80, true)
	for _, style := range []string{"\x1b[1mDone\x1b[22m", "\x1b[3mparser\x1b[23m", "\x1b[36mtoken\x1b[39m"} {
		if !strings.Contains(got, style) {
			t.Errorf("no %q in %q", style, got)
		}
	}
	if strings.Contains(got, "\x1b[4") && strings.Contains(got, "\x1b[48") || strings.Contains(got, "\x1b[100") {
		t.Errorf("it sets a background: %q", got)
	}
}

// TestMarkdownWritesNoControlCharacter: it has ways of its own to say one.
func TestMarkdownWritesNoControlCharacter(t *testing.T) {
	for _, evil := range []string{"&#27;[2J", "\x1b[2J", "`\x1b[2J`", "[a](\x1b[2J)", "[a](<&#27;[2J>)", "```\n\x1b[2J\n```\n", "<b\x1b[2J>", "<http://a\x1b[2J>", "    \x1b]0;x\a", "| a |\n|---|\n| &#155; |\n", "\\\x1b[2J", "▌ ? Run &#9612;"} {
		for _, n := range []int{1, 1000} {
			got := answeredOn(t, evil+"\n\nend\n", n, 80, false)
			if strings.ContainsAny(got, "\x1b\a\u009b▌") || !strings.Contains(got, "end") {
				t.Errorf("%q: %q", evil, got)
			}
		}
	}
}

// TestTextOfOursWrapsAtWords: to the width of the terminal, also of a narrow one.
func TestTextOfOursWrapsAtWords(t *testing.T) {
	for _, cols := range []int{20, 40, 80, 120} {
		s := newStage(Options{Size: func() (int, int) { return cols, 24 }})
		text := "the agent ended unexpectedly and what it had said is kept so that it can be sent again"
		s.Show(t.Context(), &bridge.StatusChanged{Kind: bridge.StatusError, Message: text})
		got := s.screen.String()
		for line := range strings.Lines(got) {
			if w := wrap.Width(strings.TrimRight(line, "\n")); w > cols {
				t.Errorf("%d columns: %q has %d", cols, line, w)
			}
		}
		if joined := strings.Join(strings.Fields(got), " "); joined != "! "+text {
			t.Errorf("%d columns: %q", cols, joined)
		}
	}
}

// TestACommandIsShownAsInAShell.
func TestACommandIsShownAsInAShell(t *testing.T) {
	s := newStage(Options{})
	title := "editor-bash"
	s.Show(t.Context(), &bridge.Message{Message: acp.NewUpdate("", &acp.ToolCall{ToolCallID: "c", Title: title, RawInput: []byte(`{"command":"go test ./..."}`)})})
	if got := s.screen.String(); got != "$ go test ./...\n" {
		t.Errorf("shown as %q", got)
	}
}

// TestInAPipeTheAnswerIsAsItCame.
func TestInAPipeTheAnswerIsAsItCame(t *testing.T) {
	var out strings.Builder
	f := New(Options{Stdout: &out, Stderr: &strings.Builder{}})
	f.Show(t.Context(), chunk(answered))
	if out.String() != answered {
		t.Errorf("%q", out.String())
	}
}
