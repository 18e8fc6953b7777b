//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest/realcopilot"
)

// world is an empty home with a workspace and a scripted model.
type world struct {
	t     *testing.T
	home  string
	ws    string
	model *model.Server
	env   []string
	mark  string // in the environment of everything that is started here; a test may have several worlds
	agent []string
	kind  string // agent.kind, "" for the default
	gets  string // which tools the agent has, "" for the default
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: filepath.Join(dir, "home"), ws: filepath.Join(dir, "ws"), mark: fmt.Sprintf("E2E_WORLD=%d-%s-%s", os.Getpid(), filepath.Base(filepath.Dir(dir)), filepath.Base(dir))}
	for _, d := range []string{w.home, w.ws} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		w.put(name, text)
	}
	if w.model, err = model.New(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.model.Close)
	if w.env, err = realcopilot.Env(w.model, w.home); err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, w.mark)
	t.Cleanup(w.nothingIsLeft)
	return w
}

// copilot is a world with the real Copilot CLI.
func copilot(t *testing.T, files map[string]string) *world {
	t.Helper()
	exe, err := realcopilot.Path()
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, files)
	w.agent = []string{exe}
	return w
}

// flags are those of the command line that starts the bridge.
func (w *world) flags(args []string) []string {
	if w.gets != "" {
		args = append([]string{"--agent-tools", w.gets}, args...)
	}
	return args
}

func (w *world) path(name string) string { return filepath.Join(w.ws, filepath.FromSlash(name)) }

func (w *world) put(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) string {
	b, err := os.ReadFile(w.path(name))
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return string(b)
}

// told says whether the model was sent a text, by anybody.
func (w *world) told(text string) bool { return w.model.Saw(text) }

// results are the results of tools in the newest request.
func (w *world) results() []string { return w.model.ToolResults() }

// processes are those that were started in this world, wherever they have gone since.
func (w *world) processes() (out []string) {
	for _, pid := range w.pids() {
		line, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		out = append(out, string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
	}
	return out
}

func (w *world) pids() (out []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		env, _ := os.ReadFile(f)
		if bytes.Contains(append([]byte{0}, env...), []byte("\x00"+w.mark+"\x00")) {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
				out = append(out, pid)
			}
		}
	}
	return out
}

// nothingIsLeft holds at the end of every test. What was just killed may take a moment to be gone.
func (w *world) nothingIsLeft() {
	if left := w.processesAfter(5 * time.Second); len(left) > 0 {
		w.t.Errorf("left running: %q", left)
	}
}

// processesAfter waits until no process is left, at most so long, and says which are.
func (w *world) processesAfter(limit time.Duration) []string {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		left := w.processes()
		if len(left) == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return left
		}
	}
}
