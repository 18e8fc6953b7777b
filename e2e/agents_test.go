//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// The versions that the Makefile installs.
const (
	opencodeVersion = "1.18.33"
	qwenVersion     = "0.15.10"
)

// installed finds a program that the Makefile has installed: the one that an environment variable names, else the
// pinned one in the user's cache.
func installed(t *testing.T, variable, folder, name string) string {
	t.Helper()
	exe := os.Getenv(variable)
	if exe == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		exe = filepath.Join(cache, "copilot-bridge", folder, "node_modules", ".bin", name)
	}
	if _, err := os.Stat(exe); err != nil {
		t.Fatalf("%s is not installed, run make e2e: %v", name, err)
	}
	return exe
}

// dialect is how an agent's own tools are called.
type dialect struct {
	edit, create, run func(args ...string) model.Step
	read              func(path string) model.Step
	mayEndRefused     bool // it may see the end of its tool before the cancel, which it was sent first, and ends the turn as after a refusal
	readsBuffers      bool // its own reading tool goes through the editor
	commandsAreOurs   bool // its commands run by the bridge
	writesDisk        bool // it writes the disk by itself, besides asking the editor to (opencode 1.18.33)
}

func TestE2EOpencode(t *testing.T) {
	w, d := opencode(t)
	foreignAgent(t, w, d)
}

// opencode is opencode with the editor's tools, as it gets them.
func opencode(t *testing.T) (*world, dialect) {
	w, _ := opencodeWith(t, agentFiles(), "ask")
	w.gets = ""
	d := handedDialect("editor_")
	d.mayEndRefused = true
	return w, d
}

// opencodeWith is opencode with its own tools in a workspace with these files, which asks before it edits or does not.
func opencodeWith(t *testing.T, files map[string]string, edits string) (*world, dialect) {
	w := newWorld(t, files)
	w.agent = []string{installed(t, "OPENCODE", "opencode-"+opencodeVersion, "opencode"), "acp"}
	w.config(".config/opencode/opencode.json", `{"model":"mock/mock","small_model":"mock/mock","autoupdate":false,"share":"disabled","permission":{"edit":"`+edits+`","bash":"ask"},
		"provider":{"mock":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"`+w.model.URL()+`","apiKey":"x"},"models":{"mock":{"limit":{"context":128000,"output":8000}}}}}}`)
	for _, d := range []string{"CONFIG:.config", "DATA:.local/share", "STATE:.local/state", "CACHE:.cache"} {
		name, dir, _ := strings.Cut(d, ":")
		w.env = append(w.env, "XDG_"+name+"_HOME="+filepath.Join(w.home, dir))
	}
	w.env = append(w.env, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1")
	w.gets = "own"
	return w, dialect{
		writesDisk: true,
		read:       func(path string) model.Step { return model.Call("read", obj{"filePath": path}) },
		edit: func(a ...string) model.Step {
			return model.Call("edit", obj{"filePath": a[0], "oldString": a[1], "newString": a[2]})
		},
		create: func(a ...string) model.Step { return model.Call("write", obj{"filePath": a[0], "content": a[1]}) },
		run:    func(a ...string) model.Step { return model.Call("bash", obj{"command": a[0], "description": "run"}) },
	}
}

func TestE2EQwenCode(t *testing.T) {
	w, d := qwen(t)
	foreignAgent(t, w, d)
}

func qwen(t *testing.T) (*world, dialect) {
	w := newWorld(t, agentFiles())
	w.agent = []string{installed(t, "QWEN", "qwen-"+qwenVersion, "qwen"), "--acp"}
	w.config(".qwen/settings.json", `{"security":{"auth":{"selectedType":"openai"}},"general":{"disableAutoUpdate":true},"privacy":{"usageStatisticsEnabled":false},"telemetry":{"enabled":false}}`)
	w.env = append(w.env, "OPENAI_API_KEY=x", "OPENAI_BASE_URL="+w.model.URL(), "OPENAI_MODEL="+model.Name)
	return w, dialect{
		readsBuffers: true,
		read:         func(path string) model.Step { return model.Call("read_file", obj{"file_path": path}) },
		edit: func(a ...string) model.Step {
			return model.Call("edit", obj{"file_path": a[0], "old_string": a[1], "new_string": a[2]})
		},
		create: func(a ...string) model.Step {
			return model.Call("write_file", obj{"file_path": a[0], "content": a[1]})
		},
		run: func(a ...string) model.Step {
			return model.Call("run_shell_command", obj{"command": a[0], "description": "run", "is_background": false})
		},
	}
}

func agentFiles() map[string]string {
	return map[string]string{"read.txt": "on disk\n", "dirty.txt": "one\ntwo\nthree\n", "clean.txt": "one\ntwo\n", "refused.txt": "one\n"}
}

func (w *world) config(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// foreignAgent is what holds for agents that use the editor's files themselves.
func foreignAgent(t *testing.T, w *world, d dialect) {
	e := w.start()
	e.open("read.txt", "only in the buffer\n")
	e.open("dirty.txt", "mine, unsaved\none\ntwo\nthree\n")
	e.open("clean.txt")
	s := e.newSession()

	// A file that the prompt names comes with its unsaved text, also to an agent that reads the disk.
	e.turn(s, "look at @read.txt "+model.Script(d.read(w.path("read.txt")), model.Say("fin")))
	if !w.told("only in the buffer") {
		t.Error("the model was not told of the unsaved text")
	}
	if r := fmt.Sprint(w.results()); d.readsBuffers && !strings.Contains(r, "only in the buffer") {
		t.Errorf("its own tool reads %s", r)
	}
	if !strings.Contains(e.said(), "fin") || w.read("read.txt") != "on disk\n" {
		t.Errorf("said %q, the disk holds %q", e.said(), w.read("read.txt"))
	}

	// Not a line of the user's is lost, although some agents write the disk's text over the buffer.
	e.turn(s, "edit "+model.Script(d.read(w.path("dirty.txt")), d.edit(w.path("dirty.txt"), "two", "TWO"), d.read(w.path("clean.txt")), d.edit(w.path("clean.txt"), "two", "TWO"), model.Say("ok")))
	if got := e.text("dirty.txt"); got != "mine, unsaved\none\nTWO\nthree\n" {
		t.Errorf("the dirty buffer holds %q", got)
	}
	if got := w.read("dirty.txt"); !d.writesDisk && got != "one\ntwo\nthree\n" {
		t.Errorf("the disk under it holds %q", got)
	}
	if b, d := e.text("clean.txt"), w.read("clean.txt"); b != "one\nTWO\n" || d != b {
		t.Errorf("the clean buffer holds %q, the disk %q", b, d)
	}
	for _, name := range []string{"dirty.txt", "clean.txt"} {
		if h := e.hunks(name); len(h) != 1 || h[0].OldText != "two\n" || h[0].NewText != "TWO\n" {
			t.Errorf("%s has the hunks %+v", name, h)
		}
	}

	e.turn(s, "create "+model.Script(d.create(w.path("new.txt"), "brand new\n"), model.Say("ok")))
	if got := w.read("new.txt"); got != "brand new\n" || len(e.hunks("new.txt")) != 1 {
		t.Errorf("created %q with %d hunks", got, len(e.hunks("new.txt")))
	}

	asked := len(e.questions())
	e.turn(s, "run "+model.Script(d.run("echo ran > ran.txt"), model.Say("ok")))
	if got := w.read("ran.txt"); got != "ran\n" || len(e.questions()) != asked+1 { // one, also about what is to be saved before it
		t.Errorf("the command left %q after %d questions", got, len(e.questions())-asked)
	}

	e.permit = func(question) string { return "reject_once" }
	turn := e.send(s, "refuse "+model.Script(d.read(w.path("refused.txt")), d.edit(w.path("refused.txt"), "one", "two"), d.run("touch refused"), model.Say("ok")))
	e.ended(turn) // some go on, some end the turn
	if got := w.read("refused.txt"); got != "one\n" || !strings.Contains(w.read("refused"), "no such file") {
		t.Errorf("after a no the file is %q, the command left %q", got, w.read("refused"))
	}
	e.permit = func(question) string { return "allow_once" }
	e.turn(s, "again "+model.Script(model.Say("still here")))
	if !strings.Contains(e.said(), "still here") {
		t.Error("the session did not survive a no")
	}
}
