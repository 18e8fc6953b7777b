package lspfront

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// duplicates are buffers of the editor that show a file which another buffer of it shows too, under another URI: through
// a symbolic link, or with another case of the drive letter. One buffer is the mirror's, the first that was opened;
// the others are followed here, by URI, so that one of them can take its place when it is closed.
type duplicates struct{ followed *fsproxy.Overlay }

func newDuplicates() duplicates { return duplicates{fsproxy.NewOverlay(nothing{})} }

// nothing is a disk without files.
type nothing struct{}

func (nothing) Read(context.Context, string) (*fsproxy.Snapshot, error) {
	return nil, fsproxy.ErrNotExist
}

// take ends the following of a URI and returns what its buffer shows, false if that is not known.
func (s duplicates) take(uri string) (*fsproxy.Snapshot, bool) {
	snap, ok := s.followed.Lookup(uri)
	s.followed.Close(uri)
	return snap, ok
}
