package bridge

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
)

// lentSession is in whose name a bridge of the same user changes a buffer that was lent to it.
const lentSession = "lent"

// LendRead implements lend.Host.
func (b *Bridge) LendRead(path string) (text string, unsaved, open bool) {
	snap, open := b.overlay.Lookup(b.Canonical(path))
	if !open {
		return "", false, false
	}
	return snap.Text.String(), snap.Dirty, true
}

// LendWrite implements lend.Host: a verified edit of the buffer, which can be reviewed and undone here. The other bridge
// has asked whether it may be.
func (b *Bridge) LendWrite(ctx context.Context, path, base, text string) error {
	s := b.host.Session(host.Session{
		ID: lentSession, Gate: b.authority.Session(permission.Session{ID: lentSession, Log: b.cfg.Log}), Tell: b.teller(lentSession),
	})
	return s.WriteLent(ctx, b.newID(lentSession), path, base, text)
}
