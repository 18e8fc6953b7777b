package policy

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Entry is one decision in the log.
type Entry struct {
	Time    time.Time `json:"time"`
	Session string    `json:"session"`
	Tool    Tool      `json:"tool"`
	What    string    `json:"what"`
	Verdict Verdict   `json:"verdict"`
	Why     string    `json:"why"`
	Who     string    `json:"who"` // "rule", "person" or "nobody"
}

// Audit writes every decision as one JSON line, secrets redacted. A log that cannot be written stops nothing.
type Audit struct {
	mu sync.Mutex
	f  *os.File
}

// maxAudit is where a log is moved aside to NAME.1; one older one is kept.
const maxAudit = 16 << 20

// OpenAudit opens the log for appending, mode 0600. path "" keeps none.
func OpenAudit(path string) (*Audit, error) {
	if path == "" {
		return &Audit{}, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if fi, err := os.Stat(path); err == nil && fi.Size() > maxAudit {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &Audit{f: f}, nil
}

// Record writes one decision.
func (a *Audit) Record(e Entry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.f == nil {
		return
	}
	e.What, e.Why = escape.Redact(e.What), escape.Redact(e.Why)
	b, err := json.Marshal(e, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return
	}
	a.f.Write(append(b, '\n'))
}

// Close closes the log.
func (a *Audit) Close() error {
	if a.f == nil {
		return nil
	}
	return a.f.Close()
}
