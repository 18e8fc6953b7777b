package tracking

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// textOf is the text of a file now: of its buffer, else of the disk, or of whoever keeps the files.
func (t *Tracker) textOf(ctx context.Context, path string) (string, error) {
	if snap, open := t.cfg.Overlay.Lookup(path); open {
		return snap.Text.String(), nil
	}
	snap, err := t.cfg.FS.Read(ctx, "", path, fsproxy.WithOutside())
	if err != nil {
		return "", err
	}
	return snap.Text.String(), nil
}

// Comment adds a comment: on the pending hunk that it names, else on its lines. Its path is canonical.
func (t *Tracker) Comment(ctx context.Context, c review.Comment) (review.Comment, error) {
	if c.Hunk != "" {
		found := false
		for _, f := range t.Review(ctx, review.Filter{}) {
			for _, h := range f.Hunks {
				if h.ID == c.Hunk {
					found, c.Path, c.StartLine, c.EndLine = true, f.Path, h.StartLine, h.EndLine
				}
			}
		}
		if !found {
			return c, review.ErrNoHunk
		}
	}
	text, err := t.textOf(ctx, c.Path)
	if err != nil {
		if known, pending := t.CurrentText(c.Path); pending && c.Hunk != "" { // a file that the agent deleted
			text, err = known, nil
		}
	}
	if err != nil {
		return c, err
	}
	return t.cfg.Book.Comment(c, text)
}

// EditComment gives a comment other words.
func (t *Tracker) EditComment(id, words string) (review.Comment, error) {
	return t.cfg.Book.EditComment(id, words)
}

// Uncomment takes comments away, and returns how many there were.
func (t *Tracker) Uncomment(ids ...string) int { return t.cfg.Book.Uncomment(ids...) }

// Comments lists the comments that wait on a file, all for "", with their lines as they are now. A file that cannot be read keeps
// what was known of them.
func (t *Tracker) Comments(ctx context.Context, path string) []review.Comment {
	seen := map[string]bool{}
	for _, c := range t.cfg.Book.Comments(path) {
		if seen[c.Path] {
			continue
		}
		seen[c.Path] = true
		if text, err := t.textOf(ctx, c.Path); err == nil {
			t.cfg.Book.CommentsFollow(c.Path, text)
		}
	}
	return t.cfg.Book.Comments(path)
}

// CommentsOn is Comments of what was seen last, without a look at the disk: for who answers from memory.
func (t *Tracker) CommentsOn(path string) []review.Comment { return t.cfg.Book.Comments(path) }
