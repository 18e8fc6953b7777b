package tracking

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
)

// lentSession is in whose name a bridge of the same user changes a buffer that was lent to it.
const lentSession = "lent"

// LendRead implements lend.Host.
func (t *Tracker) LendRead(path string) (text string, unsaved, open bool) {
	snap, open := t.cfg.Overlay.Lookup(t.Canonical(path))
	if !open {
		return "", false, false
	}
	return snap.Text.String(), snap.Dirty, true
}

// LendWrite implements lend.Host: a verified edit of the buffer, which can be reviewed and undone here. The other bridge
// has asked whether it may be.
func (t *Tracker) LendWrite(ctx context.Context, path, base, text string) error {
	s := t.cfg.Host.Session(host.Session{
		ID: lentSession, Gate: t.cfg.Authority.Session(permission.Session{ID: lentSession, Log: t.cfg.Log}), Tell: t.cfg.Tell(lentSession),
	})
	return s.WriteLent(ctx, t.cfg.NewID(lentSession), path, base, text)
}
