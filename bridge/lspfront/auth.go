package lspfront

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

type authStatusResult struct {
	State   string           `json:"state" enum:"unknown,signedIn,signedOut"`
	Methods []jsontext.Value `json:"methods" as:"AuthMethod"`
}

// authStatus says whether the user is signed in, as far as the agent has shown it: it tells only when a session is
// opened.
func authStatus(q *asked, _ none) (authStatusResult, error) {
	state, methods := q.b.Auth()
	out := authStatusResult{State: state, Methods: []jsontext.Value{}}
	for _, m := range methods {
		out.Methods = append(out.Methods, labelled(m))
	}
	return out, nil
}

type signInParams struct {
	MethodID string `json:"methodId,omitzero"`
}

type signInResult struct {
	Command string `json:"command,omitzero"`
	Message string `json:"message"`
}

// signIn says how to sign in; the command is the user's to run, in a terminal of theirs. The next session then finds a
// fresh agent.
func signIn(q *asked, p signInParams) (signInResult, error) {
	return work(q, "sign in", func(ctx context.Context) (out signInResult, err error) {
		_, methods := q.b.Auth()
		if len(methods) == 0 {
			if err := q.b.ConnectAgent(ctx); err != nil {
				return out, err
			}
			if i, ok := q.b.Agent(); ok {
				methods = i.AuthMethods
			}
		}
		if p.MethodID != "" {
			methods = slices.DeleteFunc(slices.Clone(methods), func(m acp.AuthMethod) bool { return !acp.SameText(acp.Member(raw(m), "id"), p.MethodID) })
			if len(methods) == 0 {
				return out, invalid(fmt.Sprintf("the agent has no sign-in method %q", p.MethodID))
			}
		}
		out = signInResult{copilot.SignInCommand(methods), copilot.SignInHint(methods)}
		if q.command {
			q.s.message(protocol.MessageTypeInfo, out.Message)
		}
		return out, nil
	})
}
