package session_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// working is an agent that takes one prompt and works on it until the test says done.
const working = hello + `
ignore session/cancel
expect session/prompt
mark working
wait done
reply {"stopReason":"end_turn"}`

// atWork is a bridge whose agent works on a turn.
func atWork(t *testing.T, files map[string]string, change func(*Config)) (r *rig, turn string) {
	t.Helper()
	r = newRigWith(t, files, func(c *Config) {
		change(c)
		if raceEnabled {
			c.Env = append(c.Env, "GORACE=atexit_sleep_ms=0") // else each guardian takes a second to end
		}
	}, working).open()
	turn = r.prompt("go")
	r.await("working")
	return r, turn
}

func plain(*Config) {}

// finish lets the agent end its turn.
func (r *rig) finish(turn string) {
	r.t.Helper()
	r.set("done")
	r.ended(turn)
}

// bash runs a command with the editor tool and returns what the model reads.
func (r *rig) bash(command string) string {
	r.t.Helper()
	text, err := r.link().Bash(r.ctx, caller(), tools.BashArgs{Command: command, Mode: tools.BashSync}, nil)
	if err != nil {
		r.t.Fatalf("%s: %v", command, err)
	}
	return text
}

func (r *rig) async(shell, command string) {
	r.t.Helper()
	text, err := r.link().Bash(r.ctx, caller(), tools.BashArgs{Command: command, Mode: tools.BashAsync, ShellID: shell}, nil)
	if err != nil || !strings.Contains(text, "started in background") {
		r.t.Fatalf("%s: %q, %v", command, text, err)
	}
}

// review is what is pending, as "kind path: old → new" for each hunk.
func (r *rig) review() (out []string) {
	for _, f := range r.b.Review(r.ctx, review.Filter{}) {
		rel, _ := filepath.Rel(r.dir, f.Path)
		line := string(f.Kind) + " " + filepath.ToSlash(rel)
		if f.From != "" {
			from, _ := filepath.Rel(r.dir, f.From)
			line += " from " + filepath.ToSlash(from)
		}
		for _, h := range f.Hunks {
			switch {
			case h.Why != "":
				line += ": " + h.Why
			case h.OldText != "" || h.NewText != "":
				line += ": " + strconv.Quote(h.OldText) + " → " + strconv.Quote(h.NewText)
			}
		}
		out = append(out, line)
	}
	return out
}

// undoAll undoes everything that is pending.
func (r *rig) undoAll() {
	r.t.Helper()
	if _, conflicts := r.b.Undo(r.ctx, review.Selector{All: true}); len(conflicts) > 0 {
		r.t.Fatalf("undo: %+v", conflicts)
	}
}

// eventually waits for what another process brings about.
func (r *rig) eventually(what string, met func() bool) {
	r.t.Helper()
	await.Until(r.t, what, met)
}

// pids reads the process ids that a command has written to a file, n of them.
func (r *rig) pids(name string, n int) (out []int) {
	r.t.Helper()
	r.eventually("the command runs", func() bool {
		out = nil
		b, _ := os.ReadFile(r.path(name))
		for _, w := range strings.Fields(string(b)) {
			if pid, err := strconv.Atoi(w); err == nil {
				out = append(out, pid)
			}
		}
		return len(out) >= n
	})
	return out
}

// stubborn is a command of two processes that ignore TERM, one of them in a session of its own.
const stubborn = `trap '' TERM; echo $$ >>pids; setsid sh -c 'trap "" TERM; echo $$ >>pids; while :; do sleep 300; done' & while :; do sleep 300; done`

// outputOf is what the editor was shown of a terminal, and its end.
func outputOf(events []Event, id string) (text string, exits []*Exit) {
	for _, ev := range events {
		if o, ok := ev.(*TerminalOutput); ok && (id == "" || o.Terminal == id) {
			text += o.Data
			if o.Exit != nil {
				exits = append(exits, o.Exit)
			}
		}
	}
	return text, exits
}
