package bridge

import (
	"context"
	"errors"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// text is what a search looks at: the disk, and for files with matches or known to hold unsaved text what an editor has
// that can be asked.
func (q *grepSearch) text(ctx context.Context, path string, opts []fsproxy.ReadOption) (string, bool) {
	fs := q.s.b.fs
	snap, err := fs.Read(ctx, "", path, append(opts, fsproxy.WithDisk())...)
	asks := fs.Remote() && len(q.found) < maxGrepAsked && (missing(err) || err == nil && q.re.MatchString(snap.Text.String()) || slices.Contains(fs.Unsaved(), path))
	if asks {
		now, err := fs.Read(q.s.named(ctx), "", path, opts...)
		if err == nil {
			return now.Text.String(), true
		}
		if refused := new(fsproxy.RefusedError); errors.As(err, &refused) {
			q.refused = append(q.refused, q.s.gate.Short(path))
			return "", false
		}
	}
	if err != nil {
		return "", false
	}
	return snap.Text.String(), true
}
