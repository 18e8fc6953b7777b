package canary

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
)

// modelName is what the scripted model is called.
const modelName = "canary"

// model is a language model that is a script: asked with one of the prompts it calls the tool that goes with it, and says
// "done" to the result. It speaks the chat completions interface, streaming.
//
// This is the one place in the program that opens a port, because an agent takes its model from nowhere else: on loopback,
// for the seconds of a trial, for whoever knows the path, which is random. There is nothing behind it but the script.
type model struct {
	key    string
	script map[string]toolCall // by the prompt
	http   *http.Server
	base   string
	served sync.WaitGroup

	mu      sync.Mutex
	called  map[string]bool // prompts whose tool was called
	offered map[string]bool // tools the agent has offered
}

// toolCall is a call of a tool of the agent's own.
type toolCall struct {
	name string
	args map[string]any
}

// openModel starts the model on a free port of loopback.
func openModel(script map[string]toolCall) (*model, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open the scripted model: %w", err)
	}
	m := &model{key: rand.Text(), script: script, called: map[string]bool{}, offered: map[string]bool{}}
	m.base = "http://" + listener.Addr().String() + "/" + m.key + "/v1"
	m.http = &http.Server{Handler: http.HandlerFunc(m.serve), ReadHeaderTimeout: closeLimit, ReadTimeout: Limit, MaxHeaderBytes: maxHeader}
	m.served.Go(func() { _ = m.http.Serve(listener) })
	return m, nil
}

// close ends the model and all answers under way.
func (m *model) close() {
	_ = m.http.Close()
	m.served.Wait()
}

func (m *model) serve(w http.ResponseWriter, r *http.Request) {
	key, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	host, _, _ := net.SplitHostPort(r.Host)
	switch {
	case subtle.ConstantTimeCompare([]byte(key), []byte(m.key)) != 1, host != "127.0.0.1":
		http.NotFound(w, r)
	case r.Method == http.MethodGet && rest == "v1/models":
		reply(w, map[string]any{"object": "list", "data": []any{map[string]any{"id": modelName, "object": "model"}}})
	case r.Method == http.MethodPost && rest == "v1/chat/completions":
		m.complete(w, r)
	default:
		http.NotFound(w, r)
	}
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.MarshalWrite(w, v)
}

// question is what the interface is asked, as far as the script looks at it.
type question struct {
	Messages []struct {
		Role    string `json:"role"`
		Content any    `json:"content"` // a string, or parts with a text
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
	Stream bool `json:"stream"`
}

func (m *model) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	var q question
	if err == nil {
		err = json.Unmarshal(body, &q)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	call, text := m.answer(q)
	message := map[string]any{"role": "assistant", "content": text}
	finish := "stop"
	if call != nil {
		args, err := json.Marshal(call.args, json.Deterministic(true))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		finish = "tool_calls"
		message["tool_calls"] = []any{map[string]any{
			"index": 0, "id": "call_" + rand.Text(), "type": "function", "function": map[string]any{"name": call.name, "arguments": string(args)},
		}}
	}
	usage := map[string]any{"prompt_tokens": len(body) / 4, "completion_tokens": 1, "total_tokens": len(body)/4 + 1}
	if !q.Stream {
		reply(w, map[string]any{"id": "c", "object": "chat.completion", "model": modelName, "usage": usage,
			"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "message": message}}})
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(members map[string]any) {
		piece := map[string]any{"id": "c", "object": "chat.completion.chunk", "created": 0, "model": modelName}
		for name, value := range members {
			piece[name] = value
		}
		if b, err := json.Marshal(piece, json.Deterministic(true)); err == nil {
			fmt.Fprintf(w, "data: %s\n\n", b) // a client that has gone away needs no answer
		}
	}
	event(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": message, "finish_reason": nil}}})
	event(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish}}})
	event(map[string]any{"choices": []any{}, "usage": usage})
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// answer is the call that goes with the newest prompt, or words if it has been made, or if the agent offers no tools and
// so wants a title.
func (m *model) answer(q question) (call *toolCall, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range q.Tools {
		m.offered[t.Function.Name] = true
	}
	if len(q.Tools) == 0 {
		return nil, "trial"
	}
	for i := len(q.Messages) - 1; i >= 0; i-- {
		if q.Messages[i].Role == "assistant" {
			break // it has been answered
		}
		if q.Messages[i].Role != "user" {
			continue
		}
		for prompt, c := range m.script {
			if strings.Contains(words(q.Messages[i].Content), prompt) && !m.called[prompt] {
				m.called[prompt] = true
				return &c, ""
			}
		}
	}
	return nil, "done"
}

// words is the text of a message.
func words(content any) string {
	switch c := content.(type) {
	case string:
		return c
	case []any:
		var b strings.Builder
		for _, part := range c {
			if p, ok := part.(map[string]any); ok {
				text, _ := p["text"].(string)
				b.WriteString(text)
			}
		}
		return b.String()
	}
	return ""
}

// wasCalled says whether the tool of a prompt was called.
func (m *model) wasCalled(prompt string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.called[prompt]
}

// offers are those of the names that the agent has offered its model.
func (m *model) offers(names []string) (out []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range names {
		if m.offered[n] {
			out = append(out, n)
		}
	}
	return out
}
