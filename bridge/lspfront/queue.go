package lspfront

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// queued is a prompt that waits, as session/didChange and the commands list it.
type queued struct {
	TurnID string `json:"turnId"`
	Text   string `json:"text"` // cut where it is long (maxQueuedText)
}

// queuedPrompt is one as session/queue gives it, whole.
type queuedPrompt struct {
	queued
	Prompt []jsontext.Value `json:"prompt" as:"ContentBlock"`
}

// encodeQueue lists what waits; never nil, because an empty list says that nothing waits any more.
func encodeQueue(list []bridge.Waiting) []queued {
	out := make([]queued, 0, len(list))
	for _, w := range list {
		out = append(out, queued{w.Turn, escape.Clip(w.Text(), maxQueuedText)})
	}
	return out
}

type listQueueParams struct {
	SessionID string `json:"sessionId" only:"method"`
}

type listQueueResult struct {
	Prompts []queuedPrompt `json:"prompts"`
}

type queueAnswer struct {
	Prompts []queued `json:"prompts"`
}

// listQueue lists what waits. A command lists that of the session used last, and the user can take one out.
func listQueue(q *asked, p listQueueParams) (listQueueResult, error) {
	out := listQueueResult{Prompts: []queuedPrompt{}}
	if q.command {
		list, err := q.s.waiting(q.b)
		switch {
		case err == nil && len(list) == 0:
			q.s.message(protocol.MessageTypeInfo, "Copilot: no prompt is waiting")
		case err == nil:
			q.s.Behind("the queue", func(ctx context.Context) error { return q.s.offerRemoval(ctx, q.b, list) })
		}
		q.answer = queueAnswer{encodeQueue(list)}
		return out, err
	}
	list, err := q.b.Queue(p.SessionID)
	for _, w := range list {
		out.Prompts = append(out.Prompts, queuedPrompt{queued{w.Turn, w.Text()}, rawBlocks(w.Prompt)})
	}
	return out, err
}

// waiting is the queue of the session used last.
func (s *server) waiting(b *bridge.Bridge) ([]bridge.Waiting, error) {
	session := s.user.session()
	if session == "" {
		return nil, nil
	}
	return b.Queue(session)
}

// offerRemoval shows what waits, and takes out what the user picks.
func (s *server) offerRemoval(ctx context.Context, b *bridge.Bridge, list []bridge.Waiting) error {
	session := s.user.session()
	leave := "Leave them"
	titles := []string{leave}
	for i, w := range list[:min(len(list), maxQueuedShown)] {
		titles = append(titles, fmt.Sprintf("Remove %d: %s", i+1, escape.Clip(escape.Inline(w.Text()), plain.MaxTitle)))
	}
	waits := "Copilot: " + plain.Plural(len(list), "waiting prompt")
	next := "; next: " + escape.Clip(escape.Inline(list[0].Text()), plain.MaxTitle)
	title, err := s.plain.Offer(ctx, waits+" in this session", titles, waits+next)
	if i := slices.Index(titles[1:], title); i >= 0 {
		return b.Cancel(session, bridge.Cancellation{Turn: list[i].Turn})
	}
	return err
}

type editQueuedParams struct {
	SessionID string         `json:"sessionId" only:"method"`
	TurnID    string         `json:"turnId"`
	Prompt    jsontext.Value `json:"prompt" as:"ContentBlock[]" only:"method"`
	Text      string         `json:"text" only:"command"`
}

// editQueued replaces a prompt that waits; a command without a name means the next one of the session used last.
func editQueued(q *asked, p editQueuedParams) (none, error) {
	if !q.command {
		blocks, err := promptBlocks(p.Prompt)
		if err != nil {
			return none{}, err
		}
		return none{}, q.b.EditPrompt(p.SessionID, p.TurnID, blocks)
	}
	if p.Text == "" {
		return none{}, invalid(`give the new text of the prompt: {"text": "…"}; cancel removes it`)
	}
	if p.TurnID == "" {
		list, err := q.s.waiting(q.b)
		switch {
		case err != nil:
			return none{}, err
		case len(list) == 0:
			return none{}, invalid("no prompt is waiting")
		}
		p.TurnID = list[0].Turn
	}
	return none{}, q.b.EditPrompt(q.s.user.session(), p.TurnID, []acp.ContentBlock{acp.Text(p.Text)})
}
