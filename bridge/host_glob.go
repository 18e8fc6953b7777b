package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

// Glob implements [tools.Host]: the names of files, in the session's folders or where the user lets it look. The agent's own
// tool names files anywhere on the machine without a question.
func (l *link) Glob(ctx context.Context, c tools.Caller, a tools.GlobArgs) (string, error) {
	return l.call(ctx, c, "glob", map[string]any{"pattern": a.Pattern}, func(ctx context.Context, s *Session, _ *toolUse) (string, error) {
		glob, err := newNameGlob(a.Pattern)
		if err != nil {
			return "", err
		}
		q := globSearch{s: s, glob: glob, files: s.newReading("glob"), seen: map[string]bool{}}
		if err := eachPath(ctx, a.Paths, q.path); err != nil {
			return "", err
		}
		slices.Sort(q.names)
		return tools.GlobText(q.names, q.more), nil
	})
}

// globSearch is one run of glob.
type globSearch struct {
	s     *Session
	glob  nameGlob
	files *reading
	names []string
	seen  map[string]bool // paths
	more  bool
}

// path searches below a folder, or looks at one file. Outside the session's folders it is asked about, as a read of the folder
// is; what lies behind links is not searched. Ignored files are found only below a folder that is named itself.
func (q *globSearch) path(ctx context.Context, given string) error {
	t, err := q.s.reach(ctx, "glob", cmp.Or(given, q.s.Cwd))
	if err != nil {
		return err
	}
	if err := q.s.permitSight(ctx, "glob", t); missing(err) {
		return errors.New(tools.NoSuchSearchPath(given))
	} else if err != nil {
		return err
	}
	q.files.allowed(t)
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
func (q *globSearch) file(dir, path, top, given string) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || q.seen[path] || !q.glob.match(filepath.ToSlash(rel)) || q.files.verdict(path) == policy.Deny {
		return
	}
	if len(q.names) == maxGlobFound {
		q.more = true
		return
	}
	q.seen[path] = true
	q.names = append(q.names, tools.GrepName(top, given, path))
}
