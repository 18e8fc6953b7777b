package host

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// TestWhatTheUserDoesWithAQuestionReachesTheModel: each in words of its own, and what is not understood is an error.
func TestWhatTheUserDoesWithAQuestionReachesTheModel(t *testing.T) {
	type values = map[string]any
	question := tools.AskArgs{Question: "Which \x1b[31mone?", Options: []string{"first", "second\x1b[0m"}, Other: true}
	narrow := question
	narrow.Other = false
	for name, c := range map[string]struct {
		args    tools.AskArgs
		reply   Reply
		fails   error
		says    string // of the result
		wrong   string // of the error
		already bool   // the turn was cancelled
	}{
		"an option":                  {args: question, reply: Reply{Answered: true, Values: values{"answer": "first"}}, says: "The user chose: first"},
		"an option, as it was given": {args: question, reply: Reply{Answered: true, Values: values{"answer": "second\x1b[0m"}}, says: "The user chose: second\x1b[0m"},
		"other words":                {args: question, reply: Reply{Answered: true, Values: values{"other": " neither \n"}}, says: "The user chose none of the options and answered: neither"},
		"both":                       {args: question, reply: Reply{Answered: true, Values: values{"answer": "first", "other": "but soon"}}, says: "The user chose: first\nand added: but soon"},
		"empty":                      {args: question, reply: Reply{Answered: true, Values: values{"other": " "}}, says: "The user sent an empty answer."},
		"closed":                     {args: question, says: "The user closed the question without an answer."},
		"declined":                   {args: question, reply: Reply{Declined: true}, says: "The user does not want to answer this question."},
		"cancelled":                  {args: question, already: true, fails: context.Canceled, wrong: "the turn was cancelled before the user answered"},
		"nobody can be asked":        {args: question, fails: ErrUnsupported, wrong: "the user cannot be asked in this editor"},
		"what was no option":         {args: question, reply: Reply{Answered: true, Values: values{"answer": "third"}}, wrong: "none of the options"},
		"a number":                   {args: question, reply: Reply{Answered: true, Values: values{"answer": 1.0}}, wrong: "none of the options"},
		"other words, not wanted":    {args: narrow, reply: Reply{Answered: true, Values: values{"other": "x"}}, wrong: "not what was asked for"},
		"too many words":             {args: question, reply: Reply{Answered: true, Values: values{"other": strings.Repeat("x", maxAskOther+1)}}, wrong: "too long"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if c.already {
			cancel()
		}
		s := &Service{Session: Session{Input: func(_ context.Context, message string, form *acp.ElicitationSchema) (Reply, error) {
			pick := form.Properties["answer"].(*acp.StringPropertySchema)
			if strings.Contains(message+pick.OneOf[1].Title, "\x1b") || pick.OneOf[1].Const != c.args.Options[1] {
				t.Errorf("%s: it was shown %q with %+v", name, message, pick.OneOf)
			}
			if _, free := form.Properties["other"]; free != c.args.Other {
				t.Errorf("%s: other words are asked for: %v", name, free)
			}
			return c.reply, c.fails
		}}}
		got, err := s.Ask(ctx, c.args)
		cancel()
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: %q, %v", name, got, err)
		case c.wrong == "" && (err != nil || !strings.HasPrefix(got, c.says)):
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v says nothing to the model", name, err)
		}
	}
}
