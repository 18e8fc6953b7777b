package bridge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// contentOf is the hash of the file of the workspace that a command runs, "" if it runs none: an answer given for good
// holds for what was in the file then (CVE-2025-54136). Text that is not saved counts too, a flush may come before the
// command.
func (s *Session) contentOf(argv []string, dir string) string {
	path := s.programOf(argv, dir)
	if path == "" {
		return ""
	}
	t, err := s.resolve(path)
	if err != nil || t.outside || t.Info == nil || !t.Info.Mode().IsRegular() {
		return ""
	}
	unknown := "unknown:" + s.b.newID("c") // equal to nothing, so that it asks again
	f, err := os.Open(t.Real)
	if err != nil {
		return unknown
	}
	defer f.Close()
	h := sha256.New()
	if n, err := io.Copy(h, io.LimitReader(f, maxProgram+1)); err != nil || n > maxProgram {
		return unknown
	}
	if snap, open := s.b.overlay.Lookup(t.Real); open && snap.Dirty {
		fmt.Fprint(h, "\x00", snap.Text.String())
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// programOf is the path of the program that a command starts, as far as it can lie in the workspace.
func (s *Session) programOf(argv []string, dir string) string {
	if len(argv) == 0 {
		return ""
	}
	word := argv[0]
	if len(argv) >= 3 && argv[1] == "-c" {
		fields := strings.Fields(argv[2])
		if len(fields) == 0 {
			return ""
		}
		word = fields[0]
	}
	if strings.ContainsAny(word, `/\`) {
		if !filepath.IsAbs(word) {
			word = filepath.Join(dir, word)
		}
		return word
	}
	for _, folder := range filepath.SplitList(s.b.searchPath()) {
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(dir, folder)
		}
		path := filepath.Join(folder, word)
		if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() && (fi.Mode()&0o111 != 0 || filepath.Ext(path) != "") {
			return path
		}
	}
	return ""
}

// searchPath is the PATH of commands.
func (b *Bridge) searchPath() string {
	for i := len(b.cfg.Env) - 1; i >= 0; i-- {
		if name, value, _ := strings.Cut(b.cfg.Env[i], "="); strings.EqualFold(name, "PATH") {
			return value
		}
	}
	return ""
}
