package fsproxy_test

import (
	"errors"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
)

// TestASaveLosesNothingThatIsOnDisk guards that a buffer with unsaved text is saved over a file that was changed on disk only where the
// buffer has that change too, as where an agent writes the disk and asks for the same edit of the buffer.
func TestASaveLosesNothingThatIsOnDisk(t *testing.T) {
	const before, buffer = "one\ntwo\nthree\n", "one\nTWO\nthree\nmine, unsaved\n"
	for name, c := range map[string]struct {
		onDisk string
		lost   bool
	}{
		"the same change":         {"one\nTWO\nthree\n", false},
		"all that the buffer has": {buffer, false},
		"another line":            {"ONE\nTWO\nthree\n", true},
		"the line otherwise":      {"one\nZWEI\nthree\n", true},
		"a line less":             {"one\nTWO\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			eachWorld(t, fsproxytest.Honest, func(w *world) {
				p := w.put("a", before)
				w.editor.Open(p)
				w.editor.Type(p, 14, "mine, unsaved\n")
				w.ok(w.edit("a", "two", "TWO"))
				w.put("a", c.onDisk)
				err := w.fs.Flush(t.Context(), p)
				w.want("buffer", w.inBuffer("a"), buffer)
				if !c.lost {
					if err != nil {
						t.Error(err)
					}
					w.want("disk", w.onDisk("a"), buffer)
					return
				}
				if edit := (*fsproxy.EditError)(nil); !errors.As(err, &edit) || edit.Outcome != fsproxy.Conflict {
					t.Errorf("%v, want a conflict", err)
				}
				w.want("disk", w.onDisk("a"), c.onDisk)
			})
		})
	}
}
