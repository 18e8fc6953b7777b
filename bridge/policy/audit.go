package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
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
	Who     Who       `json:"who"`
}

// Who made a decision. Logs of older versions have "person" for the user, and for "--yes" and "--no".
type Who string

const (
	ByRule   Who = "rule"   // a rule, a remembered answer or a mode
	ByUser   Who = "user"   // an answer to this question
	ByYes    Who = "--yes"  // the command line, to every question
	ByNo     Who = "--no"   // likewise
	ByNobody Who = "nobody" // there was nobody to ask, or no answer that counts
)

// Audit writes every decision as one JSON line, secrets redacted. A log that cannot be written stops nothing.
type Audit struct {
	mu     sync.Mutex
	f      *os.File
	path   string
	size   int64
	hidden []string
}

// OpenAudit opens the log for appending, mode 0600. path "" keeps none.
func OpenAudit(path string) (*Audit, error) {
	if path == "" {
		return &Audit{}, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	a := &Audit{path: path}
	return a, a.open()
}

// open opens the file, moved aside first if it is too large. Caller holds mu, or is alone.
func (a *Audit) open() error {
	if fi, err := os.Lstat(a.path); err == nil {
		if err := private(fi); err != nil {
			return fmt.Errorf("%s: %w", a.path, err)
		}
		if a.size = fi.Size(); a.size >= maxAudit {
			if err := os.Rename(a.path, a.path+".1"); err != nil {
				return err
			}
			a.size = 0
		}
	}
	f, err := durable.Append(a.path)
	a.f = f.File
	return err
}

// Hide names values that must not get into the log wherever they come from: the secrets of the environment.
func (a *Audit) Hide(values []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.hidden = append(a.hidden, values...)
}

// Record writes one decision.
func (a *Audit) Record(e Entry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.f == nil {
		return
	}
	e.What, e.Why = a.clean(e.What), a.clean(e.Why)
	b, err := json.Marshal(e, jsontext.AllowInvalidUTF8(true), jsontext.EscapeForJS(true))
	if err != nil {
		return
	}
	n, err := a.f.Write(append(b, '\n'))
	if a.size += int64(n); err == nil && a.size >= maxAudit {
		a.f.Close()
		if a.open() != nil {
			a.f = nil // a log that cannot be written stops nothing
		}
	}
}

// clean takes secrets out of a text and cuts it where nobody reads on. Caller holds mu.
func (a *Audit) clean(text string) string {
	text = escape.RedactValues(text, a.hidden)
	head := escape.Head(text, maxAuditText)
	if len(head) == len(text) {
		return text
	}
	return head + fmt.Sprintf("… [%d more bytes]", len(text)-len(head))
}

// Close closes the log.
func (a *Audit) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.f == nil {
		return nil
	}
	err := a.f.Close()
	a.f = nil
	return err
}

// ReadAudit gives the entries of a log, oldest first, at most the last n. A line that is damaged is left out.
func ReadAudit(path string, n int) ([]Entry, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Entry
	for line := range bytes.Lines(b) {
		var e Entry
		if json.Unmarshal(line, &e, jsontext.AllowInvalidUTF8(true)) == nil {
			out = append(out, e)
		}
	}
	return out[max(0, len(out)-n):], nil
}
