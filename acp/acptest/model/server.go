package model

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
)

// Name is what the model is called.
const Name = "mock"

// Server is the model. Start it with New or Listen, end it with Close.
//
// It opens a port, because an agent takes its model from nowhere else: on loopback, for anyone who knows the path, which is
// random.
type Server struct {
	key    string // the first element of every path
	base   string
	mux    http.ServeMux
	http   *http.Server
	served sync.WaitGroup
	heard  func(Request)

	mu       sync.Mutex
	requests []Request
	released map[string]bool // nil, as held, where nothing is ever held
	held     map[string]bool
	scripts  map[string]string // what [Server.When] was told, by the text of a prompt
	changed  chan struct{}     // closed when released or held changes
	answers  int               // numbers the tool calls
}

// New starts a model for a test. It speaks all interfaces that agents use and keeps what it is asked.
func New() (*Server, error) {
	s := newServer()
	s.heard, s.released, s.held = s.keep, map[string]bool{}, map[string]bool{}
	s.mux.HandleFunc("POST /{key}/v1/messages", anthropic.handler(s))
	s.mux.HandleFunc("POST /{key}/v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{"input_tokens": 1})
	})
	s.mux.HandleFunc("POST /{key}/v1/responses", responses.handler(s))
	return s, s.listen()
}

// Listen starts a model that speaks chat completions only, keeps nothing and holds nothing: heard is given each request, on the
// goroutine that answers it, before it is answered.
func Listen(heard func(Request)) (*Server, error) {
	s := newServer()
	s.heard = heard
	return s, s.listen()
}

func newServer() *Server {
	s := &Server{key: rand.Text(), changed: make(chan struct{})}
	s.mux.HandleFunc("GET /{key}/v1/models", s.models)
	s.mux.HandleFunc("POST /{key}/v1/chat/completions", chat.handler(s))
	return s
}

// listen opens a free port of loopback.
func (s *Server) listen() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("start the scripted model: %w", err)
	}
	s.base = "http://" + listener.Addr().String() + "/" + s.key
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: headerLimit, ReadTimeout: requestLimit, MaxHeaderBytes: maxHeader}
	s.served.Go(func() { _ = s.http.Serve(listener) })
	return nil
}

// serve is the one way in: for requests that know the path, and were not sent to another host's name.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	key, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	host, _, _ := net.SplitHostPort(r.Host)
	if subtle.ConstantTimeCompare([]byte(key), []byte(s.key)) != 1 || host != "127.0.0.1" {
		http.NotFound(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxRequest)
	s.mux.ServeHTTP(w, r)
}

// URL is what a client takes for the base of the interface.
func (s *Server) URL() string { return s.base + "/v1" }

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

// An api is one of the interfaces: how a question of type Q is read, and how it is answered.
type api[Q any] struct {
	question func(*Q) Request
	answer   func(a *answer, ctx context.Context, w http.ResponseWriter, stream bool, hold holder)
	refuse   func(w http.ResponseWriter, status int, err error)
}

func (i api[Q]) handler(s *Server) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		q := new(Q)
		if err == nil {
			err = json.Unmarshal(body, q)
		}
		if err != nil {
			i.refuse(w, http.StatusBadRequest, err)
			return
		}
		request := i.question(q)
		request.Raw = body
		a, status, err := s.answerTo(request)
		if err != nil {
			i.refuse(w, status, err)
			return
		}
		i.answer(a, r.Context(), w, request.Stream, s.hold)
	}
}

// chat is the chat completions of OpenAI (POST /v1/chat/completions).
var chat = api[Request]{func(r *Request) Request { return *r }, (*answer).asChat, refuse}

// answerTo notes a question and finds the answer to it. With an error, status is that of the refusal.
func (s *Server) answerTo(request Request) (a *answer, status int, err error) {
	s.heard(request)
	s.mu.Lock()
	s.answers++
	number := s.answers
	s.mu.Unlock()

	step, scripted, err := s.stepFor(request.Messages)
	switch {
	case err != nil:
		return nil, http.StatusBadRequest, err
	case !scripted && len(request.Tools) == 0:
		step = Say("title")
	case len(request.Tools) == 0 && len(step.Tools) > 0: // a title again, of a prompt with a script
		step = Say(cmp.Or(step.Text, "title"))
	case step.Status != 0:
		return nil, step.Status, errors.New(step.Message)
	}
	a, err = newAnswer(step, request, number)
	return a, http.StatusBadRequest, err
}

func (s *Server) hold(ctx context.Context, name string) error {
	if name == "" || s.held == nil {
		return nil
	}
	s.change(func() { s.held[name] = true })
	return s.wait(ctx, func() bool { return s.released[name] })
}

func refuse(w http.ResponseWriter, status int, err error) {
	reply(w, status, map[string]any{"error": map[string]any{"message": err.Error(), "code": status}})
}
