package lspfront

import (
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// answerParams name a question and how it is answered. Option is one of the question's own, for questions with others
// than reject, allow once and always; Scope is "once" or "always".
type answerParams struct {
	ID     string                 `json:"id,omitzero"`
	Scope  string                 `json:"scope,omitzero"`
	Option acp.PermissionOptionID `json:"option,omitzero"`
}

func allow(q *asked, a answerParams) (any, error) {
	kind := acp.PermissionOptionKindAllowOnce
	switch a.Scope {
	case "", "once":
	case "always":
		kind = acp.PermissionOptionKindAllowAlways
	default:
		return nil, invalid(`scope is "once" or "always"`)
	}
	return nil, q.s.plain.questions.reply(a, kind, true)
}

func reject(q *asked, a answerParams) (any, error) {
	if a.Scope != "" && a.Scope != "once" {
		return nil, invalid(`a question is rejected once`)
	}
	return nil, q.s.plain.questions.reply(a, acp.PermissionOptionKindRejectOnce, false)
}

// reply answers the question that is named, or the only one.
func (qs *questions) reply(a answerParams, kind acp.PermissionOptionKind, yes bool) error {
	q, err := qs.find(a.ID)
	if err != nil {
		return err
	}
	id := a.Option
	if id == "" {
		var ok bool
		if id, ok = q.ofKind(kind); !ok && yes {
			return invalid("this question cannot be answered so; its answers are: " + strings.Join(q.titles(), ", "))
		}
	} else if yes != isYes(q.Question, id) {
		return invalid(fmt.Sprintf("%s is no answer of that kind to this question", id))
	}
	return q.reply(id)
}
