package lspfront

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// buffers implements [fsproxy.Editor]: it carries edits to the editor. What the editor says of them is passed on as a
// claim; fsproxy checks it against the text that follows.
type buffers struct{ s *server }

// applyParams are those of workspace/applyEdit with the URI as the editor writes it: the protocol package normalises
// URIs, and an editor may know a file by its own spelling only.
type applyParams struct {
	Label string `json:"label,omitzero"`
	Edit  struct {
		DocumentChanges []documentEdit                 `json:"documentChanges,omitzero"`
		Changes         map[string][]protocol.TextEdit `json:"changes,omitzero"`
	} `json:"edit"`
}

type documentEdit struct {
	TextDocument versionedDocument   `json:"textDocument"`
	Edits        []protocol.TextEdit `json:"edits"`
}

type versionedDocument struct {
	URI     string `json:"uri"`
	Version int32  `json:"version"`
}

// ApplyEdit sends one workspace/applyEdit with the version the edits are for.
func (b buffers) ApplyEdit(ctx context.Context, req fsproxy.ApplyRequest) (fsproxy.ApplyReply, error) {
	s := b.s
	if !s.client.applyEdit {
		return fsproxy.ApplyReply{}, errors.New("this editor cannot be asked to change a buffer (no workspace/applyEdit)")
	}
	u, edits := s.URI(req.Path), textEdits(req.Before.Text, req.Edits, s.client.enc)
	p := applyParams{Label: req.Label}
	if s.client.documentChanges {
		p.Edit.DocumentChanges = []documentEdit{{versionedDocument{u, req.Version}, edits}}
	} else {
		p.Edit.Changes = map[string][]protocol.TextEdit{u: edits}
	}
	raw, err := marshal(p)
	if err != nil {
		return fsproxy.ApplyReply{}, err
	}
	var r protocol.ApplyWorkspaceEditResult
	if err := s.Call(ctx, protocol.MethodWorkspaceApplyEdit, raw, &r); err != nil {
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
			Range:   protocol.Range{Start: plain.Position(t.PositionOf(e.Start, enc)), End: plain.Position(t.PositionOf(e.End, enc))},
			NewText: e.New,
		}
	}
	return out
}

//wire:ask document/save saveResult
type saveParams struct {
	URIs []string `json:"uris"`
}

type saveResult struct {
	Saved  []string   `json:"saved"`
	Failed []notSaved `json:"failed"`
}

type notSaved struct {
	URI    string `json:"uri"`
	Reason string `json:"reason"`
}

// Save asks the plugin to save buffers; plain LSP has no way to.
func (b buffers) Save(ctx context.Context, paths []string) (saved []string, failed map[string]string, err error) {
	s := b.s
	if !s.Rich(plain.Save) {
		return nil, nil, fsproxy.ErrCannotSave
	}
	var p saveParams
	byURI := map[string]string{}
	for _, path := range paths {
		u := s.URI(path)
		p.URIs, byURI[u] = append(p.URIs, u), path
	}
	var r saveResult
	if err := s.callRich(ctx, plain.Save, prefix+"document/save", p, &r); err != nil {
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
