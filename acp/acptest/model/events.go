package model

import (
	"context"
	"net/http"

	"github.com/go-json-experiment/json"
)

// holder returns once a step may go on that holds under a name, or with ctx's error.
type holder func(ctx context.Context, name string) error

// events writes server-sent events. After an error nothing is written.
type events struct {
	w   http.ResponseWriter
	out *http.ResponseController
	err error
}

func newEvents(w http.ResponseWriter) *events {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Connection", "close")
	return &events{w: w, out: http.NewResponseController(w)}
}

// send writes an event; one that has a name has it as its type too.
func (e *events) send(name string, members map[string]any) {
	head := ""
	if name != "" {
		members["type"] = name
		head = "event: " + name + "\n"
	}
	text, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		e.err = err
		return
	}
	e.write(head + "data: " + string(text) + "\n\n")
}

func (e *events) write(text string) {
	if e.err == nil {
		_, e.err = e.w.Write([]byte(text))
	}
	if e.err == nil {
		e.err = e.out.Flush()
	}
}

func (e *events) wait(ctx context.Context, name string, hold holder) {
	if e.err == nil {
		e.err = hold(ctx, name)
	}
}
