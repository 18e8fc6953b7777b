package lspfront

import (
	"context"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// focus is where the user is, as the plugin last said.
type focus struct {
	mu    sync.Mutex
	path  string
	where *wireRange
}

//wire:hear focus/didChange
type focusParams struct {
	URI           string      `json:"uri,omitzero"`
	Selections    []wireRange `json:"selections,omitzero"`
	VisibleRanges []wireRange `json:"visibleRanges,omitzero"`
}

func focusChanged(s *Server, raw jsontext.Value) error {
	var p focusParams
	if err := unmarshal(raw, &p); err != nil {
		return err
	}
	s.focus.mu.Lock()
	defer s.focus.mu.Unlock()
	s.focus.path, s.focus.where = "", nil
	if path, err := s.docs.path(p.URI); err == nil && p.URI != "" {
		s.focus.path = path
		if len(p.Selections) > 0 {
			s.focus.where = &p.Selections[0]
		}
	}
	return nil
}

// Selection says where the user is: from the plugin, else from the last code action request.
func (e editor) Selection(context.Context) (*bridge.Selection, error) {
	s := e.s
	s.focus.mu.Lock()
	path, where := s.focus.path, s.focus.where
	s.focus.mu.Unlock()
	if path == "" {
		return s.actionSelection(), nil
	}
	sel := &bridge.Selection{Path: path, StartLine: 1, EndLine: 1}
	if where != nil {
		*sel = s.selected(path, *where)
	}
	return sel, nil
}

// selected is a range of a file with its text.
func (s *Server) selected(path string, r wireRange) bridge.Selection {
	sel := bridge.Selection{Path: path, StartLine: int(r.Start.Line) + 1, EndLine: int(r.End.Line) + 1}
	b, err := s.bridge()
	if err != nil {
		return sel
	}
	snap, open := b.Overlay().Lookup(path)
	if !open {
		return sel
	}
	from, err1 := snap.Text.OffsetOf(text.Position{Line: r.Start.Line, Character: r.Start.Character}, s.client.enc)
	to, err2 := snap.Text.OffsetOf(text.Position{Line: r.End.Line, Character: r.End.Character}, s.client.enc)
	if err1 == nil && err2 == nil && from < to {
		sel.Text = snap.Text.Slice(from, to)
	}
	return sel
}

// didChangeFolders follows the editor's workspace folders: the next session may work in a new one.
func didChangeFolders(s *Server, raw jsontext.Value) error {
	var p protocol.DidChangeWorkspaceFoldersParams
	if err := protocol.Unmarshal(raw, &p); err != nil {
		return err
	}
	b, err := s.bridge()
	if err != nil {
		return err
	}
	for _, f := range p.Event.Added {
		if path, err := pathOf(string(f.URI)); err == nil {
			if err := b.AddFolder(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// selections remember where the user asked for code actions last: all that plain LSP tells of a cursor.
type selections struct {
	mu      sync.Mutex
	path    string
	version int32
	where   wireRange
}

// selected notes a request for code actions.
func (f *selections) selected(path string, version int32, r wireRange) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.path, f.version, f.where = path, version, r
}

// selection is where the user was last; nil if that is not known. The text is left out when the file has changed
// since: the range may lie elsewhere by now.
func (s *Server) actionSelection() *bridge.Selection {
	s.actions.mu.Lock()
	path, version, where := s.actions.path, s.actions.version, s.actions.where
	s.actions.mu.Unlock()
	if path == "" {
		return nil
	}
	sel := s.selected(path, where)
	if _, now := s.textOf(path); now == nil || *now != version {
		sel.Text = ""
	}
	return &sel
}
