package host

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// The fields of the form that a question of the agent's is asked by (docs/dev/protocol.md).
const (
	askAnswer = "answer" // one of the options
	askOther  = "other"  // words of the user's own
)

// Reply is what came of a form that the user was shown.
type Reply struct {
	Answered bool
	Declined bool           // the user said that they do not answer; neither: they closed it
	Values   map[string]any // with Answered, by the names of the fields
}

// Ask puts a question of the agent's to the user, who chooses one of the options, answers in other words, or does neither: each
// reaches the model in words of its own. What the agent says passes the filter before it is shown, and what is chosen is said back to it
// as it was written.
func (s *Service) Ask(ctx context.Context, a tools.AskArgs) (string, error) {
	r, err := s.Input(ctx, escape.Lines(a.Question), askForm(a))
	switch {
	case ctx.Err() != nil:
		return "", errors.New("the turn was cancelled before the user answered the question; nothing was chosen")
	case errors.Is(err, ErrUnsupported):
		return "", errors.New("the user cannot be asked in this editor. Put the question into your answer, or go on with what you think best and say so")
	case err != nil:
		return "", err
	case r.Declined:
		return "The user does not want to answer this question. Nothing was chosen: go on without the answer where you can, and say what you assumed.", nil
	case !r.Answered:
		return "The user closed the question without an answer. Nothing was chosen: do not take it for a yes. Go on without the answer where you can, and say what you assumed.", nil
	}
	return askReply(a, r.Values)
}

// askForm is the form of a question.
func askForm(a tools.AskArgs) *acp.ElicitationSchema {
	answer, other := "Answer", "In other words"
	pick := &acp.StringPropertySchema{Title: &answer}
	for _, o := range a.Options {
		pick.OneOf = append(pick.OneOf, acp.EnumOption{Const: o, Title: escape.Inline(o)})
	}
	form := &acp.ElicitationSchema{Type: acp.ElicitationSchemaTypeObject, Properties: map[string]acp.ElicitationPropertySchema{askAnswer: pick}}
	if !a.Other {
		form.Required = []string{askAnswer}
		return form
	}
	most := uint32(maxAskOther)
	form.Properties[askOther] = &acp.StringPropertySchema{Title: &other, MaxLength: &most}
	return form
}

// askReply is what the model is told of an answer. One that is not wholly understood is none.
func askReply(a tools.AskArgs, values map[string]any) (string, error) {
	picked, isText := values[askAnswer].(string)
	if values[askAnswer] != nil && !isText || picked != "" && !slices.Contains(a.Options, picked) {
		return "", errors.New("the editor's answer is none of the options; take it that the user has not answered")
	}
	other, isText := values[askOther].(string)
	if values[askOther] != nil && (!isText || !a.Other) {
		return "", errors.New("the editor's answer is not what was asked for; take it that the user has not answered")
	}
	if other = strings.TrimSpace(other); len(other) > maxAskOther {
		return "", errors.New("the user's answer is too long to be passed on; ask for less, or for a file")
	}
	switch {
	case picked != "" && other != "":
		return "The user chose: " + picked + "\nand added: " + other, nil
	case picked != "":
		return "The user chose: " + picked, nil
	case other != "":
		return "The user chose none of the options and answered: " + other, nil
	}
	return "The user sent an empty answer. Nothing was chosen: do not take it for a yes.", nil
}
