package agent

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// RawHandler is a [Handler] that may want to see a session/update as it came.
// RawUpdate is called first, under the rules of Update; if it returns true,
// Update is not called.
type RawHandler interface {
	RawUpdate(params jsontext.Value) bool
}

// QuickHandler is a [RawHandler] that may deal with a session/update at once, as an [acp.QuickHandler] does.
type QuickHandler interface {
	QuickUpdate(params jsontext.Value, more bool) bool
	Settle()
}

// adapter sorts what the connection delivers, on its reading goroutine.
type adapter struct{ a *Agent }

func (d adapter) Notify(method string, params jsontext.Value) {
	if method != acp.MethodSessionUpdate {
		d.a.handler.Notification(method, params)
		return
	}
	if raw, ok := d.a.handler.(RawHandler); ok && raw.RawUpdate(params) {
		return
	}
	n := new(acp.SessionNotification)
	if err := acp.Unmarshal(params, n); err != nil {
		d.a.log.Warn().Err(err).Msg("skipped a session update that cannot be read")
		return
	}
	d.a.handler.Update(n)
}

// Quick implements [acp.QuickHandler].
func (d adapter) Quick(method string, params jsontext.Value, more bool) bool {
	return d.a.quick != nil && method == acp.MethodSessionUpdate && d.a.quick.QuickUpdate(params, more)
}

// Settle implements [acp.QuickHandler].
func (d adapter) Settle() { d.a.quick.Settle() }

func (d adapter) Request(req *acp.Request) {
	// A program that repeats what it reads, such as cat, sends our own request
	// back. Its repetition of this answer then fails the handshake.
	if req.Method() == acp.MethodInitialize {
		req.Reply(nil, acp.Errorf(acp.CodeMethodNotFound, "the bridge is the client: it asks to initialize"))
		return
	}
	d.a.handler.Request(req)
}
