package fsproxytest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder is the real disk as an editor uses it.
type Folder struct{}

// Load implements Files.
func (Folder) Load(path string) (string, bool) {
	b, err := os.ReadFile(path)
	return string(b), err == nil
}

// Store implements Files: in place, as Helix and others do.
func (Folder) Store(path, text string) error {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), mode)
}
