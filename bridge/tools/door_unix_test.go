//go:build unix

package tools

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rs/zerolog"
)

func TestNobodyElseCanEnterWhateverTheUmask(t *testing.T) {
	base := t.TempDir()
	defer syscall.Umask(syscall.Umask(0))
	s, err := Listen(filepath.Join(base, "run"), newFakeHost(), allTools, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Mint(); err != nil {
		t.Fatal(err)
	}
	want := map[string]fs.FileMode{filepath.Join(base, "run"): 0o700, s.folder: 0o700, s.Socket(): 0o600}
	files, err := filepath.Glob(filepath.Join(s.folder, tokenPrefix+"*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("tokens %v, %v", files, err)
	}
	want[files[0]] = 0o600
	for path, mode := range want {
		info, err := os.Lstat(path)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode().Perm(), err, mode)
		}
	}
	syscall.Umask(0o777) // a umask that takes everything away must not lock us out
	s2, err := Listen(base, newFakeHost(), allTools, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	if err := s2.Mint(); err != nil {
		t.Fatal(err)
	}
	if _, err := takeToken(s2.folder); err != nil {
		t.Error(err)
	}
	if err := s2.Close(); err != nil {
		t.Error(err)
	}
}
