//go:build e2e

package e2e

import (
	"encoding/json"
	"strings"
)

// newSession opens a session.
func (e *editor) newSession() string {
	e.t.Helper()
	var r struct {
		ID string `json:"sessionId"`
	}
	e.call("copilot-bridge/session/new", obj{"cwd": e.w.ws}, &r)
	return r.ID
}

type turnEnd struct {
	Turn   string          `json:"turnId"`
	Reason string          `json:"stopReason"`
	Error  json.RawMessage `json:"error"`
}

// send sends a prompt and returns its turn.
func (e *editor) send(session, text string) string {
	e.t.Helper()
	var r struct {
		Turn string `json:"turnId"`
	}
	e.call("copilot-bridge/session/prompt", obj{"sessionId": session, "prompt": []obj{{"type": "text", "text": text}}}, &r)
	return r.Turn
}

// ended waits for the end of a turn.
func (e *editor) ended(turn string) (end turnEnd) {
	e.t.Helper()
	e.until("the end of the turn", func() bool {
		for _, m := range e.notes {
			if m.Method == "copilot-bridge/turn/ended" && json.Unmarshal(m.Params, &end) == nil && end.Turn == turn {
				return true
			}
		}
		return false
	})
	return end
}

// turn is a whole turn that ends as it should.
func (e *editor) turn(session, text string) string {
	e.t.Helper()
	end := e.ended(e.send(session, text))
	if end.Reason != "end_turn" {
		e.t.Fatalf("the turn ended with %s %s", end.Reason, end.Error)
	}
	return end.Turn
}

// said is the agent's text so far.
func (e *editor) said() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var b strings.Builder
	for _, m := range e.notes {
		var p struct {
			Update struct {
				Kind    string          `json:"sessionUpdate"`
				Content json.RawMessage `json:"content"`
			} `json:"update"`
		}
		var c struct {
			Text string `json:"text"`
		}
		if m.Method == "copilot-bridge/session/update" && json.Unmarshal(m.Params, &p) == nil && p.Update.Kind == "agent_message_chunk" && json.Unmarshal(p.Update.Content, &c) == nil {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

type hunk struct {
	ID      string `json:"id"`
	OldText string `json:"oldText"`
	NewText string `json:"newText"`
}

// hunks are the pending hunks of a file.
func (e *editor) hunks(name string) (out []hunk) {
	e.t.Helper()
	var r struct {
		Files []struct {
			Hunks []hunk `json:"hunks"`
		} `json:"files"`
	}
	e.call("copilot-bridge/review/list", obj{"uri": uri(e.w.path(name))}, &r)
	for _, f := range r.Files {
		out = append(out, f.Hunks...)
	}
	return out
}

func (e *editor) resolve(params obj) {
	e.t.Helper()
	var r struct {
		Conflicts []obj `json:"conflicts"`
	}
	e.call("copilot-bridge/review/resolve", params, &r)
	if len(r.Conflicts) > 0 {
		e.t.Errorf("conflicts: %v", r.Conflicts)
	}
}

func (e *editor) questions() []question {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]question(nil), e.asked...)
}
