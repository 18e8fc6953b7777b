package acpfront

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// files is the editor's fs/* as [fsproxy.Remote]. Nothing is kept: every read asks.
type files struct{ s *Server }

// ReadText implements [fsproxy.Remote].
func (f files) ReadText(ctx context.Context, path string) (string, bool, error) {
	if text, lent, err := f.borrow(ctx, path); lent || err != nil {
		return text, lent, err
	}
	text, err := f.OwnText(ctx, path)
	return text, false, err
}

// OwnText implements [fsproxy.Remote].
func (f files) OwnText(ctx context.Context, path string) (string, error) {
	id := f.s.sessionFor(ctx)
	if !f.s.readsFiles() || id == "" {
		return "", fsproxy.ErrNotServed
	}
	params, err := acp.Marshal(&acp.ReadTextFileRequest{SessionID: acp.SessionID(id), Path: path})
	if err != nil {
		return "", err
	}
	raw, err := f.call(ctx, acp.MethodFSReadTextFile, params)
	var no *acp.Error
	switch {
	case errors.As(err, &no) && no.Code == acp.CodeResourceNotFound:
		return "", fsproxy.ErrNotExist
	case errors.As(err, &no) && no.Code == acp.CodeMethodNotFound:
		f.s.without(func(caps *acp.ClientCapabilities) { caps.FS.ReadTextFile = false })
		return "", fsproxy.ErrNotServed
	case errors.As(err, &no):
		return "", &fsproxy.RefusedError{Path: path, Reason: no.Error(), Missing: saysMissing(no)}
	case err != nil:
		return "", err
	}
	text, ok := acp.StringOf(acp.Member(raw, "content"))
	if !ok { // null, or an object without a text
		return "", &fsproxy.RefusedError{Path: path, Reason: "it answered without a text", Missing: true}
	}
	return text, nil
}

// ReadsDisk implements [fsproxy.Remote].
func (f files) ReadsDisk(ctx context.Context, path string) {
	f.s.mu.Lock()
	f.s.diskReader = true
	f.s.mu.Unlock()
	f.s.log.Warn().Str("path", path).Msg("the editor reads the disk for its agent; its files count as the disk from now on")
	if id := f.s.sessionFor(ctx); id != "" {
		f.s.sayDiskReader(id)
	}
}

// borrow is the text of a buffer that another bridge lends.
func (f files) borrow(ctx context.Context, path string) (string, bool, error) {
	if f.s.o.Borrow == nil {
		return "", false, nil
	}
	defer f.news(ctx)
	return f.s.o.Borrow.Read(ctx, path)
}

// news has the user told when lenders come or go.
func (f files) news(ctx context.Context) {
	lines := f.s.o.Borrow.News()
	id := f.s.sessionFor(ctx)
	b, err := f.s.bridge()
	if err != nil || id == "" {
		return
	}
	for _, line := range lines {
		b.InOrder(func() { f.s.line(f.s.life, id, line) })
	}
}

// ReadWith implements [bridge.Reader].
func (f files) ReadWith(ctx context.Context, params jsontext.Value) (jsontext.Value, bool, error) {
	path, _ := acp.StringOf(acp.Member(params, "path"))
	if _, lent, err := f.borrow(ctx, path); lent || err != nil || !f.s.readsFiles() {
		return nil, false, nil
	}
	raw, err := f.call(ctx, acp.MethodFSReadTextFile, params)
	var no *acp.Error
	if errors.As(err, &no) && no.Code == acp.CodeMethodNotFound {
		f.s.without(func(caps *acp.ClientCapabilities) { caps.FS.ReadTextFile = false })
		return nil, false, nil
	}
	return raw, true, err
}

// WriteText implements [fsproxy.Remote]. A write of the agent's own goes as it came where its text is still the one.
func (f files) WriteText(ctx context.Context, path, base, text string) error {
	if b := f.s.o.Borrow; b != nil {
		lent, err := b.Write(ctx, path, base, text)
		f.news(ctx)
		if lent || err != nil {
			return err
		}
	}
	id := f.s.sessionFor(ctx)
	switch caps := f.s.capabilities().FS; {
	case !caps.WriteTextFile || id == "":
		return fsproxy.ErrNotServed
	case !f.s.readsFiles(): // what it would write over cannot be seen
		if caps.ReadTextFile {
			f.s.sayDiskReader(id)
		}
		return fsproxy.ErrNotServed
	}
	params, err := acp.Marshal(&acp.WriteTextFileRequest{SessionID: acp.SessionID(id), Path: path, Content: text})
	if err != nil {
		return err
	}
	if req := bridge.RequestOf(ctx); req != nil && req.Method() == acp.MethodFSWriteTextFile && acp.SameText(acp.Member(req.Params(), "path"), path) {
		params = acp.SetMember(req.Params(), "sessionId", acp.Quote(id))
		if content := acp.Member(params, "content"); !acp.SameText(content, text) {
			params = acp.SetMember(params, "content", acp.Quote(text))
		}
	}
	_, err = f.call(ctx, acp.MethodFSWriteTextFile, params)
	var no *acp.Error
	if errors.As(err, &no) && no.Code == acp.CodeMethodNotFound {
		f.s.without(func(caps *acp.ClientCapabilities) { caps.FS.WriteTextFile = false })
		return fsproxy.ErrNotServed
	}
	return err
}

// readsFiles says whether the editor is asked for files: it reads them for others, and out of its buffers.
func (s *Server) readsFiles() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.caps.FS.ReadTextFile && !s.diskReader
}

// without takes back something that the editor said it has.
func (s *Server) without(change func(*acp.ClientCapabilities)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.caps)
}

// sayDiskReader has the user told, once, that files are written on disk although the editor would write them.
func (s *Server) sayDiskReader(id string) {
	s.mu.Lock()
	said, b := s.diskReaderSaid, s.b
	s.diskReaderSaid = true
	s.mu.Unlock()
	if said || b == nil {
		return
	}
	b.InOrder(func() {
		s.line(s.life, id, "this editor answers file reads from the disk but writes into buffers, so unsaved text cannot be seen and would be overwritten. Files are read and written on the disk instead: reload those that are open. With --borrow-buffers unsaved text is seen")
	})
}

// call asks the editor for a file, in its place among what the editor is told.
func (f files) call(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	b, err := f.s.bridge()
	if err != nil {
		return nil, err
	}
	got := make(chan reply, 1)
	if err := b.InTurn(ctx, func() { <-f.s.call(ctx, method, params, nil, func(r reply) { got <- r }) }); err != nil {
		return nil, err
	}
	r := <-got
	return r.raw, r.err
}

// sessionFor is the session in whose name the editor is asked: the one that ctx belongs to, else any.
func (s *Server) sessionFor(ctx context.Context) string {
	if id := bridge.AliasOf(ctx); id != "" {
		return id
	}
	b, err := s.bridge()
	if err != nil {
		return ""
	}
	return b.AnyAlias()
}
