package acp

import (
	"context"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/internal/outbound"
)

// What a caller may want to know of its request while it is on its way, carried by the context of the call.

type (
	queuedKey   struct{}
	answeredKey struct{}
	takenBackBy struct{}
	deliveryKey struct{}
)

// WhenQueued returns a context for Call: f runs when the request is in the queue to the peer, so that whatever is sent
// after f began arrives after it. f runs once, must not block, and does not run if the request is never sent.
func WhenQueued(ctx context.Context, f func()) context.Context {
	return context.WithValue(ctx, queuedKey{}, f)
}

// WhenAnswered returns a context for Call: f runs when the answer has been read, on the reading goroutine, before
// anything that came after the answer is given to the Handler. It must not block.
func WhenAnswered(ctx context.Context, f func()) context.Context {
	return context.WithValue(ctx, answeredKey{}, f)
}

// A Delivery is what became of a request on its way to the peer. The zero value is that of a request that was never queued.
type Delivery struct {
	mu  sync.Mutex
	out *outbound.Queue
	end uint64 // where the request ends in it
}

// WatchedBy returns a context for Call: d tells what became of the request.
func WatchedBy(ctx context.Context, d *Delivery) context.Context {
	return context.WithValue(ctx, deliveryKey{}, d)
}

func (d *Delivery) queued(out *outbound.Queue, end uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.out, d.end = out, end
}

// Lost says that the peer cannot have read the request, since the connection ended before it was written. It is asked after
// the end of the connection; where this is not known it is false.
func (d *Delivery) Lost() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.out != nil && d.out.Lost(d.end)
}

// TakenBackBy returns a context for Call: when back ends, the peer is told so by $/cancel_request, and its answer is
// still waited for. (When the context of the call itself ends, nothing is waited for any more.)
func TakenBackBy(ctx, back context.Context) context.Context {
	return context.WithValue(ctx, takenBackBy{}, back)
}

// CanBeTakenBack says whether ctx is one of [TakenBackBy].
func CanBeTakenBack(ctx context.Context) bool { return ctx.Value(takenBackBy{}) != nil }

// Queued runs what WhenQueued put into ctx. Conn does so itself; it is for peers that are no connection of this package.
func Queued(ctx context.Context) {
	if f, ok := ctx.Value(queuedKey{}).(func()); ok {
		f()
	}
}
