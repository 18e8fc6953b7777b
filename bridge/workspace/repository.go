package workspace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// repository is a git repository that a walk goes through: what it ignores beside its .gitignore files, and what it
// tracks, which is never ignored.
type repository struct {
	dir    string // its folder, "" for files that are in none
	gitDir string // where its index is
	base   *rules // .git/info/exclude over core.excludesFile
	index  *trackedFiles
}

// repositoryAt is the repository whose top dir is; nil if it is none.
func repositoryAt(dir string) *repository {
	gitDir := filepath.Join(dir, ".git")
	fi, err := os.Lstat(gitDir)
	if err == nil && fi.Mode()&os.ModeSymlink != 0 {
		fi, err = os.Stat(gitDir)
	}
	if err != nil {
		return nil
	}
	if !fi.IsDir() { // a worktree or a submodule: "gitdir: <path>"
		text, _ := readGit(gitDir, maxIgnoreFile)
		to, ok := strings.CutPrefix(string(text), "gitdir:")
		if !ok {
			return nil
		}
		gitDir = absolute(dir, strings.TrimSpace(to))
	}
	common := gitDir
	if to, err := readGit(filepath.Join(gitDir, "commondir"), maxIgnoreFile); err == nil && len(bytes.TrimSpace(to)) > 0 {
		common = absolute(gitDir, string(bytes.TrimSpace(to)))
	}
	cfg := readGitConfig(common)
	r := &repository{dir: dir, gitDir: gitDir}
	r.base = &rules{dir: dir, fold: cfg.ignoreCase}
	if cfg.excludesFile != "" {
		r.base = r.base.read(cfg.excludesFile, dir, cfg.ignoreCase)
	}
	r.base = r.base.read(filepath.Join(common, "info", "exclude"), dir, cfg.ignoreCase)
	return r
}

// around is the repository that dir is in, at its top or below, and the rules of the folders from there down to dir's
// parent. Without a repository only what is below dir counts.
func around(dir string) (*repository, *rules) {
	var chain []string
	for at := dir; ; {
		if repo := repositoryAt(at); repo != nil {
			r := repo.base
			for _, folder := range slices.Backward(chain) {
				r = r.enter(folder)
			}
			return repo, r
		}
		parent := filepath.Dir(at)
		if parent == at {
			return &repository{}, nil
		}
		chain = append(chain, parent)
		at = parent
	}
}

// tracks says whether git tracks a file, or a file in a folder; path is below the repository.
func (r *repository) tracks(path string) bool {
	if r.dir == "" {
		return false
	}
	if r.index == nil {
		r.index = readIndex(filepath.Join(r.gitDir, "index"))
	}
	return r.index.has(filepath.ToSlash(strings.TrimPrefix(path[len(r.dir):], string(filepath.Separator))))
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// readGit reads a file of git's of at most most bytes. A folder of its name is no file: fs.ErrNotExist.
func readGit(path string, most int64) ([]byte, error) {
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case fi.IsDir():
		return nil, fs.ErrNotExist
	case !fi.Mode().IsRegular() || fi.Size() > most:
		return nil, errors.New("not a file that is read")
	}
	return os.ReadFile(path)
}
