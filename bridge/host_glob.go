package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

// Glob implements [tools.Host]: the names of files, in the session's folders or where the user lets it look. The agent's own
// tool names files anywhere on the machine without a question.
func (l *link) Glob(ctx context.Context, c tools.Caller, a tools.GlobArgs) (string, error) {
	return l.call(ctx, c, "glob", map[string]any{"pattern": a.Pattern}, func(ctx context.Context, s *Session, _ *toolUse) (string, error) {
		if len(a.Pattern) > maxGlobPattern || choices(a.Pattern) > maxGlobChoices {
			return "", errors.New("Error: rg: the glob is too long or has too many alternatives; use a simpler one")
		}
		paths := a.Paths
		if len(paths) == 0 {
			paths = []string{""}
		}
		q := nameSearch{s: s, pattern: a.Pattern, seen: map[string]bool{}}
		for _, given := range paths {
			if err := q.path(ctx, given); err != nil {
				return "", err
			}
		}
		slices.Sort(q.names)
		return tools.GlobText(q.names, q.more), nil
	})
}

// choices is at least how many patterns the braces of a glob stand for, as far as that matters.
func choices(glob string) int {
	n := 1
	for part := range strings.SplitSeq(glob, "{") {
		n *= strings.Count(part, ",") + 1
		if n > maxGlobChoices {
			break
		}
	}
	return n
}

// nameSearch is one run of glob.
type nameSearch struct {
	s       *Session
	pattern string
	names   []string
	seen    map[string]bool // paths
	more    bool
}

// path searches below a folder, or looks at one file. Outside the session's folders it is asked about, as a read of the folder
// is; what lies behind links is not searched. Ignored files are found only below a folder that is named itself.
func (q *nameSearch) path(ctx context.Context, given string) error {
	t, err := q.s.resolve(cmp.Or(given, q.s.Cwd))
	if err != nil {
		return err
	}
	if !t.Exists && !q.s.isOpen(t) {
		return errors.New(tools.NoSuchSearchPath(given))
	}
	if err := q.s.permitRead(ctx, "glob", t); err != nil {
		return err
	}
	if t.Info == nil || !t.Info.IsDir() {
		q.file(filepath.Dir(t.Path), t.Path, t.Path, given)
		return nil
	}
	err = workspace.Walk(ctx, t.Real, func(path string, _ fs.DirEntry) error {
		if q.file(t.Real, path, t.Real, given); q.more {
			return workspace.ErrStop
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", given, err)
	}
	for _, path := range q.s.b.overlay.OpenPaths() { // new files that are not on disk yet
		if rel, err := filepath.Rel(t.Real, path); err == nil && filepath.IsLocal(rel) && !workspace.Ignored(t.Real, path) {
			q.file(t.Real, path, t.Real, given)
		}
	}
	return nil
}

// file takes a file whose name below dir fits, unless a rule forbids its reading. It is shown by its name below top. That a file
// may hold secrets is no reason to hide its name.
func (q *nameSearch) file(dir, path, top, given string) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || q.seen[path] || q.pattern != "" && !globMatch(q.pattern, filepath.ToSlash(rel)) || q.denied(path) {
		return
	}
	if len(q.names) == maxGlobFound {
		q.more = true
		return
	}
	q.seen[path] = true
	q.names = append(q.names, tools.GrepName(top, given, path))
}

func (q *nameSearch) denied(path string) bool {
	s := q.s
	p := policy.Path{Given: path, Real: path, Op: policy.OpRead, Exists: true, Outside: !s.within(path), Roots: s.roots()}
	if rel, err := filepath.Rel(s.Cwd, path); err == nil {
		p.Rel = filepath.ToSlash(rel)
	}
	r := policy.Request{
		Tool: policy.ToolRead, Name: "glob", Session: s.ID, Cwd: s.Cwd, Roots: append([]string{s.Cwd}, s.Dirs...), Home: s.b.home,
		Paths: []policy.Path{p}, Plan: s.planning(),
	}
	return s.b.rules.Decide(r).Verdict == policy.Deny
}
