package lspfront

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

//wire:hear focus/didChange
type focusParams struct {
	URI           string      `json:"uri,omitzero"`
	Selections    []wireRange `json:"selections,omitzero"`
	VisibleRanges []wireRange `json:"visibleRanges,omitzero"`
}

func focusChanged(s *server, p focusParams) error {
	if path, err := s.docs.path(p.URI); err != nil || p.URI == "" {
		s.user.moved(spot{})
	} else {
		s.selected(path, append(p.Selections, wireRange{})[0])
	}
	return nil
}

// selected notes where the user is, with the version of the text there.
func (s *server) selected(path string, where wireRange) {
	at := spot{path: path, where: where, version: -1}
	if _, v := s.Text(path); v != nil {
		at.version = *v
	}
	s.user.moved(at)
}

// Selection says where the user is, nil if that is not known. The text is left out when the file has changed since: the range may
// lie elsewhere by now.
func (s *server) Selection() *bridge.Selection {
	at := s.user.at()
	if at.path == "" {
		return nil
	}
	from, to := at.where.Start, at.where.End
	sel := &bridge.Selection{Path: at.path, StartLine: int(from.Line) + 1, EndLine: int(to.Line) + 1}
	now, version := s.Text(at.path)
	if version == nil || *version != at.version {
		return sel
	}
	start, err1 := now.OffsetOf(text.Position{Line: from.Line, Character: from.Character}, s.client.enc)
	end, err2 := now.OffsetOf(text.Position{Line: to.Line, Character: to.Character}, s.client.enc)
	if err1 == nil && err2 == nil && start < end {
		sel.Text = now.Slice(start, end)
	}
	return sel
}

// Selection implements [bridge.Editor].
func (e editor) Selection(context.Context) (*bridge.Selection, error) { return e.s.Selection(), nil }

// didChangeFolders follows the editor's workspace folders: the next session may work in a new one.
func didChangeFolders(s *server, p protocol.DidChangeWorkspaceFoldersParams) error {
	b, err := s.Bridge()
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
