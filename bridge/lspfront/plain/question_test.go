package plain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// TestLongCommandsKeepTheirEnd guards against a command that hides what it does behind white space.
func TestLongCommandsKeepTheirEnd(t *testing.T) {
	text := escape.ClipMiddle("start"+strings.Repeat(" ", 3000)+"; touch pwned", 280)
	if n := len([]rune(text)); n > 280 || !strings.HasSuffix(text, "; touch pwned") || !strings.HasPrefix(text, "start") || !strings.Contains(text, "2738 characters") {
		t.Errorf("%d characters: %q", n, text)
	}
}

// TestPlainMessagesNameWhatTheRichQuestionDoes: folder, environment and files are in the message, the diagnostic and the
// log, however long the command is; none is pushed out by another.
func TestPlainMessagesNameWhatTheRichQuestionDoes(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for name, argv := range map[string][]string{"short": {"go", "test"}, "long": {"bash", "-c", "echo " + long + "; touch pwned"}} {
		bq := &bridge.Question{
			Title: "Run it", Reason: "because " + long, Argv: argv, Cwd: "/srv/elsewhere/pkg", Notes: []string{"a note " + long},
			Env:   []policy.EnvVar{{Name: "LD_PRELOAD", Value: "/tmp/evil.so"}, {Name: "LONG", Value: long + "END"}, {Name: "PATH", Value: "/tmp/bin"}},
			Diffs: []bridge.FileDiff{{Path: "/srv/elsewhere/a.txt", OldText: "a\n", NewText: "b\n"}, {Path: "/srv/new.txt", NewText: "n\n", Created: true}},
		}
		q := &question{Question: bq}
		line, whole := q.line(MaxMessageText), wholeQuestion(bq)
		for _, fact := range bq.Facts() {
			if len(fact) < maxFact && !strings.Contains(line, fact) {
				t.Errorf("%s: no %q in the message %q", name, fact, line)
			}
			if !strings.Contains(whole, fact) {
				t.Errorf("%s: no %.50q in the log", name, fact)
			}
		}
		for _, want := range []string{"in /srv/elsewhere/pkg", "with LD_PRELOAD=/tmp/evil.so", "with LONG=xxx", "xEND; with PATH=/tmp/bin", "file /srv/elsewhere/a.txt", "new file /srv/new.txt", argv[len(argv)-1][len(argv[len(argv)-1])-4:]} {
			if !strings.Contains(line, want) {
				t.Errorf("%s: no %q in the message %q", name, want, line)
			}
		}
		if n := len([]rune(line)); n > MaxMessageText+(maxFacts+2)*(maxFact+2) {
			t.Errorf("%s: the message has %d characters", name, n)
		}
	}
	many := &question{Question: &bridge.Question{Title: "Run it", Argv: []string{"ls"}, Cwd: "/w"}}
	for i := range 50 {
		many.Env = append(many.Env, policy.EnvVar{Name: fmt.Sprintf("V%d", i), Value: "1"})
	}
	if line := many.line(MaxMessageText); !strings.Contains(line, "and 43 more, see the log") {
		t.Errorf("the message is %q", line)
	}
}

// TestQuestionsAreShownWhole guards the log and the transcript: nothing that would be written or run is swallowed as an
// escape sequence.
func TestQuestionsAreShownWhole(t *testing.T) {
	got := wholeQuestion(&bridge.Question{
		Title: "Run it", Reason: "because", Cwd: "/w", Argv: []string{"bash", "-c", "echo \x1b]0;hidden; rm -r x\x07\n\tls"},
		Diffs: []bridge.FileDiff{{Path: "/w/a", OldText: "a\n", NewText: "\x1b[8mb\u202e\n"}},
	})
	for _, want := range []string{"hidden; rm -r x", "\n\tls", "+<U+001B>[8mb<U+202E>"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}
