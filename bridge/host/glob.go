package host

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// Glob is the tool of that name: the names of files, in the session's folders or where the user lets it look. The agent's own
// tool names files anywhere on the machine without a question.
func (s *Service) Glob(ctx context.Context, a tools.GlobArgs) (string, error) {
	glob, err := newNameGlob(a.Pattern)
	if err != nil {
		return "", err
	}
	q := globSearch{glob: glob, files: s.Gate.NewReading("glob"), seen: map[string]bool{}}
	if err := s.search(ctx, "glob", q.files, a.Paths, q.file); err != nil {
		return "", err
	}
	slices.Sort(q.names)
	return tools.GlobText(q.names, q.more), nil
}

// globSearch is one run of glob.
type globSearch struct {
	glob  nameGlob
	files *permission.Reading
	names []string
	seen  map[string]bool // paths
	more  bool
}

// file takes a file whose name fits, unless a rule forbids its reading. That a file may hold secrets is no reason to hide its
// name.
func (q *globSearch) file(_ context.Context, c candidate) (more bool) {
	dir := c.top
	if c.named() {
		dir = filepath.Dir(c.path)
	}
	rel, err := filepath.Rel(dir, c.path)
	if err != nil || q.seen[c.path] || !q.glob.match(filepath.ToSlash(rel)) || q.files.Verdict(c.path) == policy.Deny {
		return true
	}
	if len(q.names) == maxGlobFound {
		q.more = true
		return false
	}
	q.seen[c.path] = true
	q.names = append(q.names, tools.GrepName(c.top, c.given, c.path))
	return true
}
