package model

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestTheModelAnswersOnlyWhoKnowsItsPath guards the port of the trial: on loopback, and nothing for anyone who finds it.
func TestTheModelAnswersOnlyWhoKnowsItsPath(t *testing.T) {
	m, err := Listen(func(Request) {})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	defer http.DefaultClient.CloseIdleConnections()
	do := func(method, url, host string, body io.Reader) int {
		req, err := http.NewRequestWithContext(t.Context(), method, url, body)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			req.Host = host
		}
		r, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		return r.StatusCode
	}
	if !strings.HasPrefix(m.URL(), "http://127.0.0.1:") {
		t.Errorf("it listens on %s", m.URL())
	}
	root := strings.TrimSuffix(m.URL(), "/"+m.key+"/v1")
	for url, want := range map[string]int{
		m.URL() + "/models": 200, m.URL() + "/files": 404, root + "/v1/models": 404, root + "/" + m.key[1:] + "/v1/models": 404, root + "/": 404,
	} {
		if got := do(http.MethodGet, url, "", nil); got != want {
			t.Errorf("%s: %d, want %d", strings.ReplaceAll(url, m.key, "KEY"), got, want)
		}
	}
	if got := do(http.MethodGet, m.URL()+"/models", "evil.example:80", nil); got != 404 {
		t.Errorf("asked as another host: %d", got)
	}
	hold := msg{"tools": []msg{{}}, "messages": []msg{{"role": "user", "content": Script(Step{Text: "at once", Hold: "for ever"})}}}
	if got := post(t, m, "/chat/completions", hold); !strings.Contains(got, "at once") {
		t.Errorf("a step that would hold: %s", got)
	}
	for _, path := range []string{"/messages", "/messages/count_tokens", "/responses"} {
		if got := do(http.MethodPost, m.URL()+path, "", strings.NewReader("{}")); got != 404 {
			t.Errorf("%s: %d, want nothing but chat completions", path, got)
		}
	}
}

// TestARequestIsBounded, without a connection: the server keeps one that has sent too much for half a second.
func TestARequestIsBounded(t *testing.T) {
	m := newServer()
	m.heard = func(Request) {}
	for size, want := range map[int]int{maxRequest: 200, maxRequest + 1: 400} {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:1/"+m.key+"/v1/chat/completions", strings.NewReader("{}"+strings.Repeat(" ", size-2)))
		w := httptest.NewRecorder()
		m.serve(w, r)
		if w.Code != want {
			t.Errorf("a request of %d bytes: %d, want %d", size, w.Code, want)
		}
	}
}

// TestWhatOffersNoToolsGetsNoCall: an agent that wants a title for a prompt with a script gets a word.
func TestWhatOffersNoToolsGetsNoCall(t *testing.T) {
	s := server(t)
	for _, script := range []string{Script(Call("view", msg{})), Script(Step{Text: "I look", Tools: []Tool{{"view", msg{}}}})} {
		if got := post(t, s, "/chat/completions", msg{"messages": []msg{{"role": "user", "content": script}}}); strings.Contains(got, "tool_calls") || strings.Contains(got, `"content":null`) {
			t.Errorf("answered %s", got)
		}
	}
}
