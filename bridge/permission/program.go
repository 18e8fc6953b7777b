package permission

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
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// contentOf says what a command runs: each of its programs by the path that its links lead to. Of one in the session's
// folders it has the hash of what is in it (CVE-2025-54136), of another the size and the time. Text that is not saved counts
// too, a flush may come before the command. Where other words are links, it has what they lead to: an answer that was given for
// good is not for another file. It is "" if no program was found: the shell has it built in. What is in the files but is left out.
func (g *Gate) contentOf(argv []string, dir string, env []policy.EnvVar, but ...string) string {
	var out []string
	for _, path := range g.programsOf(argv, dir, env) {
		out = append(out, g.contentOfFile(path, but...))
	}
	for _, l := range g.linkedWords(argv, dir) {
		out = append(out, l.word+"->"+l.real)
	}
	return strings.Join(out, " ")
}

// linkedWord is a word of a command that names a file or folder in the session's folders by a link, or below one.
type linkedWord struct{ word, real string }

// linkedWords are those that follow the program, each once. What the link leads to need not exist.
func (g *Gate) linkedWords(argv []string, dir string) (out []linkedWord) {
	if len(argv) == 0 {
		return nil
	}
	words := argv[1:]
	if line := policy.LineOf(argv); line != "" {
		words = []string{line}
	}
	roots, cwd := g.Roots(), g.realCwd()
	for _, path := range namedPaths(words, dir) {
		path = filepath.Clean(path)
		t, err := g.Resolve(path)
		if rel, ok := relative(g.Cwd, path); err != nil || t.Real == path || ok && t.Real == filepath.Join(cwd, rel) || !inFolders(roots, path) {
			continue
		}
		if l := (linkedWord{path, t.Real}); !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// contentOfFile says what is in a file; nothing of the files but.
func (g *Gate) contentOfFile(path string, but ...string) string {
	t, err := g.Resolve(path)
	if slices.Contains(but, t.Real) {
		return t.Real
	}
	if err != nil || t.Info == nil || !t.Info.Mode().IsRegular() {
		return policy.UnknownContent + path
	}
	seen := fmt.Sprintf("%s(%d bytes of %d)", t.Real, t.Info.Size(), t.Info.ModTime().UnixNano())
	if t.Outside {
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
	if snap, open := g.all.Overlay.Lookup(t.Real); open && snap.Dirty {
		fmt.Fprint(h, "\x00", snap.Text.String())
	}
	return t.Real + "(sha256:" + hex.EncodeToString(h.Sum(nil)) + ")"
}

// programsOf are the paths of the programs that a command starts, as far as its words tell: the first, and the first of the
// line that it has a shell run.
func (g *Gate) programsOf(argv []string, dir string, env []policy.EnvVar) (paths []string) {
	if len(argv) == 0 {
		return nil
	}
	words := argv[:1]
	if fields := strings.Fields(policy.LineOf(argv)); len(fields) > 0 {
		words = []string{argv[0], fields[0]}
	}
	for _, word := range words {
		if path := programAt(word, dir, g.all.searchPath(env)); path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// programAt is the path of a program, looked for in the folders of search; "" if there is none.
func programAt(word, dir, search string) string {
	if strings.ContainsAny(word, `/\`) {
		if !filepath.IsAbs(word) {
			word = filepath.Join(dir, word)
		}
		if _, err := os.Stat(word); err != nil {
			return ""
		}
		return word
	}
	for _, folder := range filepath.SplitList(search) {
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

// searchPath is the PATH of a command with these variables.
func (a *Authority) searchPath(env []policy.EnvVar) string {
	for _, v := range slices.Backward(env) {
		if strings.EqualFold(v.Name, "PATH") {
			return v.Value
		}
	}
	for i := len(a.Env) - 1; i >= 0; i-- {
		if name, value, _ := strings.Cut(a.Env[i], "="); strings.EqualFold(name, "PATH") {
			return value
		}
	}
	return ""
}

// namedFiles says what is in the files of the session's folders that the words of a command name from its folder: a script
// behind an interpreter, a makefile, the second program of a line. What those name in turn is not looked at.
func (g *Gate) namedFiles(argv []string, dir string, but ...string) string {
	var out []string
	seen, left := map[string]bool{}, int64(maxNamedFiles)
	for _, path := range namedPaths(argv, dir) {
		fi, err := os.Stat(path)
		if err != nil || !fi.Mode().IsRegular() || seen[path] {
			continue
		}
		seen[path] = true
		if left -= fi.Size(); left < 0 { // of many large files the size and the time have to do
			out = append(out, fmt.Sprintf("%s(%d bytes of %d)", path, fi.Size(), fi.ModTime().UnixNano()))
			continue
		}
		if t, err := g.Resolve(path); err == nil && !t.Outside {
			out = append(out, g.contentOfFile(path, but...))
		}
	}
	return strings.Join(out, " ")
}

// namedPaths are the paths that the words of a command may be, those of a line among them.
func namedPaths(argv []string, dir string) (paths []string) {
	for _, word := range argv {
		words := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(notInPaths, r) })
		for _, w := range append(words, word) {
			if w == "" || len(w) > disk.MaxPath {
				continue
			}
			if !filepath.IsAbs(w) {
				w = filepath.Join(dir, w)
			}
			paths = append(paths, w)
		}
	}
	return paths
}

// notInPaths are characters that end a path in a line for the shell, and in arguments such as --file=x.
const notInPaths = " \t\r\n|&;<>()$`\"'={},:@"
