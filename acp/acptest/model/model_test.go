package model

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(await.Watch(m)) }

func server(t *testing.T) *Server {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

type msg map[string]any

// ask posts a conversation and returns the status and the body.
func ask(t *testing.T, s *Server, stream bool, messages ...msg) (int, string) {
	t.Helper()
	body, err := json.Marshal(msg{"messages": messages, "stream": stream, "tools": []msg{{"function": msg{"name": "view"}}}})
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	out, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(out)
}

// said puts a stream together again.
func said(t *testing.T, stream string) (text string, calls []string, finish string) {
	t.Helper()
	done := false
	for lines := bufio.NewScanner(strings.NewReader(stream)); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		if data == "[DONE]" {
			done = true
			continue
		}
		var piece struct {
			Choices []struct {
				Delta struct {
					Content   string
					ToolCalls []struct {
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
				Finish string `json:"finish_reason"`
			}
		}
		if err := json.Unmarshal([]byte(data), &piece, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err, data)
		}
		for _, c := range piece.Choices {
			text += c.Delta.Content
			for _, call := range c.Delta.ToolCalls {
				calls = append(calls, call.Function.Name+call.Function.Arguments)
			}
			finish += c.Finish
		}
	}
	if !done {
		t.Error("the stream has no end")
	}
	return text, calls, finish
}

func TestStepsAnswerOneRequestEach(t *testing.T) {
	s := server(t)
	script := "Please. " + Script(Step{Text: "Grüße, I look", Chunks: 3, Tools: []Tool{{"view", msg{"path": "/a", "b": "<&>"}}, {"view", msg{}}}}, Say("It says [x].")) + " Thanks."
	turn := []msg{{"role": "system", "content": "be good"}, {"role": "user", "content": []msg{{"type": "text", "text": script}}}}
	_, out := ask(t, s, true, turn...)
	text, calls, finish := said(t, out)
	if text != "Grüße, I look" || !slices.Equal(calls, []string{`view{"b":"<&>","path":"/a"}`, "view{}"}) || finish != "tool_calls" {
		t.Errorf("have %q, %q, %q", text, calls, finish)
	}
	turn = append(turn, msg{"role": "assistant", "tool_calls": []msg{}}, msg{"role": "tool", "tool_call_id": "c", "content": "contents of a"})
	_, out = ask(t, s, true, turn...)
	if text, calls, finish := said(t, out); text != "It says [x]." || calls != nil || finish != "stop" {
		t.Errorf("have %q, %q, %q", text, calls, finish)
	}
	turn = append(turn, msg{"role": "assistant", "content": "It says [x]."})
	_, out = ask(t, s, false, turn...)
	if !strings.Contains(out, `"content":"done"`) {
		t.Errorf("have %s", out)
	}
	if got := s.ToolResults(); !slices.Equal(got, []string{"contents of a"}) {
		t.Errorf("results %q", got)
	}
	if !s.Saw("be good") || s.Saw("be bad") || !s.ToolNames()["view"] || len(s.Requests()) != 3 {
		t.Error("the requests are not kept")
	}
}

func TestAPromptMayHaveItsScriptBeside(t *testing.T) {
	s := server(t)
	s.When("the test", Call("view", msg{"path": "/a"}), Say("It passes."))
	user := msg{"role": "user", "content": "Make the test pass."}
	_, out := ask(t, s, true, user)
	if _, calls, _ := said(t, out); len(calls) != 1 {
		t.Errorf("the first step: %s", out)
	}
	_, out = ask(t, s, true, user, msg{"role": "assistant", "content": ""})
	if text, _, _ := said(t, out); text != "It passes." {
		t.Errorf("the second step: %s", out)
	}
	_, out = ask(t, s, true, user, msg{"role": "user", "content": Script(Say("from the newest"))})
	if text, _, _ := said(t, out); text != "from the newest" {
		t.Errorf("a script in a newer message: %s", out)
	}
}

func TestARequestWithoutAScriptGetsAWord(t *testing.T) {
	s := server(t)
	if _, out := ask(t, s, false, msg{"role": "user", "content": "hi"}); !strings.Contains(out, `"content":"ok"`) {
		t.Errorf("have %s", out)
	}
}

func TestAStepCanFail(t *testing.T) {
	s := server(t)
	if status, out := ask(t, s, true, msg{"role": "user", "content": Script(Step{Status: 500, Message: "boom"})}); status != 500 || !strings.Contains(out, "boom") {
		t.Errorf("have %d %s", status, out)
	}
	if status, out := ask(t, s, true, msg{"role": "user", "content": "SCRIPT [{"}); status != 400 || !strings.Contains(out, "ENDSCRIPT") {
		t.Errorf("have %d %s", status, out)
	}
}

func TestAStepHoldsUntilItIsReleased(t *testing.T) {
	s := server(t)
	ctx, cancel := context.WithTimeout(t.Context(), await.Limit)
	defer cancel()
	answered := make(chan string)
	go func() {
		_, out := ask(t, s, true, msg{"role": "user", "content": Script(Step{Text: "a b c", Hold: "here"})})
		answered <- out
	}()
	if err := s.Held(ctx, "here"); err != nil {
		t.Fatal(err)
	}
	s.Release("here")
	if text, _, _ := said(t, <-answered); text != "a b c" {
		t.Errorf("have %q", text)
	}
}

func TestTextOfAMessageMayBeInParts(t *testing.T) {
	for content, want := range map[string]string{`"a"`: "a", `[{"type":"text","text":"a"},{"type":"image"},{"text":"b"}]`: "ab", `null`: "", ``: ""} {
		if got := (Message{Content: jsontext.Value(content)}).Text(); got != want {
			t.Errorf("%s: have %q", content, got)
		}
	}
}
