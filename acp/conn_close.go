package acp

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// run waits for the end and takes the connection down in the order that loses
// nothing: answers into the queue, the queue to the peer, then the transport. A
// peer that has closed only one direction still gets what it asked for.
func (c *Conn) run() {
	defer close(c.done)
	select {
	case <-c.read: // the peer has ended it
		c.endRequests("connection closed by the other side")
	case <-c.closing:
		c.endRequests("connection closed")
	}
	c.calls.end(c.closedError())
	c.ending()
	c.out.Close(flushStall)
	err := c.rwc.Close()
	wait(c.out.Done())
	wait(c.read)

	c.mu.Lock()
	c.closeErr = err
	c.mu.Unlock()
}

// endRequests answers every open request and waits until the answers are queued.
func (c *Conn) endRequests(reason string) {
	c.endLife(fmt.Errorf("%w: %s", ErrClosed, reason))
	c.open.end(&Error{Code: CodeInternal, Message: reason, Data: jsontext.Value(`{"reason":"connection closed"}`)})
	wait(c.open.allAnswered())
}

// wait waits for something that should happen at once, but depends on others.
func wait(done <-chan struct{}) {
	grace := time.NewTimer(closeGrace)
	defer grace.Stop()
	select {
	case <-done:
	case <-grace.C:
	}
}

// Close answers the peer's open requests, delivers what is queued as long as the
// peer reads, closes the transport and waits for all that. Calls return an error
// that wraps ErrClosed. It returns the transport's error. Not to be called by a
// Handler on the reading goroutine: use go Close there.
func (c *Conn) Close() error {
	c.closeOnce.Do(func() { close(c.closing) })
	<-c.done
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closeErr
}

// Done is closed when the connection has ended and nothing more will be called.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err says what ended the connection: nil while it lives, after Close and when
// the peer has ended it properly.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// fail ends the connection because of err.
func (c *Conn) fail(err error) {
	c.setErr(err)
	c.closeOnce.Do(func() { close(c.closing) })
}

// setErr keeps the first error, unless the connection is ending: then what
// breaks is what we are breaking.
func (c *Conn) setErr(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil && !c.ended {
		c.err = err
	}
}

// writeFailed leaves the reader some time: of a peer that has died the last
// messages may still be in the pipe.
func (c *Conn) writeFailed(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.log.Warn().Err(err).Msg("cannot write to the peer")
	c.broken = time.AfterFunc(brokenPipeGrace, func() { c.fail(err) })
}

// ending makes errors of the transport our own doing from here on.
func (c *Conn) ending() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.broken != nil {
		c.broken.Stop()
	}
}

// closedError is what a call gets that the end of the connection cut off.
func (c *Conn) closedError() error {
	err := c.Err()
	switch {
	case err == nil:
		return ErrClosed
	case errors.Is(err, ErrClosed):
		return err
	}
	return fmt.Errorf("%w: %w", ErrClosed, err)
}
