package model

import (
	"context"
	"fmt"
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

// stream is the answer in pieces, as server-sent events. A client that goes away ends it.
func (a *answer) stream(ctx context.Context, w http.ResponseWriter, hold func(context.Context, string) error) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Connection", "close")
	out := http.NewResponseController(w)
	event := func(members map[string]any) error {
		piece := map[string]any{"id": "c", "object": "chat.completion.chunk", "created": 0, "model": Name}
		for name, value := range members {
			piece[name] = value
		}
		text, err := json.Marshal(piece, json.Deterministic(true))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "data: %s\n\n", text); err != nil {
			return err
		}
		return out.Flush()
	}
	delta := func(d map[string]any, finish any) error {
		return event(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": d, "finish_reason": finish}}})
	}
	err := delta(map[string]any{"role": "assistant", "content": ""}, nil)
	for i, piece := range pieces(a.step.Text, a.step.Chunks) {
		if err == nil {
			err = delta(map[string]any{"content": piece}, nil)
		}
		if err == nil && i == 0 {
			err = hold(ctx, a.step.Hold)
		}
	}
	if err == nil && a.step.Text == "" {
		err = hold(ctx, a.step.Hold)
	}
	if err == nil && len(a.calls) > 0 {
		err = delta(map[string]any{"tool_calls": a.calls}, nil)
	}
	if err == nil {
		err = delta(map[string]any{}, a.finish())
	}
	if err == nil {
		err = event(map[string]any{"choices": []any{}, "usage": a.usage})
	}
	if err == nil {
		_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
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
