package permission

import (
	"context"
	"errors"
	"io/fs"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// TextOf is the text of a file as the user sees it, nil if there is none. It does not count as read by the agent.
func (g *Gate) TextOf(ctx context.Context, t Target, opts ...fsproxy.ReadOption) (*string, error) {
	if t.Outside {
		opts = append(opts, fsproxy.WithOutside())
	}
	snap, err := g.all.FS.Read(ctx, "", t.Path, opts...)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	text := snap.Text.String()
	return &text, nil
}

// Preview is a file as it is and as it would be after a write of the agent's, and the text that the agent started from:
// what the user typed since the agent read it stays, so a question must not show it as taken away, and what the agent
// reads meanwhile must not change what is written. What makes the write fail is said after the question, not before: it
// tells what is in the file.
func (g *Gate) Preview(ctx context.Context, t Target, old *string, text string, started []string) (before *string, after string, base *string) {
	p, err := g.all.FS.Preview(ctx, fsproxy.WriteRequest{Reader: g.ID, Path: t.Path, Text: text, Started: started, Outside: t.Outside})
	if err != nil {
		return old, text, nil
	}
	now := p.Before.Text.String()
	return &now, p.After, &p.Base
}

// IsOpen says whether a file that is not on disk is open in the editor. The error is that of an editor that is asked and
// does not say.
func (g *Gate) IsOpen(ctx context.Context, t Target) (bool, error) {
	_, open := g.all.Overlay.Lookup(t.Real)
	if open || t.Exists || t.Outside || !g.all.FS.Remote() {
		return open, nil
	}
	text, err := g.TextOf(ctx, t)
	if refused := new(fsproxy.RefusedError); errors.As(err, &refused) {
		return false, err
	}
	return err == nil && text != nil, nil
}
