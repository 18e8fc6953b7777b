package bridge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// contentOf says what a command runs: each of its programs by the path that its links lead to. Of one in the session's
// folders it has the hash of what is in it (CVE-2025-54136), of another the size and the time. Text that is not saved counts
// too, a flush may come before the command. It is "" if no program was found: the shell has it built in.
func (s *Session) contentOf(argv []string, dir string) string {
	var out []string
	for _, path := range s.programsOf(argv, dir) {
		out = append(out, s.contentOfFile(path))
	}
	return strings.Join(out, " ")
}

func (s *Session) contentOfFile(path string) string {
	t, err := s.resolve(path)
	if err != nil || t.Info == nil || !t.Info.Mode().IsRegular() {
		return policy.UnknownContent + path
	}
	seen := fmt.Sprintf("%s(%d bytes of %d)", t.Real, t.Info.Size(), t.Info.ModTime().UnixNano())
	if t.outside {
		return seen
	}
	unknown := policy.UnknownContent + seen
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
	return t.Real + "(sha256:" + hex.EncodeToString(h.Sum(nil)) + ")"
}

// lineShells are what runs a line, as the bash tool does and a line of an agent's is.
var lineShells = []string{"bash", "sh", "/bin/bash", "/bin/sh"}

// lineOf is the line that a command has a shell run, "" if it is none.
func lineOf(argv []string) string {
	if len(argv) == 3 && argv[1] == "-c" && slices.Contains(lineShells, argv[0]) {
		return argv[2]
	}
	return ""
}

// programsOf are the paths of the programs that a command starts, as far as its words tell: the first, and the first of the
// line that it has a shell run.
func (s *Session) programsOf(argv []string, dir string) (paths []string) {
	if len(argv) == 0 {
		return nil
	}
	words := argv[:1]
	if fields := strings.Fields(lineOf(argv)); len(fields) > 0 {
		words = []string{argv[0], fields[0]}
	}
	for _, word := range words {
		if path := s.programAt(word, dir); path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

func (s *Session) programAt(word, dir string) string {
	if strings.ContainsAny(word, `/\`) {
		if !filepath.IsAbs(word) {
			word = filepath.Join(dir, word)
		}
		if _, err := os.Stat(word); err != nil {
			return ""
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
