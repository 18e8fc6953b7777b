package model

import (
	"context"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The Responses interface of OpenAI (POST /v1/responses), as Codex uses it: always as server-sent events.

// An item is a piece of the conversation there.
type item struct {
	Type    string         `json:"type"` // "" is a message
	Role    string         `json:"role"`
	Content jsontext.Value `json:"content"`
	CallID  string         `json:"call_id"`
	Output  jsontext.Value `json:"output"`
}

type responsesQuestion struct {
	Input []item    `json:"input"`
	Tools []offered `json:"tools"`
}

var responses = api[responsesQuestion]{func(q *responsesQuestion) Request {
	return Request{Stream: true, Messages: fromItems(q.Input), Tools: offers("", q.Tools)}
}, (*answer).asResponse, refuse}

// offered is a tool; one of the type namespace holds others.
type offered struct {
	Type        string         `json:"type"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  jsontext.Value `json:"parameters"`
	Tools       []offered      `json:"tools"`
}

// offers are the tools by the names that [Call] takes: those in a namespace have it before a point.
func offers(space string, list []offered) (out []ToolOffer) {
	for _, t := range list {
		if t.Type == "namespace" {
			out = append(out, offers(t.Name+".", t.Tools)...)
			continue
		}
		var o ToolOffer
		o.Function.Name, o.Function.Description, o.Function.Parameters = space+t.Name, t.Description, t.Parameters
		out = append(out, o)
	}
	return out
}

// fromItems are the messages of a conversation. What the model said and called in one answer is one message.
func fromItems(list []item) (out []Message) {
	answering := false
	for _, it := range list {
		switch {
		case it.Type == "function_call_output" || it.Type == "custom_tool_call_output":
			out = append(out, Message{Role: "tool", Content: it.Output, ToolCallID: it.CallID})
			answering = false
		case it.Role == "user" || it.Role == "developer" || it.Role == "system":
			out = append(out, Message{Role: it.Role, Content: it.Content})
			answering = false
		case it.Type == "reasoning":
		case answering:
		default:
			out = append(out, Message{Role: "assistant", Content: it.Content})
			answering = true
		}
	}
	return out
}

// asResponse writes the answer.
func (a *answer) asResponse(ctx context.Context, w http.ResponseWriter, _ bool, hold holder) {
	e := newEvents(w)
	e.send("response.created", map[string]any{"response": map[string]any{"id": "resp_" + a.id, "model": Name}})
	index := 0
	text := map[string]any{"type": "message", "id": "item_" + a.id, "role": "assistant", "content": []any{}}
	if a.step.Text != "" {
		e.send("response.output_item.added", map[string]any{"output_index": 0, "item": text})
	}
	a.say(ctx, e, hold, func(piece string) {
		e.send("response.output_text.delta", map[string]any{"item_id": "item_" + a.id, "output_index": 0, "content_index": 0, "delta": piece})
	})
	if a.step.Text != "" {
		text["content"] = []any{map[string]any{"type": "output_text", "text": a.step.Text, "annotations": []any{}}}
		e.send("response.output_item.done", map[string]any{"output_index": 0, "item": text})
		index++
	}
	for _, c := range a.calls {
		e.send("response.output_item.done", map[string]any{"output_index": index, "item": c.asItem()})
		index++
	}
	e.send("response.completed", map[string]any{"response": map[string]any{"id": "resp_" + a.id, "usage": map[string]any{
		"input_tokens": a.usage.Prompt, "input_tokens_details": map[string]any{"cached_tokens": 0},
		"output_tokens": a.usage.Completion, "output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": a.usage.Total,
	}}})
}

// asItem is a call of a tool. A name with a point is one in a namespace; arguments that are a text are those of a tool that
// takes one (type custom).
func (c *call) asItem() map[string]any {
	out := map[string]any{"type": "function_call", "id": "item_" + c.ID, "call_id": c.ID, "name": c.Function.Name, "arguments": c.Function.Arguments}
	if space, name, ok := strings.Cut(c.Function.Name, "."); ok {
		out["namespace"], out["name"] = space, name
	}
	var text string
	if json.Unmarshal([]byte(c.Function.Arguments), &text) == nil {
		delete(out, "arguments")
		out["type"], out["input"] = "custom_tool_call", text
	}
	return out
}
