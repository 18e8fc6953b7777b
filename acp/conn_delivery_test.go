package acp

import (
	"bufio"
	"errors"
	"net"
	"testing"
)

// TestARequestThatWasNeverWrittenIsKnownAsLost: the peer was gone before; one that has read the request may have acted on it.
func TestARequestThatWasNeverWrittenIsKnownAsLost(t *testing.T) {
	for name, reads := range map[string]bool{"gone before": false, "gone after": true} {
		t.Run(name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			c := NewConn(ours, &recorder{}, Options{})
			over := make(chan struct{})
			go func() {
				defer close(over)
				if reads {
					_, _ = bufio.NewReader(theirs).ReadString('\n')
				}
				theirs.Close()
			}()
			if !reads {
				<-over
			}
			var way Delivery
			if _, err := c.Call(WatchedBy(t.Context(), &way), "x", nil); !errors.Is(err, ErrClosed) {
				t.Errorf("the call ended with %v", err)
			}
			<-over
			<-c.Done()
			queued := way.out != nil // where the end was known first, it was not even tried
			if way.Lost() == reads && queued {
				t.Errorf("lost: %v", way.Lost())
			}
			c.Close()
		})
	}
	if new(Delivery).Lost() {
		t.Error("one that was never queued is not known to be lost")
	}
}
