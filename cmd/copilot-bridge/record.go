package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// recording writes both directions of the agent's traffic, one JSON object a line: dir ("c2a" from the client to the
// agent, "a2c" back), t (milliseconds since the start), msg. Secrets are redacted.
type recording struct {
	mu    sync.Mutex
	f     *os.File
	start time.Time
}

func openRecord(path string) (*recording, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, logFileMode)
	if err != nil {
		return nil, fmt.Errorf("open the recording: %w", err)
	}
	return &recording{f: f, start: time.Now()}, nil
}

type recordLine struct {
	Dir string         `json:"dir"`
	T   int64          `json:"t"`
	Msg jsontext.Value `json:"msg"`
}

func (r *recording) tap() func(acp.Direction, []byte) {
	if r == nil {
		return nil
	}
	return func(dir acp.Direction, line []byte) {
		l := recordLine{Dir: "a2c", T: time.Since(r.start).Milliseconds(), Msg: jsontext.Value(escape.Redact(string(line)))}
		if dir == acp.Sent {
			l.Dir = "c2a"
		}
		b, err := json.Marshal(l, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
		if err != nil {
			return // a line that is not JSON is no message; the log has it
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		_, _ = r.f.Write(append(b, '\n')) // a full disk ends the recording, not the turn
	}
}

func (r *recording) close() {
	if r != nil {
		r.f.Close()
	}
}
