package bridge

import "context"

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
	s := &Session{ID: lentSession, b: b} // only what a change needs
	s.gate = s.newGate()
	t, err := s.gate.Resolve(path)
	if err != nil {
		return err
	}
	t.Outside = true // of this session, which has no folder; the other side has looked
	return s.bring(withTurn(ctx, b.newID(lentSession)), t, text, &base)
}
