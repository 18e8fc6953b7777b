package bridge

import (
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// The states of sign-in, as far as the agent has shown them: it tells only when a session is opened.
const (
	AuthUnknown   = "unknown"
	AuthSignedIn  = "signedIn"
	AuthSignedOut = "signedOut"
)

// auth is what is known of the sign-in; it outlives the agent process.
type auth struct {
	mu      sync.Mutex
	state   string
	methods []acp.AuthMethod
}

func (a *auth) set(state string, methods []acp.AuthMethod) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.state, a.methods = state, methods
}

// Auth is whether the person is signed in with the agent, and the ways to sign in.
func (b *Bridge) Auth() (state string, methods []acp.AuthMethod) {
	b.auth.mu.Lock()
	defer b.auth.mu.Unlock()
	if b.auth.state == "" {
		return AuthUnknown, nil
	}
	return b.auth.state, b.auth.methods
}
