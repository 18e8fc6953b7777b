package agents

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// What some agents understand otherwise than ACP has it is put right here, at the edge of the process: nobody else knows of it.

// heed looks at a message before it is passed on. It runs on the goroutine that reads from the agent.
func (a *Process) heed(m *acp.Message) {
	switch {
	case m.Request == nil:
		a.heard.Add(1)
	case m.Request.Method() == acp.MethodFSReadTextFile:
		a.asksClient.Store(true)
		if q := a.ways.Load(); q != nil && q.MissingIsEmpty {
			m.Request.Reword(missingIsEmpty)
		}
	}
}

// missingIsEmpty is the answer to a read for an agent that takes an error for the end of what it was at (gemini-cli 0.61.0).
func missingIsEmpty(result any, err error) (any, error) {
	var e *acp.Error
	if errors.As(err, &e) && e.Code == acp.CodeResourceNotFound {
		return &acp.ReadTextFileResponse{}, nil
	}
	return result, err
}

// learn takes in what the agent says of itself, once it has started.
func (a *Process) learn() {
	q := agent.QuirksOf(a.Agent.Info().Name)
	a.ways.Store(&q)
	if q.ReplaysLate {
		a.Agent = &lateReplay{a.Agent, a}
	}
}

// lateReplay is an agent that answers session/load before it has sent the history, which would be taken for what it says next. Its
// answer is held until it has sent all.
type lateReplay struct {
	Agent
	process *Process
}

// noMethod is one that no agent has: the answer says that it has read so far.
const noMethod = "_copilot-bridge/there"

// Call is that of [Agent].
func (l *lateReplay) Call(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	raw, err := l.Agent.Call(ctx, method, params)
	if err != nil || method != acp.MethodSessionLoad {
		return raw, err
	}
	for range maxReplayRounds { // until it has answered and said nothing since the question before
		before := l.process.heard.Load()
		if _, no := l.Agent.Call(ctx, noMethod, jsontext.Value("{}")); ctx.Err() != nil || l.process.EndedBy(no) {
			break
		}
		if l.process.heard.Load() == before {
			break
		}
	}
	return raw, nil
}

// Disconnected is closed when nothing can be said to the agent any more.
func (l *lateReplay) Disconnected() <-chan struct{} {
	if d, ok := l.Agent.(interface{ Disconnected() <-chan struct{} }); ok {
		return d.Disconnected()
	}
	return l.process.gone
}
