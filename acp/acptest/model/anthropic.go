package model

import (
	"context"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The Messages interface of Anthropic (POST /v1/messages), as Claude Code uses it.

// A block is a piece of a message's content there.
type block struct {
	Type    string         `json:"type"`
	Text    string         `json:"text"`
	ID      string         `json:"tool_use_id"`
	Content jsontext.Value `json:"content"` // of a tool_result
}

type anthropicQuestion struct {
	Messages []struct {
		Role    string         `json:"role"`
		Content jsontext.Value `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Schema      jsontext.Value `json:"input_schema"`
	} `json:"tools"`
	Stream bool `json:"stream"`
}

var anthropic = api[anthropicQuestion]{(*anthropicQuestion).request, (*answer).asAnthropic, refuseAnthropic}

func (q *anthropicQuestion) request() Request {
	request := Request{Stream: q.Stream}
	for _, m := range q.Messages {
		request.Messages = append(request.Messages, fromBlocks(m.Role, m.Content)...)
	}
	for _, t := range q.Tools {
		var offer ToolOffer
		offer.Function.Name, offer.Function.Description, offer.Function.Parameters = t.Name, t.Description, t.Schema
		request.Tools = append(request.Tools, offer)
	}
	return request
}

// fromBlocks are the messages that one with blocks stands for: each result of a tool is one of its own.
func fromBlocks(role string, content jsontext.Value) []Message {
	var blocks []block
	if json.Unmarshal(content, &blocks) != nil {
		return []Message{{Role: role, Content: content}} // a string
	}
	var out []Message
	said := false
	for _, b := range blocks {
		if b.Type == "tool_result" {
			out = append(out, Message{Role: "tool", Content: b.Content, ToolCallID: b.ID})
		} else {
			said = true
		}
	}
	if said {
		out = append(out, Message{Role: role, Content: content})
	}
	return out
}

func refuseAnthropic(w http.ResponseWriter, status int, err error) {
	reply(w, status, map[string]any{"type": "error", "error": map[string]any{"type": "invalid_request_error", "message": err.Error()}})
}

// asAnthropic writes the answer, in one piece or as server-sent events.
func (a *answer) asAnthropic(ctx context.Context, w http.ResponseWriter, stream bool, hold holder) {
	why := "end_turn"
	if len(a.calls) > 0 {
		why = "tool_use"
	}
	usage := map[string]any{"input_tokens": a.usage.Prompt, "output_tokens": a.usage.Completion, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
	message := map[string]any{"id": "msg_" + a.id, "type": "message", "role": "assistant", "model": Name, "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}
	if !stream {
		content := []any{map[string]any{"type": "text", "text": a.step.Text}}
		for _, c := range a.calls {
			content = append(content, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Function.Name, "input": jsontext.Value(c.Function.Arguments)})
		}
		message["content"], message["stop_reason"] = content, why
		if hold(ctx, a.step.Hold) == nil {
			reply(w, http.StatusOK, message)
		}
		return
	}
	e := newEvents(w)
	e.send("message_start", map[string]any{"message": message})
	index := 0
	if a.step.Text != "" {
		e.send("content_block_start", map[string]any{"index": 0, "content_block": map[string]any{"type": "text", "text": ""}})
		index++
	}
	a.say(ctx, e, hold, func(piece string) {
		e.send("content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "text_delta", "text": piece}})
	})
	if a.step.Text != "" {
		e.send("content_block_stop", map[string]any{"index": 0})
	}
	for _, c := range a.calls {
		e.send("content_block_start", map[string]any{"index": index, "content_block": map[string]any{"type": "tool_use", "id": c.ID, "name": c.Function.Name, "input": map[string]any{}}})
		e.send("content_block_delta", map[string]any{"index": index, "delta": map[string]any{"type": "input_json_delta", "partial_json": c.Function.Arguments}})
		e.send("content_block_stop", map[string]any{"index": index})
		index++
	}
	e.send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": why, "stop_sequence": nil}, "usage": usage})
	e.send("message_stop", map[string]any{})
}
