//go:build unix

package lspfront

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// terminalNote is copilot-bridge/terminal/output.
type terminalNote struct {
	TerminalID, SessionID, Data string
	Truncated                   bool
	ExitStatus                  *struct {
		ExitCode *int
		Signal   *string
	}
}

var everyCommand = obj{"rules": []obj{{"tool": "shell", "argv": []string{"*"}, "decision": "allow"}}}

// runs is a script that runs a line and waits for its end.
func runs(line string) string {
	quoted, _ := json.Marshal(strings.ReplaceAll(line, "$", "$$"))
	return `expect@p session/prompt
request@c terminal/create {"sessionId":"s1","command":` + string(quoted) + `}
answer@c
request@w terminal/wait_for_exit {"sessionId":"s1","terminalId":"$terminal"}
answer@w
request@r terminal/release {"sessionId":"s1","terminalId":"$terminal"}
answer@r
reply@p {"stopReason":"end_turn"}`
}

// output is what the plugin was told of a command's output, and how many messages that took, when the end was told.
func (r *rig) output() (text string, notes []terminalNote) {
	r.t.Helper()
	r.awaitSent("copilot-bridge/turn/ended", 1)
	note := func(raw []byte) (n terminalNote) {
		if err := json.Unmarshal(raw, &n); err != nil {
			r.t.Fatal(err)
		}
		return n
	}
	r.wait("the end of the output", func() bool {
		sent := r.of("copilot-bridge/terminal/output")
		return len(sent) > 0 && note(sent[len(sent)-1]).ExitStatus != nil
	})
	var all strings.Builder
	for _, raw := range r.of("copilot-bridge/terminal/output") {
		n := note(raw)
		all.WriteString(n.Data)
		notes = append(notes, n)
	}
	return all.String(), notes
}

func TestTheSettingsOfTerminals(t *testing.T) {
	const line = `[ -t 1 ] && echo tty || echo pipe; echo "$CB_TEST_TOKEN$CB_TEST_KEY"`
	t.Setenv("CB_TEST_TOKEN", "kept")
	t.Setenv("CB_TEST_KEY", "dropped")
	for _, c := range []struct {
		name     string
		settings obj
		rich     []string
		want     string
	}{
		{"by default", obj{}, []string{"updates", "terminal"}, "pipe\n\n"},
		{"on", obj{"pty": true, "keepEnv": []string{"CB_TEST_TOKEN"}}, []string{"updates", "terminal"}, "tty\nkept\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, setup{script: runs(line), rich: c.rich, options: obj{"terminal": c.settings, "permission": everyCommand}})
			r.prompt("go")
			if text, _ := r.output(); text != c.want {
				t.Errorf("the output is %q, want %q", text, c.want)
			}
		})
	}
	t.Run("nobody watches", func(t *testing.T) { // without the flag the plain tier shows no output
		r := newRig(t, setup{script: runs(`[ -t 1 ] && touch tty; true`), options: obj{"terminal": obj{"pty": true}, "permission": everyCommand}})
		r.turn("go")
		if _, err := os.Stat(filepath.Join(r.dir, "tty")); err == nil {
			t.Error("the command has a terminal that nobody sees")
		}
	})
}

// A flood costs the wire what the user can see: while the editor is busy pieces are joined, the middle is left out and said
// to be.
func TestAFloodIsJoined(t *testing.T) {
	const flood = 50_000_000
	script := strings.Replace(runs(fmt.Sprintf(`head -c %d /dev/zero | tr '\0' x; echo; echo end`, flood)), "answer@w", "answer@w\nmark flooded", 1)
	r := newRig(t, setup{script: script, rich: []string{"updates", "terminal"}, options: obj{"permission": everyCommand}})
	resume := r.stall("copilot-bridge/terminal/output")
	r.prompt("go")
	r.awaitSent("copilot-bridge/terminal/output", 1)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := r.agents[0].Await(ctx, "flooded"); err != nil { // the command does not wait for the editor
		t.Fatal(err)
	}
	resume()
	text, notes := r.output()
	last := notes[len(notes)-1]
	if !strings.HasSuffix(text, "\nend\n") || last.ExitStatus.ExitCode == nil || *last.ExitStatus.ExitCode != 0 {
		t.Errorf("it ends with %+v", last)
	}
	truncated := false
	for _, n := range notes {
		truncated = truncated || n.Truncated
	}
	// What is kept of the output, what waits for the editor, and the pieces on the way between them. Without the limits
	// it would be the whole flood, a piece as the pipe gives it: some thousand.
	const most = terminalproxy.DefaultOutputLimit + queueLimit + 4*terminalproxy.EventBytes
	if len(text) > most || len(notes) > 100 || !truncated {
		t.Errorf("%d messages, %d bytes, truncated %v", len(notes), len(text), truncated)
	}
	t.Logf("%d messages, %d bytes", len(notes), len(text))
}
