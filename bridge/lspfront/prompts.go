package lspfront

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

type promptParams struct {
	SessionID     string         `json:"sessionId" only:"method"`
	Prompt        jsontext.Value `json:"prompt" as:"ContentBlock[]" only:"method"`
	Context       []contextItem  `json:"context,omitzero" only:"method"`
	WorkDoneToken jsontext.Value `json:"workDoneToken,omitzero" only:"method"`
	Steer         bool           `json:"steer,omitzero" only:"method"`  // for the turn that runs, if it can be told
	TurnID        string         `json:"turnId,omitzero" only:"method"` // of a prompt that waits and is replaced

	Text  string     `json:"text,omitzero" only:"command"`
	URI   string     `json:"uri,omitzero" only:"command"`
	Range *wireRange `json:"range,omitzero" only:"command"`
}

// contextItem is a place whose text, as it is in the buffer, goes with a prompt.
type contextItem struct {
	URI     string     `json:"uri"`
	Range   *wireRange `json:"range,omitzero"`
	Version *int32     `json:"version,omitzero"`
}

type promptResult struct {
	TurnID  string `json:"turnId"`
	Queued  int    `json:"queued"`
	Steered bool   `json:"steered,omitzero"`
}

type promptAnswer struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId"`
}

// prompt sends a prompt; a command sends its text in the session used last, or in a new one. The agent is started, if
// need be, while the turn runs.
func prompt(q *asked, p promptParams) (out promptResult, err error) {
	var blocks []acp.ContentBlock
	switch {
	case !q.command:
		if blocks, err = promptBlocks(p.Prompt); err != nil {
			return out, err
		}
	case strings.TrimSpace(p.Text) == "":
		return out, invalid(`say what Copilot is to do: {"text": "…"}`)
	default:
		blocks = []acp.ContentBlock{acp.Text(p.Text)}
		if p.URI != "" {
			p.Context = []contextItem{{URI: p.URI, Range: p.Range}}
		}
	}
	var refs []bridge.ContextRef
	for _, c := range p.Context {
		ref, err := q.s.contextRef(c)
		if err != nil {
			return out, invalid("uri: " + err.Error())
		}
		refs = append(refs, ref)
	}
	if q.command {
		path := ""
		if len(refs) > 0 {
			path = refs[0].Path
		}
		if p.SessionID, err = q.s.sessionFor(q.b, path); err != nil {
			return out, err
		}
	}
	if p.TurnID != "" {
		return promptResult{TurnID: p.TurnID}, q.b.EditPrompt(p.SessionID, p.TurnID, blocks)
	}
	if p.Steer {
		turn, ok, err := q.b.Steer(p.SessionID, blocks)
		if ok || err != nil {
			return promptResult{TurnID: turn, Steered: true}, err
		}
	}
	t, err := q.b.Prompt(p.SessionID, blocks, refs)
	if err != nil {
		return out, err
	}
	if len(p.WorkDoneToken) > 0 {
		q.s.plain.UseToken(t.ID, p.WorkDoneToken)
	}
	q.answer = promptAnswer{p.SessionID, t.ID}
	return promptResult{TurnID: t.ID, Queued: t.Queued}, nil
}

// promptBlocks decodes a prompt.
func promptBlocks(prompt jsontext.Value) ([]acp.ContentBlock, error) {
	var req acp.PromptRequest
	if err := acp.Unmarshal(append(append([]byte(`{"sessionId":"-","prompt":`), prompt...), '}'), &req); err != nil || len(req.Prompt) == 0 {
		return nil, invalid("prompt must be a list of ACP content blocks with at least one in it")
	}
	return req.Prompt, nil
}

// contextRef is a place in the editor as the bridge counts: lines from 1, both included.
func (s *server) contextRef(c contextItem) (bridge.ContextRef, error) {
	path, err := s.docs.path(c.URI)
	if err != nil {
		return bridge.ContextRef{}, err
	}
	ref := bridge.ContextRef{Path: path}
	if c.Range != nil {
		ref.StartLine, ref.EndLine = int(c.Range.Start.Line)+1, int(c.Range.End.Line)+1
		if c.Range.End.Character == 0 && ref.EndLine > ref.StartLine {
			ref.EndLine-- // the range ends before the line's first character
		}
	}
	return ref, nil
}

type cancelParams struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId,omitzero"`
}

// cancelTurn stops what is named; without a turn all prompts of the session go. A command without a session means that of
// the oldest turn.
func cancelTurn(q *asked, p cancelParams) (none, error) {
	if q.command && p.SessionID == "" {
		p.SessionID = q.s.user.session()
		for _, t := range q.s.plain.Running() {
			if p.TurnID == "" || p.TurnID == t.ID {
				p.SessionID = t.Session
				break
			}
		}
		if p.SessionID == "" {
			return none{}, nil // nothing runs
		}
	}
	return none{}, q.b.Cancel(p.SessionID, bridge.Cancellation{Turn: p.TurnID})
}

type turnIDParams struct {
	TurnID string `json:"turnId,omitzero"`
}

// sendAgain sends a prompt that was lost, the newest one where none is named, in the session used last.
func sendAgain(q *asked, p turnIDParams) (any, error) {
	session := q.s.user.session()
	if session == "" {
		return nil, invalid("no session is open; resume one first")
	}
	t, err := q.b.SendAgain(session, p.TurnID)
	if err != nil {
		return nil, err
	}
	return promptAnswer{session, t.ID}, nil
}
