package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"

	"github.com/go-json-experiment/json"
)

// Server is the model. Start it with New, end it with Close.
type Server struct {
	http     *http.Server
	listener net.Listener
	served   sync.WaitGroup

	mu       sync.Mutex
	requests []Request
	released map[string]bool
	held     map[string]bool
	changed  chan struct{} // closed when released or held changes
	answers  int           // numbers the tool calls
}

// New starts a model on a free port of loopback.
func New() (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the scripted model: %w", err)
	}
	s := &Server{listener: listener, released: map[string]bool{}, held: map[string]bool{}, changed: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", s.models)
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	mux.HandleFunc("POST /v1/messages", s.messages)
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{"input_tokens": 1})
	})
	mux.HandleFunc("POST /v1/responses", s.responses)
	s.http = &http.Server{Handler: mux} //nolint:gosec // loopback, for one test: no timeouts
	s.served.Go(func() { _ = s.http.Serve(listener) })
	return s, nil
}

// URL is what a client takes for the base of the interface.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/v1" }

// Close ends the model and all answers under way.
func (s *Server) Close() {
	_ = s.http.Close()
	s.served.Wait()
}

// Release lets steps go on that hold under a name, now and later.
func (s *Server) Release(name string) { s.change(func() { s.released[name] = true }) }

// Held returns once a step holds under the name.
func (s *Server) Held(ctx context.Context, name string) error {
	return s.wait(ctx, func() bool { return s.held[name] })
}

func (s *Server) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Server) wait(ctx context.Context, met func() bool) error {
	for {
		s.mu.Lock()
		ok, changed := met(), s.changed
		s.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, map[string]any{"object": "list", "data": []any{map[string]any{"id": Name, "object": "model"}}})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.MarshalWrite(w, v)
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request Request
	if err == nil {
		err = json.Unmarshal(body, &request)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	request.Raw = body
	a, status, err := s.answerTo(request)
	if err != nil {
		refuse(w, status, err)
		return
	}
	if request.Stream {
		a.stream(r.Context(), w, s.hold)
		return
	}
	if err := s.hold(r.Context(), a.step.Hold); err == nil {
		reply(w, http.StatusOK, a.whole())
	}
}

// answerTo notes a question and finds the answer to it. With an error, status is that of the refusal.
func (s *Server) answerTo(request Request) (a *answer, status int, err error) {
	s.mu.Lock()
	s.requests = append(s.requests, request)
	s.answers++
	number := s.answers
	s.mu.Unlock()

	step, scripted, err := stepFor(request.Messages)
	switch {
	case err != nil:
		return nil, http.StatusBadRequest, err
	case !scripted && len(request.Tools) == 0:
		step = Say("title")
	case step.Status != 0:
		return nil, step.Status, errors.New(step.Message)
	}
	a, err = newAnswer(step, request, number)
	return a, http.StatusBadRequest, err
}

func (s *Server) hold(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	s.change(func() { s.held[name] = true })
	return s.wait(ctx, func() bool { return s.released[name] })
}

func refuse(w http.ResponseWriter, status int, err error) {
	reply(w, status, map[string]any{"error": map[string]any{"message": err.Error(), "code": status}})
}
