package model

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// post sends a question to one of the interfaces.
func post(t *testing.T, s *Server, path string, body any) string {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Post(s.URL()+path, "application/json", strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	out, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestTheOtherInterfacesAnswerTheSameScript: Anthropic's Messages and OpenAI's Responses, in their own shapes.
func TestTheOtherInterfacesAnswerTheSameScript(t *testing.T) {
	script := Script(Step{Text: "looking", Tools: []Tool{{"ns.view", msg{"path": "/a"}}}}, Say("fin"))
	for _, c := range []struct {
		name, path   string
		first, again any
		want         [2][]string // what the answers hold
	}{
		{"anthropic", "/messages",
			msg{"stream": true, "messages": []msg{{"role": "user", "content": script}}, "tools": []msg{{"name": "ns.view"}}},
			msg{"stream": true, "messages": []msg{{"role": "user", "content": []msg{{"type": "text", "text": script}}},
				{"role": "assistant", "content": []msg{{"type": "text", "text": "looking"}, {"type": "tool_use", "id": "c", "name": "ns.view", "input": msg{}}}},
				{"role": "user", "content": []msg{{"type": "tool_result", "tool_use_id": "c", "content": []msg{{"type": "text", "text": "the text of a"}}}}}}},
			[2][]string{{`event: message_start`, `"text":"lo"`, `"name":"ns.view"`, `"partial_json":"{\"path\":\"/a\"}"`, `"stop_reason":"tool_use"`, `event: message_stop`}, {`"text":"f"`, `"stop_reason":"end_turn"`}}},
		{"responses", "/responses",
			msg{"input": []msg{{"role": "user", "content": []msg{{"type": "input_text", "text": script}}}}, "tools": []msg{{"type": "namespace", "name": "ns", "tools": []msg{{"name": "view"}}}}},
			msg{"input": []msg{{"role": "user", "content": []msg{{"type": "input_text", "text": script}}},
				{"role": "assistant", "content": []msg{{"type": "output_text", "text": "looking"}}}, {"type": "function_call", "call_id": "c", "name": "view"},
				{"type": "function_call_output", "call_id": "c", "output": "the text of a"}}},
			[2][]string{{`event: response.created`, `"delta":"lo"`, `"name":"view","namespace":"ns"`, `"arguments":"{\"path\":\"/a\"}"`, `event: response.completed`}, {`"delta":"f"`, `event: response.completed`}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := server(t)
			for i, q := range []any{c.first, c.again} {
				got := post(t, s, c.path, q)
				for _, want := range c.want[i] {
					if !strings.Contains(got, want) {
						t.Errorf("answer %d has no %s:\n%s", i, want, got)
					}
				}
			}
			if !s.ToolNames()["ns.view"] || !slices.Equal(s.ToolResults(), []string{"the text of a"}) {
				t.Errorf("offered %v, told %v", s.ToolNames(), s.ToolResults())
			}
		})
	}
}

// TestAnthropicInOnePiece: not every client asks for a stream.
func TestAnthropicInOnePiece(t *testing.T) {
	got := post(t, server(t), "/messages", msg{"tools": []msg{{"name": "view"}}, "messages": []msg{{"role": "user", "content": Script(Call("view", msg{"path": "/a"}))}}})
	if !strings.Contains(got, `"input":{"path":"/a"}`) || !strings.Contains(got, `"stop_reason":"tool_use"`) {
		t.Errorf("answered %s", got)
	}
	if got := post(t, server(t), "/messages", msg{"messages": []msg{{"role": "user", "content": Script(Step{Status: 500, Message: "no"})}}}); !strings.Contains(got, `"type":"error"`) {
		t.Errorf("a failure is %s", got)
	}
}
