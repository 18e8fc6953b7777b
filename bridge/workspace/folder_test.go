package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func folder(t testing.TB) (*Index, string) {
	t.Helper()
	dir := t.TempDir()
	x, err := NewIndex(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x, dir
}

// told is what a look after a command finds, as "kind name from: before → after".
func told(t testing.TB, x *Index) (out []string) {
	t.Helper()
	list, _, err := x.After(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		rel, _ := filepath.Rel(x.dir, c.Path)
		line := string(c.Kind) + " " + filepath.ToSlash(rel)
		if c.From != "" {
			from, _ := filepath.Rel(x.dir, c.From)
			line += " from " + filepath.ToSlash(from)
		}
		switch {
		case !c.HasBefore:
			line += ": ?"
		case len(c.Before) < 100:
			line += ": " + string(c.Before)
		}
		if c.HasAfter && len(c.After) < 100 {
			line += " → " + string(c.After)
		}
		out = append(out, line)
	}
	return out
}

func before(t testing.TB, x *Index, h Hints) {
	t.Helper()
	if err := x.Before(t.Context(), h); err != nil {
		t.Fatal(err)
	}
}
