package lspfront

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

// closeDoc closes a document as "Don't save" does.
func (r *rig) closeDoc(u string) {
	r.mu.Lock()
	delete(r.docs, u)
	r.mu.Unlock()
	r.notify("textDocument/didClose", obj{"textDocument": obj{"uri": u}})
}

// pending lists what is in review, "name: old>new" for each hunk.
func (r *rig) pending() string {
	r.t.Helper()
	var list struct {
		Files []struct {
			URI   string `json:"uri"`
			Hunks []struct {
				OldText string `json:"oldText"`
				NewText string `json:"newText"`
			} `json:"hunks"`
		} `json:"files"`
	}
	r.call("copilot-bridge/review/list", obj{}, &list)
	var out []string
	for _, f := range list.Files {
		for _, h := range f.Hunks {
			out = append(out, strings.TrimPrefix(f.URI, uriOf(r.dir)+"/")+": "+strings.TrimSpace(h.OldText)+">"+strings.TrimSpace(h.NewText))
		}
	}
	return strings.Join(out, ", ")
}

const bothPending = "a.txt: two>TWO, a.txt: five>FIVE"

// TestFileOperationsAreAskedFor guards the capability by which an editor tells of files and folders that its user renames.
func TestFileOperationsAreAskedFor(t *testing.T) {
	var caps struct {
		Workspace struct {
			FileOperations map[string]struct {
				Filters []struct {
					Scheme  string `json:"scheme"`
					Pattern struct {
						Glob    string `json:"glob"`
						Matches string `json:"matches"` // files or folders only
					} `json:"pattern"`
				} `json:"filters"`
			} `json:"fileOperations"`
		} `json:"workspace"`
	}
	raw, err := json.Marshal((&server{config: newConfig(bridge.Config{})}).capabilities().Capabilities)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &caps); err != nil {
		t.Fatal(err)
	}
	ops := caps.Workspace.FileOperations
	for _, name := range []string{"didCreate", "didRename", "didDelete"} {
		f := ops[name].Filters
		if len(f) != 1 || f[0].Scheme != "file" || f[0].Pattern.Glob != "**" || f[0].Pattern.Matches != "" {
			t.Errorf("%s is asked for as %+v", name, f)
		}
	}
	if len(ops) != 3 {
		t.Errorf("asked for: %v", ops) // an editor waits for an answer to a will*
	}
}

// TestARenameInTheEditorTakesTheHunksAlong guards the wire: what is pending has the new name, also of a file in a folder that was
// renamed, and its diagnostics go with it.
func TestARenameInTheEditorTakesTheHunksAlong(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes})
	r.allowing("Allow once")
	u := r.open(r.dir + "/a.txt")
	r.turn("change it")
	r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	r.put(t, "a.txt", r.text(u))
	r.notify("textDocument/didSave", obj{"textDocument": obj{"uri": u}})
	if err := os.Rename(r.dir+"/a.txt", r.dir+"/b.txt"); err != nil {
		t.Fatal(err)
	}
	b := uriOf(r.dir + "/b.txt")
	r.closeDoc(u)
	r.notify("workspace/didRenameFiles", obj{"files": []obj{{"oldUri": u, "newUri": b}, {"oldUri": "untitled:1", "newUri": b}, {"oldUri": "", "newUri": ""}}})
	r.awaitDiagnostics(b, "pending-edit", "pending-edit")
	r.awaitDiagnostics(u)
	if got := r.pending(); got != strings.ReplaceAll(bothPending, "a.txt", "b.txt") {
		t.Errorf("pending: %s", got)
	}
	r.notify("workspace/didRenameFiles", obj{"files": []obj{{"oldUri": u, "newUri": b}}}) // by somebody else as well
	if got := r.pending(); got != strings.ReplaceAll(bothPending, "a.txt", "b.txt") {
		t.Errorf("told twice, pending: %s", got)
	}
	if err := os.Mkdir(r.dir+"/d", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(r.dir+"/b.txt", r.dir+"/d/b.txt"); err != nil {
		t.Fatal(err)
	}
	r.notify("workspace/didRenameFiles", obj{"files": []obj{{"oldUri": b, "newUri": b[:len(b)-len("b.txt")] + "d/b.txt"}}})
	if err := os.Rename(r.dir+"/d", r.dir+"/ö e"); err != nil {
		t.Fatal(err)
	}
	r.notify("workspace/didRenameFiles", obj{"files": []obj{{"oldUri": uriOf(r.dir + "/d"), "newUri": uriOf(r.dir) + "/%C3%B6%20e"}}})
	last := uriOf(r.dir + "/ö e/b.txt")
	r.awaitDiagnostics(last, "pending-edit", "pending-edit")
	r.command("undoAll", obj{"uri": last}, nil)
	r.awaitDiagnostics(last)
	data, err := os.ReadFile(r.dir + "/ö e/b.txt")
	if err != nil || string(data) != before["a.txt"] {
		t.Errorf("undone, it is %q, %v", data, err)
	}
	if got := r.pending(); got != "" {
		t.Errorf("pending: %s", got)
	}
}

// TestADeletionInTheEditorLeavesNothingToDecide guards the wire of the user's own deletions.
func TestADeletionInTheEditorLeavesNothingToDecide(t *testing.T) {
	r := newRig(t, setup{files: before, script: writes})
	r.allowing("Allow once")
	u := uriOf(r.dir + "/a.txt")
	r.turn("change it")
	r.awaitDiagnostics(u, "pending-edit", "pending-edit")
	r.notify("workspace/didDeleteFiles", obj{"files": []obj{{"uri": u}}}) // not true
	if got := r.pending(); got != bothPending {
		t.Errorf("pending: %s", got)
	}
	if err := os.Remove(r.dir + "/a.txt"); err != nil {
		t.Fatal(err)
	}
	r.notify("workspace/didDeleteFiles", obj{"files": []obj{{"uri": u}}})
	r.awaitDiagnostics(u)
	r.put(t, "a.txt", "mine\n")
	r.notify("workspace/didCreateFiles", obj{"files": []obj{{"uri": u}}})
	if got := r.pending(); got != "" {
		t.Errorf("pending: %s", got)
	}
}

// TestABufferThatIsThrownAwayTakesItsHunksAlong guards "Don't save" through the wire: what was in the buffer alone is no longer
// pending, under whichever name the editor has opened the file, and of two buffers of one file the one that is left counts.
func TestABufferThatIsThrownAwayTakesItsHunksAlong(t *testing.T) {
	typed := before["a.txt"] + "mine\n"
	open := func(t *testing.T, name string) (r *rig, u string) {
		r = newRig(t, setup{files: before, script: writes})
		if err := links.Make(t, "a.txt", filepath.Join(r.dir, "link.txt")); err != nil {
			t.Fatal(err)
		}
		r.allowing("Allow once")
		u = r.open(filepath.Join(r.dir, name))
		r.type_(u, typed)
		return r, u
	}
	change := func(r *rig, u string) {
		r.turn("change it")
		r.awaitDiagnostics(u, "pending-edit", "pending-edit")
		if data, _ := os.ReadFile(r.dir + "/a.txt"); string(data) != before["a.txt"] {
			r.t.Fatalf("the user's unsaved text was saved: %q", data)
		}
	}
	for _, name := range []string{"a.txt", "link.txt"} {
		t.Run("opened as "+name, func(t *testing.T) {
			r, u := open(t, name)
			change(r, u)
			r.closeDoc(u)
			if got := r.pending(); got != "" {
				t.Errorf("pending: %s", got)
			}
			u = r.open(r.dir + "/a.txt")
			r.awaitDiagnostics(u)
		})
	}
	t.Run("the other name stays open", func(t *testing.T) {
		r, u := open(t, "a.txt")
		other := r.open(r.dir + "/link.txt") // as it is on disk
		change(r, u)
		r.closeDoc(u)
		if got := r.pending(); got != "" {
			t.Errorf("pending: %s", got)
		}
		r.closeDoc(other)
		if got := r.pending(); got != "" {
			t.Errorf("pending: %s", got)
		}
	})
	t.Run("the other name is closed", func(t *testing.T) {
		r, u := open(t, "a.txt")
		other := r.open(r.dir + "/link.txt")
		change(r, u)
		r.closeDoc(other)
		if got := r.pending(); got != bothPending {
			t.Errorf("pending: %s", got)
		}
		r.command("undoAll", obj{"uri": u}, nil)
		r.awaitText(u, typed)
	})
}
