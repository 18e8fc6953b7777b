package lspfront

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// queued is a prompt that waits, as session/didChange and the commands list it.
type queued struct {
	TurnID string `json:"turnId"`
	Text   string `json:"text"` // cut at maxQueuedText
}

// queuedPrompt is one as session/queue gives it, whole.
type queuedPrompt struct {
	queued
	Prompt []jsontext.Value `json:"prompt"`
}

// encodeQueue lists what waits; never nil, because an empty list says that nothing waits any more.
func encodeQueue(list []bridge.Waiting) []queued {
	out := make([]queued, 0, len(list))
	for _, w := range list {
		out = append(out, queued{w.Turn, clipEnd(w.Text(), maxQueuedText)})
	}
	return out
}

type queueResult struct {
	Prompts []queuedPrompt `json:"prompts"`
}

func sessionQueue(ctx context.Context, s *Server, p sessionParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	list, err := b.Queue(ctx, p.SessionID)
	if err != nil {
		return nil, err
	}
	out := queueResult{Prompts: []queuedPrompt{}}
	for _, w := range list {
		q := queuedPrompt{queued: queued{w.Turn, w.Text()}, Prompt: []jsontext.Value{}}
		for _, block := range w.Prompt {
			q.Prompt = append(q.Prompt, raw(block))
		}
		out.Prompts = append(out.Prompts, q)
	}
	return out, nil
}

type editQueuedParams struct {
	SessionID string         `json:"sessionId"`
	TurnID    string         `json:"turnId"`
	Prompt    jsontext.Value `json:"prompt"`
}

func sessionEditQueued(ctx context.Context, s *Server, p editQueuedParams) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	blocks, err := promptBlocks(p.Prompt)
	if err != nil {
		return nil, err
	}
	return struct{}{}, b.EditPrompt(ctx, p.SessionID, p.TurnID, blocks)
}

// promptBlocks decodes a prompt.
func promptBlocks(prompt jsontext.Value) ([]acp.ContentBlock, error) {
	var req acp.PromptRequest
	if err := acp.Unmarshal(append(append([]byte(`{"sessionId":"-","prompt":`), prompt...), '}'), &req); err != nil || len(req.Prompt) == 0 {
		return nil, invalid("prompt must be a list of ACP content blocks with at least one in it")
	}
	return req.Prompt, nil
}

type queueAnswer struct {
	Prompts []queued `json:"prompts"`
}

// queueCommand lists what waits in the session used last, to the caller and to the person, who can take one out.
func queueCommand(s *Server, _ none) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	list, err := s.waiting(b)
	if err != nil {
		return nil, err
	}
	switch len(list) {
	case 0:
		s.message(protocol.MessageTypeInfo, "Copilot: no prompt waits")
	default:
		s.behind("the queue", func(ctx context.Context) error { return s.offerRemoval(ctx, b, list) })
	}
	return queueAnswer{encodeQueue(list)}, nil
}

// waiting is the queue of the session used last.
func (s *Server) waiting(b *bridge.Bridge) ([]bridge.Waiting, error) {
	session := s.plain.session()
	if session == "" {
		return nil, nil
	}
	return b.Queue(s.life, session)
}

// offerRemoval shows what waits, and takes out what the person picks.
func (s *Server) offerRemoval(ctx context.Context, b *bridge.Bridge, list []bridge.Waiting) error {
	session := s.plain.session()
	leave := "Leave them"
	titles := []string{leave}
	for i, w := range list[:min(len(list), maxQueuedShown)] {
		titles = append(titles, fmt.Sprintf("Remove %d: %s", i+1, clipEnd(escape.Inline(w.Text()), maxTitle)))
	}
	title, err := s.plain.questions.offer(ctx, fmt.Sprintf("Copilot: %s in this session", plural(len(list), "waiting prompt")), titles)
	if err != nil { // an editor without questions still shows the first
		s.message(protocol.MessageTypeInfo, fmt.Sprintf("Copilot: %s; next: %s", plural(len(list), "waiting prompt"), clipEnd(escape.Inline(list[0].Text()), maxTitle)))
		return nil
	}
	for i, t := range titles[1:] {
		if t == title {
			return b.Cancel(session, list[i].Turn)
		}
	}
	return nil
}

type editQueuedArgs struct {
	TurnID string `json:"turnId"`
	Text   string `json:"text"`
}

// editQueuedCommand replaces a prompt that waits, the next one where none is named.
func editQueuedCommand(s *Server, a editQueuedArgs) (any, error) {
	if a.Text == "" {
		return nil, invalid(`say what the prompt is to be: {"text": "…"}; cancel takes it out`)
	}
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	list, err := s.waiting(b)
	switch {
	case err != nil:
		return nil, err
	case a.TurnID == "" && len(list) == 0:
		return nil, invalid("no prompt waits")
	case a.TurnID == "":
		a.TurnID = list[0].Turn
	}
	session := s.plain.session()
	return nil, b.EditPrompt(s.life, session, a.TurnID, []acp.ContentBlock{acp.Text(a.Text)})
}
