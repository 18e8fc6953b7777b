//go:build e2e

package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

var languageTools = []string{"symbols", "definition", "references", "hover", "rename", "format", "codeActions"}

// offered are those of the language tools that the model was offered.
func (w *world) offered() (out []string) {
	for _, name := range languageTools {
		if w.model.ToolNames()["editor-"+name] {
			out = append(out, name)
		}
	}
	return out
}

func located(path string, line, from, to int) obj {
	return obj{"uri": uri(path), "range": obj{"start": obj{"line": line, "character": from}, "end": obj{"line": line, "character": to}}}
}

// total plays the language server of a file with one name in it.
func (w *world) total(method string, params json.RawMessage) (any, error) {
	lib, use := w.path("lib.txt"), w.path("use.txt")
	switch {
	case strings.Contains(string(params), "notes.txt"):
		return nil, failure("noServer")
	case method == "textDocument/definition":
		return located(lib, 0, 4, 9), nil
	case method == "textDocument/references":
		var many []obj
		for i := range 100_000 {
			many = append(many, located(use, i%2, 5, 10))
		}
		return append(many, located(lib, 0, 4, 9)), nil
	case method == "textDocument/rename":
		edit := func(path string, lines ...int) obj {
			var edits []obj
			for _, n := range lines {
				p := located(path, n, 5, 10)
				if path == lib {
					p = located(path, n, 4, 9)
				}
				edits = append(edits, obj{"range": p["range"], "newText": "sum"})
			}
			return obj{"textDocument": obj{"uri": uri(path), "version": nil}, "edits": edits}
		}
		return obj{"documentChanges": []obj{edit(lib, 0), edit(use, 0, 1)}}, nil
	}
	return nil, failure("notSupported")
}

func languageFiles() map[string]string {
	return map[string]string{"lib.txt": "def total(x)\n", "use.txt": "call total(1)\ncall total(2)\n", "notes.txt": "total\n"}
}

func at(w *world, name, file string) model.Step {
	return tool(name, obj{"path": w.path(file), "line": 1, "symbol": "total"})
}

// TestE2ELanguageServers: what the editor's language servers know reaches the real Copilot, 100,000 references too, and what they do
// not know is an error that names another way.
func TestE2ELanguageServers(t *testing.T) {
	w := copilot(t, languageFiles())
	e := w.startAs(&editor{language: w.total}, nil)
	e.open("use.txt", "call total(1) -- unsaved\ncall total(2)\n")
	e.turn(e.newSession(), "x "+model.Script(at(w, "definition", "use.txt"), at(w, "references", "lib.txt"), at(w, "hover", "lib.txt"), at(w, "definition", "notes.txt"), model.Say("fin")))
	for i, want := range []string{
		"lib.txt:1: def total(x)", "use.txt:1: call total(1) -- unsaved\nuse.txt:2: call total(2)\nlib.txt:1: def total(x)",
		"do not know textDocument/hover", "no language server of the editor looks after notes.txt",
	} {
		if got := w.results(); len(got) <= i || !strings.Contains(got[i], want) {
			t.Errorf("result %d of %q has no %q", i, got, want)
		}
	}
	if len(e.questions()) > 0 {
		t.Error("reading in the workspace asked")
	}
	if got := w.offered(); !slices.Equal(got, languageTools) {
		t.Errorf("offered: %q", got)
	}
}

// TestE2EWithoutLanguageServersTheirToolsAreNotOffered: nor are those that the user has switched off.
func TestE2EWithoutLanguageServersTheirToolsAreNotOffered(t *testing.T) {
	for name, c := range map[string]struct {
		setting any
		want    []string
	}{"none": {nil, nil}, "off": {false, nil}, "some": {[]string{"rename", "hover"}, []string{"hover", "rename"}}} {
		t.Run(name, func(t *testing.T) {
			w := copilot(t, languageFiles())
			more := &editor{}
			if name != "none" {
				more.language, more.options = w.total, obj{"tools": obj{"language": c.setting}}
			}
			e := w.startAs(more, nil)
			e.turn(e.newSession(), "x "+model.Script(model.Say("fin")))
			if got := w.offered(); !slices.Equal(got, c.want) {
				t.Errorf("offered: %q, want %q", got, c.want)
			}
		})
	}
}

// TestE2EAnEditTellsItsNewErrors: the result of the edit has them, and not the old ones.
func TestE2EAnEditTellsItsNewErrors(t *testing.T) {
	w := copilot(t, languageFiles())
	fault := func(name, message string) obj {
		d := located(w.path(name), 0, 0, 1)
		return obj{"uri": d["uri"], "diagnostics": []obj{{"range": d["range"], "severity": 1, "message": message}}}
	}
	e := w.startAs(&editor{diagnosed: func() []any {
		all := []any{fault("notes.txt", "an old error")}
		if strings.Contains(w.read("lib.txt"), "broken") {
			all = append(all, fault("use.txt", "undefined: total"))
		}
		return all
	}}, nil)
	e.turn(e.newSession(), "x "+model.Script(tool("edit", obj{"path": w.path("lib.txt"), "old_str": "total", "new_str": "broken"}), model.Say("fin")))
	got := strings.Join(w.results(), "\n")
	if !strings.Contains(got, "1 new error:\nuse.txt:1: undefined: total") || strings.Contains(got, "an old error") {
		t.Errorf("%q", got)
	}
}

// TestE2ELentLanguageServers: an ACP editor's agent asks the language servers of the editor that lends its buffers, and a rename
// changes the buffer there and the disk, with one question in the chat.
func TestE2ELentLanguageServers(t *testing.T) {
	w := copilot(t, languageFiles())
	l := w.startAs(&editor{language: w.total}, []string{"--lend-buffers"})
	l.open("use.txt", "call total(1)\ncall total(2)\nmine\n")
	e := w.startACPWith(obj{}, "--borrow-buffers")
	s := e.newSession()
	e.turn(s, "x "+model.Script(at(w, "definition", "use.txt"),
		tool("rename", obj{"path": w.path("lib.txt"), "line": 1, "symbol": "total", "newName": "sum"}), model.Say("fin")))
	if got := strings.Join(w.results(), "\n"); !strings.Contains(got, "lib.txt:1: def total(x)") || !strings.Contains(got, "done in 2 files") {
		t.Errorf("%q", got)
	}
	if got := l.text("use.txt"); got != "call sum(1)\ncall sum(2)\nmine\n" {
		t.Errorf("the lender's buffer holds %q", got)
	}
	if got := w.read("lib.txt"); got != "def sum(x)\n" || w.read("use.txt") != languageFiles()["use.txt"] {
		t.Errorf("the disk holds %q and %q", got, w.read("use.txt"))
	}
	if e.questions() != 1 || len(l.questions()) != 0 {
		t.Errorf("%d questions in the chat, %d where the text is", e.questions(), len(l.questions()))
	}
}

// TestE2EAllOfALanguageServersChangeIsUndone: files that it has created, renamed and removed, and those it has edited.
func TestE2EAllOfALanguageServersChangeIsUndone(t *testing.T) {
	w := copilot(t, languageFiles())
	w.put("old.txt", "one\n")
	w.put("dead.txt", "dead\n")
	edit := func(name, text string) obj {
		return obj{"textDocument": obj{"uri": uri(w.path(name)), "version": nil}, "edits": []obj{{"range": located(w.path(name), 0, 0, 3)["range"], "newText": text}}}
	}
	e := w.startAs(&editor{language: func(string, json.RawMessage) (any, error) {
		return obj{"documentChanges": []obj{
			{"kind": "create", "uri": uri(w.path("sub/new.txt"))}, edit("sub/new.txt", "fresh\n"),
			{"kind": "rename", "oldUri": uri(w.path("old.txt")), "newUri": uri(w.path("moved.txt"))}, edit("moved.txt", "two"),
			{"kind": "delete", "uri": uri(w.path("dead.txt"))}, edit("use.txt", "CALL"[:3]), edit("lib.txt", "fun"),
		}}, nil
	}}, nil)
	e.open("use.txt", "call total(1)\nmine\n")
	names := []string{"sub/new.txt", "old.txt", "moved.txt", "dead.txt", "lib.txt"}
	before := map[string]string{}
	for _, name := range names {
		before[name] = w.read(name)
	}
	s := e.newSession()
	e.turn(s, "x "+model.Script(tool("rename", obj{"path": w.path("lib.txt"), "line": 1, "symbol": "total", "newName": "sum"}), model.Say("fin")))
	if w.read("sub/new.txt") != "fresh\n" || w.read("moved.txt") != "two\n" || w.read("lib.txt") != "fun total(x)\n" || e.text("use.txt") != "CALl total(1)\nmine\n" {
		t.Fatalf("%q %q %q %q; the model read %q", w.read("sub/new.txt"), w.read("moved.txt"), w.read("lib.txt"), e.text("use.txt"), w.results())
	}
	if len(e.questions()) != 1 {
		t.Errorf("%d questions", len(e.questions()))
	}
	var list struct {
		Files []struct {
			Hunks []struct {
				TurnID string `json:"turnId"`
			} `json:"hunks"`
		} `json:"files"`
	}
	e.call("copilot-bridge/review/list", obj{}, &list)
	if len(list.Files) != 5 {
		t.Errorf("%d files are pending", len(list.Files))
	}
	var done struct {
		Conflicts []json.RawMessage `json:"conflicts"`
	}
	e.call("copilot-bridge/review/resolve", obj{"action": "undo", "turnId": list.Files[0].Hunks[0].TurnID}, &done)
	if len(done.Conflicts) > 0 {
		t.Errorf("conflicts: %s", done.Conflicts)
	}
	for _, name := range names {
		if got := w.read(name); got != before[name] {
			t.Errorf("%s: %q, was %q", name, got, before[name])
		}
	}
	if got := e.text("use.txt"); got != "call total(1)\nmine\n" {
		t.Errorf("the buffer holds %q", got)
	}
}
