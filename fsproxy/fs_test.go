package fsproxy_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

func TestClosedFileIsSavedOnDisk(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		p := w.put("a", "\uFEFFone\r\ntwo\r\nlast")
		if err := os.Chmod(p, 0o750); err != nil {
			t.Fatal(err)
		}
		r := w.ok(w.edit("a", "two\nl", "TWO\nmore\nl"))
		w.want("disk", w.onDisk("a"), "\uFEFFone\r\nTWO\r\nmore\r\nlast")
		if info, _ := os.Stat(p); info.Mode().Perm() != modeOf(0o750) {
			t.Errorf("mode %v", info.Mode())
		}
		if r.Outcome != fsproxy.Applied || !r.Saved || r.Created || r.After.Text.String() != "one\r\nTWO\r\nmore\r\nlast" {
			t.Errorf("%+v", r)
		}
		w.want("begin", strings.Join(w.begun, "|"), "one\r\ntwo\r\nlast → one\r\nTWO\r\nmore\r\nlast")
		w.want("buffer", w.inBuffer("a"), "!not open")
	})
}

func TestNewFile(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		r := w.ok(w.write("r", "new/deep/a", "x\n"))
		w.want("disk", w.onDisk("new/deep/a"), "x\n")
		if !r.Created || r.Before.Exists || len(r.Folders) != 2 {
			t.Errorf("%+v", r)
		}
		w.want("begin", w.begun[0], "none → x\n")
		r, err := w.fs.Write(t.Context(), fsproxy.WriteRequest{Path: w.path("sh"), Text: "#!\n", Mode: 0o755, BOM: true})
		w.ok(r, err)
		if info, _ := os.Stat(w.path("sh")); info.Mode().Perm() != modeOf(0o755) {
			t.Errorf("mode %v", info.Mode())
		}
		w.want("mark", w.onDisk("sh"), "\uFEFF#!\n")
		w.ok(w.write("r", "empty", ""))
		w.want("empty", w.onDisk("empty"), "")
	})
}

func TestMissingFileIsSilentlyMissing(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		for range 100 {
			if _, err := w.fs.Read(t.Context(), "r", w.path("none/at/all")); !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, fsproxy.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if _, err := w.edit("none", "a", "b"); !errors.Is(err, fsproxy.ErrNotExist) {
			t.Error(err)
		}
	})
}

func TestCleanBufferIsEditedAndSaved(t *testing.T) {
	for _, kind := range fsproxytest.Kinds {
		t.Run(kind.String(), func(t *testing.T) {
			eachWorld(t, kind, func(w *world) {
				p := w.put("a", "one\ntwo\n")
				w.editor.Open(p)
				w.want("read", w.read("r", "a"), "one\ntwo\n")
				r := w.ok(w.edit("a", "two", "TWO"))
				w.want("buffer", w.inBuffer("a"), "one\nTWO\n")
				w.want("disk", w.onDisk("a"), "one\nTWO\n")
				if r.Outcome != fsproxy.Applied || !r.Saved || r.After.Dirty {
					t.Errorf("%+v", r)
				}
			})
		})
	}
}

func TestEditorThatCannotSaveKeepsTheBufferModified(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		p := w.put("a", "one\r\ntwo\r\n")
		w.editor.CannotSave = true
		w.editor.Open(p)
		r := w.ok(w.edit("a", "two", "TWO"))
		w.want("buffer", w.inBuffer("a"), "one\r\nTWO\r\n")
		w.want("disk", w.onDisk("a"), "one\r\ntwo\r\n")
		if r.Saved || !r.After.Dirty || len(r.Notes) > 0 {
			t.Errorf("%+v", r)
		}
		if err := w.fs.Flush(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		w.want("disk after flush", w.onDisk("a"), "one\r\nTWO\r\n")
		if s, _ := w.overlay.Lookup(p); s.Dirty {
			t.Error("dirty after flush")
		}
	})
}

func TestDirtyBufferIsMergedIntoAndTheDiskLeftAlone(t *testing.T) {
	for _, kind := range fsproxytest.Kinds {
		t.Run(kind.String(), func(t *testing.T) {
			eachWorld(t, kind, func(w *world) {
				p := w.put("a", "one\ntwo\nthree\n")
				w.editor.Open(p)
				w.editor.Type(p, 14, "mine, unsaved\n")
				r := w.ok(w.edit("a", "two", "TWO"))
				w.want("buffer", w.inBuffer("a"), "one\nTWO\nthree\nmine, unsaved\n")
				w.want("disk", w.onDisk("a"), "one\ntwo\nthree\n")
				if r.Saved || r.Outcome != fsproxy.Applied {
					t.Errorf("%+v", r)
				}
			})
		})
	}
}

func TestFormatOnSave(t *testing.T) {
	for _, kind := range fsproxytest.Kinds {
		t.Run(kind.String(), func(t *testing.T) {
			eachWorld(t, kind, func(w *world) {
				w.editor.Format = func(s string) string { return strings.ReplaceAll(s, "b", " b ") }
				p := w.put("a", "one\n")
				w.editor.Open(p)
				seen := w.read("r", "a")
				r := w.ok(w.write("r", "a", seen+"a+b\n"))
				w.want("buffer", w.inBuffer("a"), "one\na+ b \n")
				w.want("disk", w.onDisk("a"), "one\na+ b \n")
				if !r.Saved || r.Outcome != fsproxy.Applied || r.After.Text.String() != "one\na+ b \n" {
					t.Errorf("%+v, after %q", r, r.After.Text)
				}
				w.ok(w.write("r", "a", "zero\n"+seen+"a+b\n")) // the agent does not know of the formatter
				w.want("buffer", w.inBuffer("a"), "zero\none\na+  b  \n")
			})
		})
	}
}

// Neovim shows no carriage returns; the file keeps them.
func TestEditorThatHidesCarriageReturns(t *testing.T) {
	eachWorld(t, fsproxytest.Neovim, func(w *world) {
		p := w.put("a", "one\r\ntwo\r\nthree\r\n")
		w.editor.Open(p)
		w.ok(w.edit("a", "two\r\nthree", "TWO\r\nand\r\nthree"))
		w.want("buffer", w.inBuffer("a"), "one\nTWO\nand\nthree\n")
		w.want("disk", w.onDisk("a"), "one\r\nTWO\r\nand\r\nthree\r\n")
		w.editor.Type(p, 0, "typed\n")
		w.ok(w.write("oc", "a", "one\r\nTWO\r\nand\r\n3\r\n"))
		w.want("written from the disk's text", w.inBuffer("a"), "typed\none\nTWO\nand\n3\n")
		w.editor.CannotSave = true
		if err := w.fs.Flush(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		w.want("flushed", w.onDisk("a"), "typed\r\none\r\nTWO\r\nand\r\n3\r\n")
	})
}

func TestLFReachesCRLFBuffer(t *testing.T) {
	for _, kind := range []fsproxytest.Kind{fsproxytest.Helix, fsproxytest.VSCode, fsproxytest.Kak} {
		eachWorld(t, kind, func(w *world) {
			p := w.put("a", "one\r\ntwo\r\n\r\nlast")
			w.editor.Open(p)
			w.ok(w.edit("a", "one\ntwo\n", "one\n1.5\ntwo\n"))
			w.want("buffer", w.inBuffer("a"), "one\r\n1.5\r\ntwo\r\n\r\nlast")
			w.ok(w.write("r", "a", "one\n1.5\nTWO\n\nlast"))
			w.want("disk", w.onDisk("a"), "one\r\n1.5\r\nTWO\r\n\r\nlast")
		})
	}
}

func TestOutsideNeedsPermission(t *testing.T) {
	w := newWorld(t, fsproxytest.Honest, false)
	other := newWorld(t, fsproxytest.Honest, false)
	p := other.put("x", "secret\n")
	if _, err := w.fs.Read(t.Context(), "r", p); !errors.As(err, new(*disk.OutsideError)) {
		t.Errorf("read: %v", err)
	}
	if _, err := w.fs.Write(t.Context(), fsproxy.WriteRequest{Path: p, Text: "x"}); !errors.As(err, new(*disk.OutsideError)) {
		t.Errorf("write: %v", err)
	}
	if s, err := w.fs.Read(t.Context(), "r", p, fsproxy.WithOutside()); err != nil || s.Text.String() != "secret\n" {
		t.Errorf("read with permission: %v", err)
	}
	if _, err := w.fs.Edit(t.Context(), fsproxy.EditRequest{Path: p, Old: "secret", New: "told", Outside: true}); err != nil {
		t.Errorf("edit with permission: %v", err)
	}
	if err := links.Make(t, w.path("nothing"), w.path("dangling")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.write("r", "dangling", "x"); err == nil || w.onDisk("nothing") == "x" {
		t.Errorf("wrote through a dangling link: %v", err)
	}
}

func TestBeginCanStopAChange(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		p := w.put("a", "one\n")
		no := errors.New("journal is full")
		req := fsproxy.WriteRequest{Path: p, Text: "two\n", Begin: func(*fsproxy.Snapshot, string) error { return no }}
		if _, err := w.fs.Write(t.Context(), req); !errors.Is(err, no) {
			t.Error(err)
		}
		w.editor.Open(p)
		if _, err := w.fs.Write(t.Context(), req); !errors.Is(err, no) {
			t.Error(err)
		}
		w.want("buffer", w.inBuffer("a"), "one\n")
		w.want("disk", w.onDisk("a"), "one\n")
	})
}

func TestRemoveAndRename(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		p := w.put("a", "one\n")
		req := fsproxy.ChangeRequest{Path: p, Begin: w.begin}
		if err := w.fs.Remove(t.Context(), req, "other\n"); !errors.Is(err, fsproxy.ErrChanged) {
			t.Error(err)
		}
		if err := w.fs.Rename(t.Context(), req, w.path("d/b")); err != nil {
			t.Fatal(err)
		}
		w.want("renamed", w.onDisk("d/b"), "one\n")
		req.Path = w.path("d/b")
		w.editor.Open(req.Path)
		w.editor.Type(req.Path, 0, "unsaved")
		if err := w.fs.Remove(t.Context(), req, "one\n"); !errors.Is(err, fsproxy.ErrConflict) {
			t.Errorf("with unsaved text: %v", err)
		}
		if err := w.fs.Rename(t.Context(), req, w.path("c")); !errors.Is(err, fsproxy.ErrConflict) {
			t.Errorf("with unsaved text: %v", err)
		}
		w.editor.Close(req.Path)
		w.put("c", "there\n")
		if err := w.fs.Rename(t.Context(), req, w.path("c")); !errors.Is(err, fsproxy.ErrExist) {
			t.Errorf("over a file: %v", err)
		}
		if err := w.fs.Remove(t.Context(), req, "one\n"); err != nil {
			t.Fatal(err)
		}
		w.want("removed", w.onDisk("d/b")[:1], "!")
		if err := w.fs.Remove(t.Context(), req, "one\n"); !errors.Is(err, fsproxy.ErrNotExist) {
			t.Error(err)
		}
		w.want("begun", strings.Join(w.begun, "|"), "one\n → one\n|one\n → one\n|one\n → ")
	})
}

func TestNoEditorNoBufferEdits(t *testing.T) {
	w := newWorld(t, fsproxytest.Honest, false)
	f := fsproxy.New(fsproxy.Config{Disk: w.disk, Overlay: w.overlay})
	defer f.Close()
	p := w.put("a", "one\n")
	w.editor.Open(p)
	if _, err := f.Write(t.Context(), fsproxy.WriteRequest{Path: p, Text: "two\n"}); !errors.Is(err, fsproxy.ErrRefused) {
		t.Error(err)
	}
}
