//go:build unix

package brought

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPipeIsNoHookAndHoldsNothingUp(t *testing.T) {
	top := tree(t, map[string]string{"r/.github/hooks/a": "", "r/AGENTS.md@": "../pipe"})
	for _, name := range []string{"r/.github/hooks/p.json", "pipe"} {
		if err := syscall.Mkfifo(filepath.Join(top, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, names := find(top, "r")
	if found.Whole || strings.Join(names, " ") != "r/.github/hooks/p.json r/AGENTS.md" || !strings.Contains(strings.Join(found.Notes, "\n"), "is no regular file") {
		t.Errorf("found %q, %+v", names, found)
	}
}
