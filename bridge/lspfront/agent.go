package lspfront

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
)

// none is an object without members.
type none struct{}

type agentInfoResult struct {
	Name         string         `json:"name"`
	Version      string         `json:"version"`
	PID          int            `json:"pid"`
	Capabilities jsontext.Value `json:"capabilities"`
	Quirks       []string       `json:"quirks"`
}

// agentInfo describes the agent; it is started if it does not run, to be able to.
func agentInfo(q *asked, _ none) (out agentInfoResult, err error) {
	if err := q.b.ConnectAgent(q.ctx); err != nil {
		return out, err
	}
	i, ok := q.b.Agent()
	if !ok {
		return out, &bridge.Error{Code: bridge.CodeAgentUnavailable, Message: "the agent ended just now", Hint: "try again", Retryable: true}
	}
	return agentInfoResult{i.Name, i.Version, i.PID, raw(&i.Capabilities), i.QuirkNames()}, nil
}

func restartAgent(q *asked, _ none) (none, error) {
	return work(q, "restart the agent", func(ctx context.Context) (none, error) {
		err := q.b.RestartAgent(ctx)
		if err == nil && q.command {
			q.s.message(protocol.MessageTypeInfo, "the agent was restarted")
		}
		return none{}, err
	})
}

type statusAnswer struct {
	Agent     string   `json:"agent,omitzero"` // name and version of the running agent
	SessionID string   `json:"sessionId,omitzero"`
	Turns     []string `json:"turns"`     // that run
	Questions []string `json:"questions"` // that wait
	Hunks     int      `json:"hunks"`     // to be reviewed
	Plugin    []string `json:"plugin"`    // concerns that a plugin does
}

// status says how things stand, to the user and to the caller.
func status(q *asked, _ none) (any, error) {
	s := q.s
	a := statusAnswer{SessionID: s.user.session(), Turns: []string{}, Questions: []string{}, Plugin: []string{}, Hunks: len(s.pending(q.b))}
	text := "no agent is running yet"
	if i, ok := q.b.Agent(); ok {
		a.Agent = strings.TrimSpace(i.Name + " " + i.Version)
		text = a.Agent + " is ready"
	}
	for _, t := range s.plain.Running() {
		a.Turns = append(a.Turns, t.ID)
		text = a.Agent + " is working"
	}
	for _, q := range s.plain.Waiting() {
		a.Questions = append(a.Questions, q.ID)
		text = a.Agent + " is waiting for you: " + q.Title
	}
	for c := range plain.Concern(plain.Concerns) {
		if s.Rich(c) {
			a.Plugin = append(a.Plugin, concernNames[c])
		}
	}
	for _, st := range s.specialModes() {
		text += "; " + st.Sentence()
	}
	if a.Hunks > 0 {
		text += fmt.Sprintf("; %s to review", plain.Plural(a.Hunks, "change"))
	}
	s.message(protocol.MessageTypeInfo, "Copilot: "+strings.TrimSpace(text))
	return a, nil
}
