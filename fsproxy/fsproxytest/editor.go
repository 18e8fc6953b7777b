package fsproxytest

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// Files is the disk an editor opens from and saves to.
type Files interface {
	Load(path string) (string, bool)
	Store(path, text string) error
}

// Editor is a model of an editor. It implements fsproxy.Editor.
type Editor struct {
	Kind    Kind
	Enc     text.Encoding
	Overlay *fsproxy.Overlay
	Files   Files
	// Auto takes every step as soon as it can be taken.
	Auto bool
	// Format, if not nil, is run over a buffer as it is saved.
	Format func(string) string
	// FixEnd makes it end the last line of what it saves, without showing that (Neovim).
	FixEnd bool
	// Mark makes it show a byte order mark as the first character of the text (Emacs with utf-8 for utf-8-with-signature).
	Mark bool
	// CannotSave says it does not save for others.
	CannotSave bool
	// Stop makes an edit of more than one hunk fail after the first (Helix).
	Stop bool

	order sync.Mutex // held while a notification is delivered

	mu       sync.Mutex
	buffers  map[string]*buffer
	opened   int32
	requests []*request        // not taken up
	answers  []*request        // to be given
	late     []func()          // Kak: edits answered and not made
	notes    []notification    // to be delivered
	Log      []string          // what happened, for a test's report
	arrived  []chan<- struct{} // told when a request arrives
}

// buffer is an open document.
type buffer struct {
	text    string
	version int32
	first   int32  // the version it was opened with
	dos     bool   // Neovim: carriage returns are hidden
	disk    string // what it loaded or saved last
	past    []edit // Zed: every change, by the version it led to
}

type edit struct {
	version    int32
	start, end int
	new        string
}

// notification is a change (whose buffer and version are given), or anything else.
type notification struct {
	path    string
	version int32
	edits   []fsproxy.Edit
	other   func()
}

// request is a question from the bridge on its way through the editor.
type request struct {
	apply *fsproxy.ApplyRequest
	save  []string
	done  chan struct{}
	reply fsproxy.ApplyReply
	saved []string
	fail  map[string]string
	err   error
}

// New returns an editor without buffers.
func New(kind Kind, overlay *fsproxy.Overlay, files Files) *Editor {
	return &Editor{Kind: kind, Overlay: overlay, Files: files, buffers: make(map[string]*buffer)}
}

// ApplyEdit implements fsproxy.Editor.
func (e *Editor) ApplyEdit(ctx context.Context, req fsproxy.ApplyRequest) (fsproxy.ApplyReply, error) {
	r := &request{apply: &req, done: make(chan struct{})}
	if err := e.ask(ctx, r); err != nil {
		return fsproxy.ApplyReply{}, err
	}
	return r.reply, r.err
}

// Save implements fsproxy.Editor.
func (e *Editor) Save(ctx context.Context, paths []string) ([]string, map[string]string, error) {
	if e.CannotSave {
		return nil, nil, fsproxy.ErrCannotSave
	}
	r := &request{save: paths, done: make(chan struct{})}
	if err := e.ask(ctx, r); err != nil {
		return nil, nil, err
	}
	return r.saved, r.fail, r.err
}

func (e *Editor) ask(ctx context.Context, r *request) error {
	e.mu.Lock()
	e.requests = append(e.requests, r)
	arrived := e.arrived
	e.mu.Unlock()
	for _, c := range arrived {
		select {
		case c <- struct{}{}:
		default:
		}
	}
	if e.Auto {
		e.Settle()
	}
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Arrivals returns a channel that has a token after a request has arrived.
func (e *Editor) Arrivals() <-chan struct{} {
	c := make(chan struct{}, 1)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.arrived = append(e.arrived, c)
	return c
}

// shown is what a buffer has of a file.
func (e *Editor) shown(s string) string {
	if e.Mark {
		return s
	}
	return strings.TrimPrefix(s, "\uFEFF")
}

// Open opens the file at path, as it is on disk, empty if there is none.
func (e *Editor) Open(path string) {
	e.mu.Lock()
	s, _ := e.Files.Load(path)
	s = e.shown(s)
	e.opened += 1000 // versions do not begin anew, as in Neovim, so that none means two texts
	b := &buffer{text: s, version: e.opened, first: e.opened, disk: s}
	if e.Kind == Neovim && strings.Contains(s, "\r\n") {
		b.dos, b.text = true, strings.ReplaceAll(s, "\r\n", "\n")
	}
	e.buffers[path] = b
	shown, version := b.text, b.version
	e.tell(func() { e.Overlay.Open(path, version, shown) })
	e.unlock("open")
}

// Close closes the buffer at path; what is unsaved is gone.
func (e *Editor) Close(path string) {
	e.mu.Lock()
	if e.buffers[path] != nil {
		delete(e.buffers, path)
		e.tell(func() { e.Overlay.Close(path) })
	}
	e.unlock("close")
}

// Type puts s at a byte offset of the buffer.
func (e *Editor) Type(path string, at int, s string) { e.Replace(path, at, at, s) }

// Replace does what the user does in the buffer.
func (e *Editor) Replace(path string, start, end int, s string) {
	e.mu.Lock()
	if b := e.buffers[path]; b != nil {
		e.change(path, b, start, end, s)
	}
	e.unlock(fmt.Sprintf("type %q at %d", s, start))
}

// Text is what the user sees in the buffer; false if it is not open.
func (e *Editor) Text(path string) (string, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.buffers[path]
	if b == nil {
		return "", false
	}
	return b.text, true
}

// Behind reports whether the file has changed on disk since the buffer was loaded
// or saved. The user is then asked before they save.
func (e *Editor) Behind(path string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.buffers[path]
	if b == nil {
		return false
	}
	s, _ := e.Files.Load(path)
	return e.shown(s) != b.disk
}

// SaveFile does what the user does to save.
func (e *Editor) SaveFile(path string) error {
	e.mu.Lock()
	err := e.store(path)
	e.unlock("save")
	return err
}

// unlock also takes all steps if that is wanted.
func (e *Editor) unlock(what string) {
	e.Log = append(e.Log, what)
	auto := e.Auto
	e.mu.Unlock()
	if auto {
		e.Settle()
	}
}

// change needs the lock, as do tell and store.
func (e *Editor) change(path string, b *buffer, start, end int, s string) {
	before := text.New(b.text)
	n := notification{path: path, edits: []fsproxy.Edit{{
		Start: before.PositionOf(start, e.Enc), End: before.PositionOf(end, e.Enc), Enc: e.Enc, New: s,
	}}}
	b.text = b.text[:start] + s + b.text[end:]
	b.version++
	b.past = append(b.past, edit{b.version, start, end, s})
	n.version = b.version
	e.notes = append(e.notes, n)
}

func (e *Editor) tell(f func()) { e.notes = append(e.notes, notification{other: f}) }

func (e *Editor) store(path string) error {
	b := e.buffers[path]
	if b == nil {
		return fmt.Errorf("%s is not open", path)
	}
	if e.Format != nil {
		edits := diff.Edits(b.text, e.Format(b.text))
		for i := len(edits) - 1; i >= 0; i-- {
			e.change(path, b, edits[i].Start, edits[i].End, edits[i].New)
		}
	}
	s := b.text
	if e.FixEnd && s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	if b.dos {
		s = strings.ReplaceAll(s, "\n", "\r\n")
	}
	if old, ok := e.Files.Load(path); ok && !e.Mark && strings.HasPrefix(old, "\uFEFF") {
		s = "\uFEFF" + s
	}
	if err := e.Files.Store(path, s); err != nil {
		return err
	}
	b.disk = e.shown(s)
	e.tell(func() { e.Overlay.Saved(path, nil) })
	return nil
}
