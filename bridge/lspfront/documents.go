package lspfront

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// documents keeps the overlay in step with the editor and knows which URI the editor uses for a file. Its
// notifications come on the reading goroutine, one after the other.
type documents struct {
	s *server

	mu   sync.Mutex
	uris map[string]string // canonical path → the URI of didOpen
	open map[string]string // URI of didOpen → canonical path

	duplicates duplicates // documents whose file is mirrored from another one
}

func newDocuments(s *server) *documents {
	return &documents{s: s, uris: map[string]string{}, open: map[string]string{}, duplicates: newDuplicates()}
}

// uri is how the editor calls a file: as it opened it, else the plain URI.
func (d *documents) uri(path string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if u, ok := d.uris[path]; ok {
		return u
	}
	return uriOf(path)
}

// path is the canonical path of a URI. errNotFile for what is no file.
func (d *documents) path(uri string) (string, error) {
	d.mu.Lock()
	p, ok := d.open[uri]
	d.mu.Unlock()
	if ok {
		return p, nil
	}
	p, err := pathOf(uri)
	if err != nil {
		return "", err
	}
	b, err := d.s.Bridge()
	if err != nil {
		return "", err
	}
	return b.Canonical(p), nil
}

type openParams struct {
	TextDocument struct {
		URI     string `json:"uri"` // as the editor writes it, see documentParams
		Version int32  `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

func didOpen(s *server, p openParams) error {
	uri := p.TextDocument.URI
	path, err := s.docs.path(uri)
	if errors.Is(err, errNotFile) {
		return nil // untitled buffers and notebook cells are no files: agents do not see them
	}
	if err != nil {
		return err
	}
	b, err := s.Bridge()
	if err != nil {
		return err
	}
	if !s.docs.add(uri, path) {
		s.docs.duplicates.followed.Open(uri, p.TextDocument.Version, p.TextDocument.Text)
		return nil
	}
	b.Overlay().Open(path, p.TextDocument.Version, p.TextDocument.Text)
	s.plain.Opened(path)
	return nil
}

// add notes an open document and says whether it is the one that its file is mirrored from.
func (d *documents) add(uri, path string) (mirrored bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open[uri] = path
	if other, ok := d.uris[path]; ok && other != uri {
		return false
	}
	d.uris[path] = uri
	return true
}

func didChange(s *server, raw jsontext.Value) error {
	var p protocol.DidChangeTextDocumentParams
	if err := protocol.Unmarshal(raw, &p); err != nil {
		return err
	}
	var doc documentParams
	if err := unmarshal(raw, &doc); err != nil {
		return err
	}
	uri := doc.TextDocument.URI
	path, mirrored, ok := s.docs.known(uri)
	if !ok {
		return nil
	}
	b, err := s.Bridge()
	if err != nil {
		return err
	}
	edits := make([]fsproxy.Edit, 0, len(p.ContentChanges))
	for _, c := range p.ContentChanges {
		switch c := c.(type) {
		case *protocol.TextDocumentContentChangePartial:
			edits = append(edits, fsproxy.Edit{Start: position(c.Range.Start), End: position(c.Range.End), Enc: s.client.enc, New: c.Text})
		case *protocol.TextDocumentContentChangeWholeDocument:
			edits = append(edits, fsproxy.Edit{Full: true, New: c.Text})
		default:
			return fmt.Errorf("a change of %s in a form that LSP 3.18 does not have", path)
		}
	}
	if !mirrored {
		return s.docs.duplicates.followed.Change(uri, p.TextDocument.Version, edits)
	}
	if b.Overlay().Lost(path) {
		return nil // said once
	}
	if err := b.Overlay().Change(path, p.TextDocument.Version, edits); err != nil {
		s.message(protocol.MessageTypeWarning, "Copilot lost track of your changes to "+filepath.Base(path)+"; close and reopen the file so that Copilot can write to it")
		return err
	}
	return nil
}

func didSave(s *server, p documentParams) error {
	path, mirrored, ok := s.docs.known(p.TextDocument.URI)
	if !ok || !mirrored {
		return nil
	}
	b, err := s.Bridge()
	if err != nil {
		return err
	}
	b.Overlay().Saved(path, nil)
	return nil
}

func didClose(s *server, p documentParams) error {
	uri := p.TextDocument.URI
	path, mirrored, ok := s.docs.known(uri)
	if !ok {
		return nil
	}
	b, err := s.Bridge()
	if err != nil {
		return err
	}
	next := s.docs.drop(uri)
	if !mirrored {
		s.docs.duplicates.take(uri)
		return nil
	}
	if snap, ok := s.docs.duplicates.take(next); ok { // the other buffer takes the place, and the file is open all the time
		b.Overlay().Open(path, snap.Version, snap.Text.String())
	}
	b.Overlay().Close(path)
	return nil
}

// known is the path of an open document, and whether its file is mirrored from it.
func (d *documents) known(uri string) (path string, mirrored, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	path, ok = d.open[uri]
	return path, d.uris[path] == uri, ok
}

// drop forgets a document. If its file was mirrored from it and another one shows the same file, that one is named.
func (d *documents) drop(uri string) (next string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	path := d.open[uri]
	delete(d.open, uri)
	if d.uris[path] != uri {
		return ""
	}
	delete(d.uris, path)
	for other, p := range d.open {
		if p == path && (next == "" || other < next) {
			next = other
		}
	}
	if next != "" {
		d.uris[path] = next
	}
	return next
}

func position(p protocol.Position) text.Position {
	return text.Position{Line: p.Line, Character: p.Character}
}
