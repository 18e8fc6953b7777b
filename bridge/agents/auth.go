package agents

import (
	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// The states of sign-in, as far as the agent has shown them: it tells only when a session is opened.
const (
	AuthUnknown   = "unknown"
	AuthSignedIn  = "signedIn"
	AuthSignedOut = "signedOut"
)

// Auth is whether the user is signed in with the agent, and the ways to sign in. It outlives the process that told it.
func (p *Pool) Auth() (state string, methods []acp.AuthMethod) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.auth, p.authMethods
}

// SignInHint is what to do where the agent says that the user has to sign in, for people. What is called once a turn is a Copilot
// CLI too, one without ACP.
func (a *Process) SignInHint() string {
	methods := a.Agent.Info().AuthMethods
	if a.Copilot || a.PerTurn || copilot.SignsInByLogin(methods) {
		return copilot.SignInHint(methods)
	}
	return "sign in with the agent's own command, then try again"
}

// SetAuth notes what the agent has shown of the sign-in, one of the states above.
func (a *Process) SetAuth(state string) {
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	a.pool.auth, a.pool.authMethods = state, a.Agent.Info().AuthMethods
}
