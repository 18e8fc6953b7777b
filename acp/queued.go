package acp

import "context"

// queuedKey is where a context carries what is to run when its message is on its way.
type queuedKey struct{}

// WhenQueued returns a context for Call: f runs when the request is in the queue to the peer, so that whatever is sent
// after f began arrives after it. f runs once, must not block, and does not run if the request is never sent.
func WhenQueued(ctx context.Context, f func()) context.Context {
	return context.WithValue(ctx, queuedKey{}, f)
}

// queued runs what WhenQueued put into ctx.
func queued(ctx context.Context) {
	if f, ok := ctx.Value(queuedKey{}).(func()); ok {
		f()
	}
}
