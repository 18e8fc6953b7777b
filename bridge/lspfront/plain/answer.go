package plain

import (
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// Answer answers the question that is named, or the only one: with one of its options, or where that is "" with its option
// of a kind. yes says which of the two it is to be, whatever the option is called. words are what the user says to the agent with a no.
func (p *Tier) Answer(question string, id acp.PermissionOptionID, kind acp.PermissionOptionKind, yes bool, words string) error {
	q, err := p.questions.find(question)
	if err != nil {
		return err
	}
	if id == "" {
		var ok bool
		if id, ok = q.ofKind(kind); !ok && yes {
			return invalid("this question cannot be answered so; its answers are: " + strings.Join(q.titles(), ", "))
		}
	} else if yes != isYes(q.Question, id) {
		return invalid(fmt.Sprintf("%s is no answer of that kind to this question", id))
	}
	return q.reply(bridge.Answer{OptionID: id, Words: words})
}
