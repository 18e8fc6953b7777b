package lspfront

import (
	"github.com/copilot-bridge/copilot-bridge/acp"
)

// answerParams name a question and how it is answered. Option is one of the question's own, for questions with others
// than reject, allow once and always; Scope is "once" or "always"; Words are what the user says to the agent with a no.
type answerParams struct {
	ID     string                 `json:"id,omitzero"`
	Scope  string                 `json:"scope,omitzero"`
	Option acp.PermissionOptionID `json:"option,omitzero"`
	Words  string                 `json:"words,omitzero"`
}

func allow(q *asked, a answerParams) (any, error) {
	if a.Words != "" {
		return nil, invalid(`words come with a no`)
	}
	kind := acp.PermissionOptionKindAllowOnce
	switch a.Scope {
	case "", "once":
	case "always":
		kind = acp.PermissionOptionKindAllowAlways
	default:
		return nil, invalid(`scope is "once" or "always"`)
	}
	return nil, q.s.plain.Answer(a.ID, a.Option, kind, true, "")
}

func reject(q *asked, a answerParams) (any, error) {
	if a.Scope != "" && a.Scope != "once" {
		return nil, invalid(`a question is rejected once`)
	}
	return nil, q.s.plain.Answer(a.ID, a.Option, acp.PermissionOptionKindRejectOnce, false, a.Words)
}
