package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission/meaning"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

// candidate is a file that glob or grep comes by.
type candidate struct {
	target        // what was named, a folder or the file itself
	path   string // of the file
	top    string // what it is shown relative to: the folder, or the file where that was named
	given  string // how the agent named it, "" for the session's folder
}

// named says that the file was named itself, and not a folder that it is in: then it was asked about.
func (c candidate) named() bool { return c.top == c.path }

// search calls each for the files of a search, sorted below each folder, until it wants no more: what the disk holds and what
// open buffers are to become. Outside the session's folders it is asked about, as a read of the folder is; what lies behind
// links is not searched, and ignored files only below a folder that is named itself.
func (s *Service) search(ctx context.Context, tool string, files *permission.Reading, paths []string, each func(context.Context, candidate) (more bool)) error {
	if len(paths) > meaning.MaxFiles {
		return fmt.Errorf("%d paths are too many for one search; name the folder they are in", len(paths))
	}
	if len(paths) == 0 {
		paths = []string{""}
	}
	for _, given := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := s.Gate.Reach(ctx, tool, cmp.Or(given, s.Cwd))
		if err != nil {
			return err
		}
		if err := s.Gate.PermitSight(ctx, tool, t); missing(err) {
			return errors.New(tools.NoSuchSearchPath(given))
		} else if err != nil {
			return err
		}
		files.Allowed(t)
		if t.Info == nil || !t.Info.IsDir() {
			each(ctx, candidate{t, t.Path, t.Path, given})
			continue
		}
		below, err := s.filesBelow(ctx, t.Real)
		if err != nil {
			return fmt.Errorf("search %s: %w", t.Path, err)
		}
		for _, path := range below {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !each(ctx, candidate{t, path, t.Real, given}) {
				break
			}
		}
	}
	return nil
}

// filesBelow gives the files below a folder that git would look at, sorted, and those that an editor has made there and not
// saved yet.
func (s *Service) filesBelow(ctx context.Context, dir string) ([]string, error) {
	var files []string
	err := workspace.Walk(ctx, dir, func(path string, _ fs.DirEntry) error {
		files = append(files, path)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, path := range s.all.Overlay.OpenPaths() {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) && !workspace.Ignored(dir, path) {
			files = append(files, path)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}
