package fsproxy_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
)

// opencode edits the disk's text and sends the result, again and again, without
// ever reading through us.
func TestWriteOnlyAgentKeepsUnsavedText(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		const disk = "hello\nworld\nthree\nfour\nfive\n"
		p := w.put("a", disk)
		w.editor.Open(p)
		w.editor.Type(p, 0, "UNSAVED BUFFER\n")
		w.ok(w.write("oc", "a", strings.Replace(disk, "world", "WORLD", 1)))
		w.want("buffer", w.inBuffer("a"), "UNSAVED BUFFER\nhello\nWORLD\nthree\nfour\nfive\n")
		w.ok(w.write("oc", "a", strings.Replace(disk, "four", "FOUR", 1)))
		w.want("second, from the disk again", w.inBuffer("a"), "UNSAVED BUFFER\nhello\nWORLD\nthree\nFOUR\nfive\n")
		// And one that works on from what it wrote.
		w.ok(w.write("oc", "a", strings.Replace(strings.Replace(disk, "four", "FOUR", 1), "five", "FIVE", 1)))
		w.want("third, from its own", w.inBuffer("a"), "UNSAVED BUFFER\nhello\nWORLD\nthree\nFOUR\nFIVE\n")
		_, err := w.write("oc", "a", "all new\n")
		if !errors.Is(err, fsproxy.ErrConflict) {
			t.Errorf("overwriting everything: %v", err)
		}
		w.want("after the conflict", w.inBuffer("a"), "UNSAVED BUFFER\nhello\nWORLD\nthree\nFOUR\nFIVE\n")
		w.want("disk", w.onDisk("a"), disk)
	})
}

// It puts its text on disk before it asks for the write, or after it: the disk is what it started from only in the second
// case. What it had before is known to who looked, or the buffer has had it in common with the disk.
func TestAWriterThatIsOnDiskFirst(t *testing.T) {
	const disk, typed, ours = "one\ntwo\nthree\n", "typed\none\ntwo\nthree\n", "one\nTWO\nthree\n"
	for name, c := range map[string]struct {
		started []string
		clean   bool // the buffer was opened with the disk's text
		want    string
	}{
		"somebody looked":         {started: []string{disk}, want: "typed\none\nTWO\nthree\n"},
		"and once more, too late": {started: []string{disk, ours}, want: "typed\none\nTWO\nthree\n"},
		"the buffer had it":       {clean: true, want: "typed\none\nTWO\nthree\n"},
		"nobody knows":            {},
		"all looks were too late": {started: []string{ours}},
		"line ends tell nothing":  {started: []string{strings.ReplaceAll(ours, "\n", "\r\n")}},
	} {
		t.Run(name, func(t *testing.T) {
			eachWorld(t, fsproxytest.Honest, func(w *world) {
				p := w.put("a", disk)
				if !c.clean {
					w.put("a", typed)
				}
				w.editor.Open(p)
				if c.clean {
					w.editor.Type(p, 0, "typed\n")
				}
				w.put("a", ours)
				if !c.clean { // as an editor that opened it with text that a crash had left
					snap, _ := w.overlay.Lookup(p)
					w.overlay.Close(p)
					w.overlay.Open(p, snap.Version, typed)
				}
				req := fsproxy.WriteRequest{Reader: "oc", Path: p, Text: ours, Started: c.started, Begin: w.begin}
				shown, previewed := w.fs.Preview(w.t.Context(), req)
				_, err := w.fs.Write(w.t.Context(), req)
				if c.want == "" {
					var e *fsproxy.EditError
					if !errors.As(err, &e) || e.Outcome != fsproxy.Conflict || len(e.Conflicts) == 0 || !errors.Is(previewed, fsproxy.ErrConflict) {
						w.t.Errorf("written: %v, previewed: %v", err, previewed)
					}
					w.want("buffer", w.inBuffer("a"), typed)
					return
				}
				if err != nil || previewed != nil {
					w.t.Fatal(err, previewed)
				}
				w.want("shown before", shown.Before.Text.String(), typed)
				w.want("shown after", shown.After, c.want)
				w.want("buffer", w.inBuffer("a"), c.want)
			})
		})
	}
}

// A write of the text that was read asks for nothing. Where the buffer has another one by now the writer is told, and not
// that it was applied.
func TestAWriteThatAsksForNothingIsNotApplied(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		p := w.put("a", "one\n")
		w.editor.Open(p)
		seen := w.read("r", "a")
		w.ok(w.write("r", "a", seen)) // there it is
		w.editor.Type(p, 0, "typed\n")
		if _, err := w.write("r", "a", seen); !errors.Is(err, fsproxy.ErrConflict) || !strings.Contains(err.Error(), "has been changed since") {
			w.t.Errorf("got %v", err)
		}
		w.want("buffer", w.inBuffer("a"), "typed\none\n")
	})
}

func TestReaderWritesFromWhatItWasServed(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		p := w.put("a", "one\ntwo\nthree\nfour\n")
		w.editor.Open(p)
		w.editor.Type(p, 0, "unsaved\n")
		seen := w.read("r", "a")
		w.editor.Type(p, 0, "typed after the read\n")
		r := w.ok(w.write("r", "a", strings.Replace(seen, "three", "THREE", 1)))
		w.want("buffer", w.inBuffer("a"), "typed after the read\nunsaved\none\ntwo\nTHREE\nfour\n")
		if r.Outcome != fsproxy.Applied {
			t.Errorf("outcome %v", r.Outcome)
		}
		// The agent goes on from its own text, and may take out what it was served.
		w.ok(w.write("r", "a", strings.Replace(strings.Replace(seen, "three", "THREE", 1), "unsaved\n", "", 1)))
		w.want("buffer", w.inBuffer("a"), "typed after the read\none\ntwo\nTHREE\nfour\n")
	})
}

func TestConflictKeepsBothSidesAndChangesNothing(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		p := w.put("a", "one\ntwo\nthree\n")
		w.editor.Open(p)
		seen := w.read("r", "a")
		w.editor.Replace(p, 4, 7, "user's")
		_, err := w.write("r", "a", strings.Replace(seen, "two", "agent's", 1))
		var e *fsproxy.EditError
		if !errors.As(err, &e) || !errors.Is(err, fsproxy.ErrConflict) || e.Outcome != fsproxy.Conflict {
			t.Fatalf("got %v", err)
		}
		if !strings.Contains(err.Error(), "user's") || !strings.Contains(err.Error(), "agent's") || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("the error does not show both sides: %v", err)
		}
		w.want("buffer", w.inBuffer("a"), "one\nuser's\nthree\n")
		w.want("disk", w.onDisk("a"), "one\ntwo\nthree\n")
		if len(w.begun) > 0 || len(e.Conflicts) != 1 {
			t.Errorf("begun %q, conflicts %+v", w.begun, e.Conflicts)
		}
	})
}

func TestClosedFileThatChangedSinceItWasRead(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		w.put("a", "one\n")
		w.read("r", "a")
		w.put("a", "other\n")
		_, err := w.write("r", "a", "ONE\n")
		if !errors.Is(err, fsproxy.ErrChanged) || !strings.Contains(err.Error(), "read it again") {
			t.Fatal(err)
		}
		w.want("disk", w.onDisk("a"), "other\n")
		w.read("r", "a")
		w.ok(w.write("r", "a", "ONE\n"))
		w.ok(w.write("r", "a", "TWO\n")) // its own text is no surprise
		w.want("disk", w.onDisk("a"), "TWO\n")
		if err := os.Remove(w.path("a")); err != nil {
			t.Fatal(err)
		}
		if _, err := w.write("r", "a", "THREE\n"); !errors.Is(err, fsproxy.ErrChanged) {
			t.Errorf("removed since: %v", err)
		}
		if _, err := w.fs.Read(t.Context(), "r", w.path("a")); !errors.Is(err, fsproxy.ErrNotExist) {
			t.Error(err)
		}
		w.ok(w.write("r", "a", "THREE\n"))
	})
}

func TestGivenBaseIsMergedOnDiskToo(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		w.put("a", "typed\none\ntwo\n")
		base := "one\ntwo\n"
		write := func(text string) error {
			_, err := w.fs.Write(t.Context(), fsproxy.WriteRequest{Path: w.path("a"), Text: text, Base: &base})
			return err
		}
		if err := write("one\nTWO\n"); err != nil {
			t.Fatal(err)
		}
		w.want("disk", w.onDisk("a"), "typed\none\nTWO\n")
		if err := write("one\n2\n"); !errors.Is(err, fsproxy.ErrConflict) {
			t.Error(err)
		}
		base = ""
		if err := write("a file made\n"); !errors.Is(err, fsproxy.ErrConflict) {
			t.Error(err)
		}
	})
}

func TestDiskThatChangedUnderACleanBuffer(t *testing.T) {
	eachWorld(t, fsproxytest.Honest, func(w *world) {
		p := w.put("a", "one\ntwo\nthree\n")
		w.editor.Open(p)
		w.put("a", "one\ntwo\nthree\nfrom a formatter\n")
		w.ok(w.edit("a", "one", "ONE"))
		w.want("buffer", w.inBuffer("a"), "ONE\ntwo\nthree\nfrom a formatter\n")
		w.want("disk", w.onDisk("a"), "ONE\ntwo\nthree\nfrom a formatter\n")

		// What a command did to the disk is brought into the buffer.
		base := w.onDisk("a")
		w.put("a", "ONE\ntwo\n3\nfrom a formatter\n")
		r, err := w.fs.Write(t.Context(), fsproxy.WriteRequest{Path: p, Text: w.onDisk("a"), Base: &base})
		w.ok(r, err)
		w.want("buffer", w.inBuffer("a"), "ONE\ntwo\n3\nfrom a formatter\n")
		if !r.Saved || r.After.Dirty {
			t.Errorf("%+v", r)
		}

		w.put("a", "1\ntwo\n3\nfrom a formatter\n")
		if _, err := w.edit("a", "ONE", "one"); !errors.Is(err, fsproxy.ErrConflict) {
			t.Errorf("the same line: %v", err)
		}
		if err := os.Remove(p); err != nil {
			t.Fatal(err)
		}
		r = w.ok(w.edit("a", "two", "TWO"))
		if r.Saved {
			t.Error("a removed file was brought back")
		}
		w.want("buffer", w.inBuffer("a"), "ONE\nTWO\n3\nfrom a formatter\n")
	})
}
