package agents

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// signedOut is an agent that offers these ways to sign in.
type signedOut struct {
	Agent
	methods []acp.AuthMethod
}

func (a signedOut) Info() agent.Info { return agent.Info{Name: "auggie", AuthMethods: a.methods} }

// TestTheSignInIsThatOfTheAgentThatRuns: nobody but Copilot, or an agent that says how, is signed in by `copilot login`.
func TestTheSignInIsThatOfTheAgentThatRuns(t *testing.T) {
	other := &Process{Agent: signedOut{methods: []acp.AuthMethod{&acp.AuthMethodAgent{ID: "login", Name: "Log in"}}}}
	if got := other.SignInHint(); strings.Contains(got, "copilot") || other.Name() != "auggie" {
		t.Errorf("%s: %s", other.Name(), got)
	}
	hinted := &Process{Agent: signedOut{methods: []acp.AuthMethod{&acp.AuthMethodAgent{ID: "login", Name: "Log in",
		Meta: []byte(`{"terminal-auth":{"command":"auggie","args":["login"]}}`)}}}}
	if got := hinted.SignInHint(); !strings.Contains(got, "`auggie login`") {
		t.Errorf("with a hint: %s", got)
	}
	if got := (&Process{Copilot: true, Agent: signedOut{}}).SignInHint(); !strings.Contains(got, "`copilot login`") {
		t.Errorf("Copilot: %s", got)
	}
}
