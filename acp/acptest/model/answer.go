package model

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
)

// answer is one answer in the shapes of the interface.
type answer struct {
	id    string
	step  Step
	calls []call
	usage usage
}

type call struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// A token is taken to be four bytes.
func newAnswer(step Step, r Request, number int) (*answer, error) {
	a := &answer{id: strconv.Itoa(number), step: step}
	for i, tool := range step.Tools {
		args, err := json.Marshal(tool.Args, json.Deterministic(true))
		if err != nil {
			return nil, fmt.Errorf("arguments of %s: %w", tool.Name, err)
		}
		c := call{Index: i, ID: fmt.Sprintf("call_%d_%d", number, i), Type: "function"}
		c.Function.Name, c.Function.Arguments = tool.Name, string(args)
		a.calls = append(a.calls, c)
	}
	for _, m := range r.Messages {
		a.usage.Prompt += len(m.Text()) / 4
	}
	a.usage.Completion = len(step.Text)/4 + 1
	a.usage.Total = a.usage.Prompt + a.usage.Completion
	return a, nil
}

func (a *answer) finish() string {
	if len(a.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

// whole is the answer in one piece.
func (a *answer) whole() any {
	message := map[string]any{"role": "assistant", "content": a.step.Text}
	if a.step.Text == "" {
		message["content"] = nil
	}
	if len(a.calls) > 0 {
		message["tool_calls"] = a.calls
	}
	return map[string]any{
		"id": "c", "object": "chat.completion", "model": Name, "usage": a.usage,
		"choices": []any{map[string]any{"index": 0, "finish_reason": a.finish(), "message": message}},
	}
}

// asChat writes the answer, in one piece or as server-sent events. A client that goes away ends it.
func (a *answer) asChat(ctx context.Context, w http.ResponseWriter, stream bool, hold holder) {
	if !stream {
		if hold(ctx, a.step.Hold) == nil {
			reply(w, http.StatusOK, a.whole())
		}
		return
	}
	e := newEvents(w)
	event := func(members map[string]any) {
		maps.Copy(members, map[string]any{"id": "c", "object": "chat.completion.chunk", "created": 0, "model": Name})
		e.send("", members)
	}
	delta := func(d map[string]any, finish any) {
		event(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": d, "finish_reason": finish}}})
	}
	delta(map[string]any{"role": "assistant", "content": ""}, nil)
	a.say(ctx, e, hold, func(piece string) { delta(map[string]any{"content": piece}, nil) })
	if len(a.calls) > 0 {
		delta(map[string]any{"tool_calls": a.calls}, nil)
	}
	delta(map[string]any{}, a.finish())
	event(map[string]any{"choices": []any{}, "usage": a.usage})
	e.write("data: [DONE]\n\n")
}

// say sends the text in its pieces, and holds after the first one, or where there is none.
func (a *answer) say(ctx context.Context, e *events, hold holder, send func(piece string)) {
	said := pieces(a.step.Text, a.step.Chunks)
	if len(said) > 0 {
		send(said[0])
	}
	e.wait(ctx, a.step.Hold, hold)
	for _, piece := range said[min(1, len(said)):] {
		send(piece)
	}
}

// pieces cuts a text into n parts of about the same length, between characters.
func pieces(text string, n int) []string {
	if n <= 0 {
		n = 4
	}
	all := []rune(text)
	size := max(1, (len(all)+n-1)/n)
	var parts []string
	for len(all) > 0 {
		m := min(size, len(all))
		parts = append(parts, string(all[:m]))
		all = all[m:]
	}
	return parts
}
