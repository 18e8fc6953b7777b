package agent

import "github.com/copilot-bridge/copilot-bridge/acp"

// adapter is the Handler as the connection knows it.
type adapter struct{ Handler }

// Message implements [acp.Handler].
func (d adapter) Message(m *acp.Message) {
	// A program that repeats what it reads, such as cat, sends our own request
	// back. Its repetition of this answer then fails the handshake.
	if m.Request != nil && m.Method == acp.MethodInitialize {
		m.Request.Reply(nil, acp.Errorf(acp.CodeMethodNotFound, "the bridge is the client: it asks to initialize"))
		return
	}
	d.Handler.Message(m)
}
