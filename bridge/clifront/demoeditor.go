package clifront

import (
	"context"
	"os"
	"slices"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// demoEditor is an editor with one buffer.
type demoEditor struct {
	overlay *fsproxy.Overlay
	path    string

	mu      sync.Mutex
	text    string
	version int32
}

func (e *demoEditor) open() {
	e.version = 1
	e.overlay.Open(e.path, e.version, e.text)
}

// typeText replaces the buffer's text, as the user would by typing.
func (e *demoEditor) typeText(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.set(text)
}

// set tells the overlay of a new text. Caller holds mu.
func (e *demoEditor) set(text string) {
	e.text = text
	e.version++
	// A whole text is always in range.
	_ = e.overlay.Change(e.path, e.version, []fsproxy.Edit{{Full: true, New: text}})
}

func (e *demoEditor) current() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.text
}

// ApplyEdit implements [fsproxy.Editor].
func (e *demoEditor) ApplyEdit(_ context.Context, req fsproxy.ApplyRequest) (fsproxy.ApplyReply, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if req.Version != e.version {
		return fsproxy.ApplyReply{Reason: "the buffer has changed"}, nil
	}
	text := e.text
	for _, ed := range slices.Backward(req.Edits) {
		text = text[:ed.Start] + ed.New + text[ed.End:]
	}
	e.set(text)
	return fsproxy.ApplyReply{Applied: true}, nil
}

// Save implements [fsproxy.Editor].
func (e *demoEditor) Save(_ context.Context, paths []string) (saved []string, failed map[string]string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := os.WriteFile(e.path, []byte(e.text), 0o600); err != nil {
		return nil, map[string]string{e.path: err.Error()}, nil
	}
	e.overlay.Saved(e.path, nil)
	return paths, nil, nil
}
