package lspfront

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// buffers implements [fsproxy.Editor]: it carries edits to the editor. What the editor says of them is passed on as a
// claim; fsproxy checks it against the text that follows.
type buffers struct{ s *Server }

// ApplyEdit sends one workspace/applyEdit with the version the edits are for.
func (b buffers) ApplyEdit(ctx context.Context, req fsproxy.ApplyRequest) (fsproxy.ApplyReply, error) {
	s := b.s
	if !s.client.applyEdit {
		return fsproxy.ApplyReply{}, errors.New("this editor cannot be asked to change a buffer (no workspace/applyEdit)")
	}
	edits := textEdits(req.Before.Text, req.Edits, s.client.enc)
	u := uri.URI(s.docs.uri(req.Path))
	p := &protocol.ApplyWorkspaceEditParams{Label: &req.Label}
	if s.client.documentChanges {
		list := make([]protocol.TextDocumentEditElement, len(edits))
		for i := range edits {
			list[i] = &edits[i]
		}
		p.Edit.DocumentChanges = []protocol.DocumentChange{&protocol.TextDocumentEdit{
			TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
				TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u}, Version: &req.Version,
			},
			Edits: list,
		}}
	} else {
		p.Edit.Changes = map[uri.URI][]protocol.TextEdit{u: edits}
	}
	var r protocol.ApplyWorkspaceEditResult
	if err := s.call(ctx, protocol.MethodWorkspaceApplyEdit, p, &r); err != nil {
		var refused *jsonrpc2.Error
		if errors.As(err, &refused) {
			return fsproxy.ApplyReply{}, fmt.Errorf("the editor answered: %s", refused.Message)
		}
		return fsproxy.ApplyReply{}, fmt.Errorf("%w: %w", fsproxy.ErrUnknown, err)
	}
	reply := fsproxy.ApplyReply{Applied: r.Applied}
	if r.FailureReason != nil {
		reply.Reason = *r.FailureReason
	}
	return reply, nil
}

// textEdits are byte edits as LSP ranges in the text they are for.
func textEdits(t text.Text, edits []fsproxy.TextEdit, enc text.Encoding) []protocol.TextEdit {
	out := make([]protocol.TextEdit, len(edits))
	for i, e := range edits {
		out[i] = protocol.TextEdit{
			Range:   protocol.Range{Start: lspPosition(t.PositionOf(e.Start, enc)), End: lspPosition(t.PositionOf(e.End, enc))},
			NewText: e.New,
		}
	}
	return out
}

func lspPosition(p text.Position) protocol.Position {
	return protocol.Position{Line: p.Line, Character: p.Character}
}

type saveParams struct {
	URIs []string `json:"uris"`
}

type saveResult struct {
	Saved  []string `json:"saved"`
	Failed []struct {
		URI    string `json:"uri"`
		Reason string `json:"reason"`
	} `json:"failed"`
}

// Save asks the plugin to save buffers; plain LSP has no way to.
func (b buffers) Save(ctx context.Context, paths []string) (saved []string, failed map[string]string, err error) {
	s := b.s
	if !s.tiers.rich(concernSave) {
		return nil, nil, fsproxy.ErrCannotSave
	}
	var p saveParams
	byURI := map[string]string{}
	for _, path := range paths {
		u := s.docs.uri(path)
		p.URIs, byURI[u] = append(p.URIs, u), path
	}
	var r saveResult
	if err := s.callRich(ctx, concernSave, "copilot-bridge/document/save", p, &r); err != nil {
		return nil, nil, errors.Join(fsproxy.ErrCannotSave, err)
	}
	for _, u := range r.Saved {
		if path, ok := byURI[u]; ok {
			saved = append(saved, path)
		}
	}
	failed = map[string]string{}
	for _, f := range r.Failed {
		if path, ok := byURI[f.URI]; ok {
			failed[path] = f.Reason
		}
	}
	return saved, failed, nil
}
