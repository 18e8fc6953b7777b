package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/fileuri"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// langRig is a session whose editor has a language server at the other end of a pipe.
type langRig struct {
	t       *testing.T
	dir     string
	s       *Service
	host    *Host
	overlay *fsproxy.Overlay
	buffers *fsproxytest.Editor
	server  *langServer
	typed   langConn
	untyped langConn
	none    error         // what the editor says instead of having language servers
	refuses error         // what the editor says instead of asking them
	enc     text.Encoding // of positions

	diagnosed func(ctx context.Context, path string) (Diagnosed, error)

	mu      sync.Mutex
	asked   []*permission.Question
	answer  func(*permission.Question) permission.Answer
	changed []permission.FileDiff
}

// langServer is a language server. What is not set it does not know.
type langServer struct {
	protocol.UnimplementedServer
	references func(ctx context.Context, p *protocol.ReferenceParams) ([]protocol.Location, error)
	definition func(ctx context.Context, p *protocol.DefinitionParams) (protocol.DefinitionResult, error)
	hover      func(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error)
	rename     func(ctx context.Context, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error)
	raw        map[string]func(ctx context.Context, params []byte) (string, error) // by method, past the types: for what is wrong
}

// langConn is a connection with a language server, made when it is used first.
type langConn struct {
	once sync.Once
	jsonrpc2.Conn
	kill func() // ends the server
}

func (s *langServer) References(ctx context.Context, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	return s.references(ctx, p)
}

func (s *langServer) Definition(ctx context.Context, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	if s.definition == nil {
		return nil, jsonrpc2.NewError(jsonrpc2.MethodNotFound, "no definitions")
	}
	return s.definition(ctx, p)
}

func (s *langServer) Hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	return s.hover(ctx, p)
}

func (s *langServer) Rename(ctx context.Context, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	return s.rename(ctx, p)
}

func newLangRig(t *testing.T, texts map[string]string, rules ...policy.Rule) *langRig {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &langRig{t: t, dir: dir, server: &langServer{raw: map[string]func(context.Context, []byte) (string, error){}}, enc: text.UTF16}
	for name, content := range texts {
		r.put(name, content)
	}
	r.answer = func(*permission.Question) permission.Answer { return permission.Answer{OptionID: permission.OptOnce} }
	folder, log, book := ground(t, dir)
	r.overlay = fsproxy.NewOverlay(folder)
	r.buffers = fsproxytest.New(fsproxytest.Honest, r.overlay, fsproxytest.Folder{})
	r.buffers.Auto = true
	files := fsproxy.New(fsproxy.Config{Disk: folder, Overlay: r.overlay, Editor: r.buffers})
	t.Cleanup(files.Close)
	n := 0
	gate := permission.New(permission.Config{
		Rules: policy.New(rules, nil), Audit: log, Disk: folder, FS: files, Overlay: r.overlay, Folders: func() []string { return []string{dir} },
		NewID: func(p string) string { n++; return fmt.Sprint(p, n) }, Now: time.Now,
	}).Session(permission.Session{
		ID: "s", Cwd: dir, Log: zerolog.Nop(), Untrusted: func() bool { return false }, Notice: func(string) {},
		AskUser: func(_ context.Context, q *permission.Question) (permission.Answer, bool, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.asked = append(r.asked, q)
			return r.answer(q), false, nil
		},
	})
	r.host = New(Config{FS: files, Overlay: r.overlay, Disk: folder, Book: book, Editor: r, Life: t.Context(), Feedback: true})
	r.s = r.host.Session(Session{
		ID: "s", Cwd: dir, Gate: gate, Life: t.Context(), Turn: func(context.Context) string { return "t" }, Tell: func(News) {},
		Watched: func() bool { return false },
	})
	return r
}

// with is the connection with the server; the first use starts it.
func (c *langConn) with(r *langRig, serve func(jsonrpc2.Stream) jsonrpc2.Conn) jsonrpc2.Conn {
	c.once.Do(func() {
		ours, theirs := net.Pipe()
		server := serve(jsonrpc2.NewHeaderStream(theirs))
		c.Conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(ours))
		c.Go(context.Background(), jsonrpc2.MethodNotFoundHandler)
		c.kill = func() { theirs.Close() }
		r.t.Cleanup(func() { ours.Close(); theirs.Close(); <-server.Done(); <-c.Done() })
	})
	return c.Conn
}

// serve plays the server that knows LSP's types.
func (s *langServer) serve(stream jsonrpc2.Stream) jsonrpc2.Conn {
	_, conn, _ := protocol.NewServer(context.Background(), s, stream)
	return conn
}

// serveRaw plays the server that says anything.
func (s *langServer) serveRaw(stream jsonrpc2.Stream) jsonrpc2.Conn {
	conn := jsonrpc2.NewConn(stream)
	conn.Go(context.Background(), protocol.Handlers(func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		result, err := s.raw[req.Method()](ctx, req.Params())
		if err != nil {
			return nil, err
		}
		return jsonrpc2.RawMessage(result), nil
	}))
	return conn
}

func (r *langRig) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *langRig) put(name, content string) {
	r.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(r.path(name)), 0o755), os.WriteFile(r.path(name), []byte(content), 0o644)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *langRig) disk(name string) string {
	b, err := os.ReadFile(r.path(name))
	if err != nil {
		return "(none)"
	}
	return string(b)
}

func (r *langRig) open(name string, typed ...string) {
	r.buffers.Open(r.path(name))
	for _, s := range typed {
		r.buffers.Type(r.path(name), 0, s)
	}
}

func (r *langRig) buffer(name string) string {
	s, _ := r.buffers.Text(r.path(name))
	return s
}

func (r *langRig) tool(a tools.LanguageArgs) (string, error) {
	if a.Path != "" && !filepath.IsAbs(a.Path) {
		a.Path = r.path(a.Path)
	}
	return r.s.Language(r.t.Context(), a, r)
}

// fails runs a tool that must fail with an error that has these words.
func (r *langRig) fails(a tools.LanguageArgs, words ...string) {
	r.t.Helper()
	got, err := r.tool(a)
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			r.t.Errorf("%s: %q, %v; want an error with %q", a.Tool, got, err, w)
		}
	}
}

// says runs a tool that must answer with these lines.
func (r *langRig) says(a tools.LanguageArgs, want string) {
	r.t.Helper()
	if got, err := r.tool(a); err != nil || got != want {
		r.t.Errorf("%s: %v\n%s\nwant\n%s", a.Tool, err, got, want)
	}
}

func (r *langRig) loc(name string, line uint32) protocol.Location {
	return protocol.Location{URI: uri.File(r.path(name)), Range: protocol.Range{Start: protocol.Position{Line: line}, End: protocol.Position{Line: line, Character: 1}}}
}

// Changed implements [Call].
func (r *langRig) Changed(d permission.FileDiff) { r.changed = append(r.changed, d) }

// Began implements [Call].
func (r *langRig) Began(context.Context, *terminalproxy.Terminal) {}

func (r *langRig) Diagnostics(context.Context, []string) ([]FileDiagnostics, error) {
	return nil, ErrUnsupported
}

func (r *langRig) Diagnosed(ctx context.Context, path string) (Diagnosed, error) {
	if r.diagnosed == nil {
		return Diagnosed{}, ErrUnsupported
	}
	return r.diagnosed(ctx, path)
}

func (r *langRig) Selection(context.Context) (*Selection, error) { return nil, ErrUnsupported }

func (r *langRig) Languages(context.Context, string) (LanguageServers, error) {
	if r.none != nil {
		return nil, r.none
	}
	return langEditor{r}, nil
}

// langEditor is what the editor's plugin does.
type langEditor struct{ r *langRig }

func (e langEditor) Request(ctx context.Context, method string, params any) (jsontext.Value, error) {
	if e.r.refuses != nil {
		return nil, e.r.refuses
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	server := e.r.server
	conn := e.r.typed.with(e.r, server.serve)
	if server.raw[method] != nil {
		conn = e.r.untyped.with(e.r, server.serveRaw)
	}
	var result jsonrpc2.RawMessage
	err = protocol.Call(ctx, conn, method, jsonrpc2.RawMessage(raw), &result)
	var refused *jsonrpc2.Error
	if errors.As(err, &refused) && refused.Code == jsonrpc2.MethodNotFound {
		return nil, ErrUnsupported
	}
	return jsontext.Value(result), err
}

func (langEditor) URI(path string) string           { return fileuri.Of(path) }
func (langEditor) Path(name string) (string, error) { return fileuri.Path(name) }
func (e langEditor) Encoding() text.Encoding        { return e.r.enc }
