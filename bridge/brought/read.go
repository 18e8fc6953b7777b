package brought

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// notRead says why a file was not read, as the end of a sentence about it.
type notRead string

func (e notRead) Error() string { return string(e) }

// read is a regular file's content, within the bounds. It never waits for a pipe.
func (f *finder) read(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, notRead("cannot be read: " + reason(err))
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, notRead("cannot be read: " + reason(err))
	case !info.Mode().IsRegular():
		return nil, notRead("is no regular file")
	case info.Size() > maxFile:
		return nil, notRead(fmt.Sprintf("has more than %d bytes", maxFile))
	}
	b, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	f.bytes -= int64(len(b))
	switch {
	case err != nil:
		return nil, notRead("cannot be read: " + reason(err))
	case len(b) > maxFile:
		return nil, notRead(fmt.Sprintf("has more than %d bytes", maxFile))
	case f.bytes < 0:
		return nil, notRead(fmt.Sprintf("is past the first %d bytes that are looked at", maxBytes))
	}
	return b, nil
}

// reason is an error without the path, which the sentence has already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// missing says that there is nothing at a path.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// within says whether a real path is in one of the folders.
func within(roots []string, real string) bool {
	for _, dir := range roots {
		rel, err := filepath.Rel(dir, real)
		if err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// ending and named say whether a name counts. Case is folded, as Copilot does for some of them and some file systems for all.
func ending(suffix string) func(string) bool {
	return func(name string) bool { return strings.HasSuffix(strings.ToLower(name), suffix) }
}

func named(names ...string) func(string) bool {
	return func(name string) bool {
		for _, n := range names {
			if strings.EqualFold(n, name) {
				return true
			}
		}
		return false
	}
}

// candidates are the names to try in a folder that cannot be listed.
func candidates(take func(string) bool) (out []string) {
	for _, name := range []string{".mcp.json", "mcp.json", "lsp.json", "settings.json", "settings.local.json", "AGENTS.md", "CLAUDE.md", "GEMINI.md", "copilot-instructions.md"} {
		if take(name) {
			out = append(out, name)
		}
	}
	return out
}
