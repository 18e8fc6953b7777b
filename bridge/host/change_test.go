package host

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

func TestAWriteGoesOnlyWhereItWasAskedFor(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a, b := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
	for _, path := range []string{a, b} {
		if err := os.WriteFile(path, []byte("one\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	untouched := func() bool {
		text, err := os.ReadFile(b)
		return err == nil && string(text) == "one\n"
	}
	s := serviceOf(t, dir)
	s.Gate.SetLevel(policy.LevelEdits) // so that nothing but the name is in the way
	target, err := s.Gate.Resolve(a)
	if err != nil {
		t.Fatal(err)
	}
	old := "one\n"
	whole, part := permission.ChangeGrant(target, 0, &old, "two"), permission.ChangeGrant(target, 0, &old, "two\n")
	target.Path = b // as if the name had come to lead there at the last moment
	if _, err := s.write(t.Context(), target, "two", nil, whole); err == nil || !untouched() {
		t.Errorf("written: %v", err)
	}
	if _, err := s.edit(t.Context(), target, "one", "two", part); err == nil || !untouched() {
		t.Errorf("edited: %v", err)
	}
	if snap, err := s.read(t.Context(), target); err == nil {
		t.Errorf("read: %q", snap.Text.String())
	}
	target.Path = a
	if _, err := s.write(t.Context(), target, "two", nil, whole); err != nil {
		t.Errorf("where it was asked for: %v", err)
	}
}
