//go:build unix

package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// TestAnUndoFollowsNoLinkThatWasPutThere: what leads elsewhere since the change was made is another file, whatever text it has.
func TestAnUndoFollowsNoLinkThatWasPutThere(t *testing.T) {
	r, turn := atWork(t, map[string]string{"sub/a.txt": "one\ntwo\n"}, plain)
	if _, err := r.edit(r.link(), "sub/a.txt", "two", "TWO"); err != nil {
		t.Fatal(err)
	}
	r.finish(turn)
	outside := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(outside, []byte("one\nTWO\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(r.path("sub"), r.path("was")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), r.path("sub")); err != nil {
		t.Fatal(err)
	}
	if _, conflicts := r.b.Undo(r.ctx, review.Selector{All: true}); len(conflicts) == 0 {
		t.Error("nobody was told that the file is elsewhere")
	}
	if got, err := os.ReadFile(outside); err != nil || string(got) != "one\nTWO\n" {
		t.Errorf("the file outside has %q, %v", got, err)
	}
}
