package lspfront

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lend"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	conf "github.com/copilot-bridge/copilot-bridge/bridge/settings"
)

// Options are what a server is started with. Bridge is the configuration that the editor's own is laid over.
type Options struct {
	Log     zerolog.Logger
	Version string
	Bridge  bridge.Config
	File    conf.File   // the user's, which the editor's settings are laid over
	Lend    bool        // other bridges of the same user and workspace get the open buffers
	clock   plain.Clock // nil: the system's
}

// server is one editor's connection.
type server struct {
	o    Options
	log  zerolog.Logger
	wire *wire
	conn jsonrpc2.Conn

	life context.Context
	end  context.CancelFunc
	work sync.WaitGroup // goroutines that the server waits for

	calls    map[string]call
	commands map[string]verb
	notes    map[string]notification
	client   client // what initialize said; fixed afterwards
	config   *config
	tiers
	docs    *documents
	open    sync.Map // the requests of the editor without an answer: jsonrpc2.ID to context.CancelFunc, for $/cancelRequest
	plain   *plain.Tier
	user    user
	undoing sync.Mutex // held while something is undone
	screens screens
	status  wireStatus // told last; only Show touches it
	ready   sync.Once
	b       *bridge.Bridge // made on first use
	bErr    error
	lender  atomic.Pointer[lend.Lender]
	phase   atomic.Int32 // of the life cycle, see below
}

// The phases of a connection (LSP 3.18, lifecycle messages).
const (
	phaseFresh int32 = iota
	phaseRunning
	phaseShutdown
	phaseExit
)

// Serve runs a server on a stream until the editor leaves, ctx ends or the framing breaks. It returns nil when the
// editor said shutdown and exit, or closed the stream.
func Serve(ctx context.Context, o Options, stdin io.Reader, stdout io.Writer, closer io.Closer) error {
	s := &server{o: o, log: o.Log, calls: allCalls(), commands: allCommands(), notes: allNotifications(), screens: screens{}, config: newConfig(o.Bridge, o.File)}
	s.life, s.end = context.WithCancel(context.Background())
	defer s.end()
	s.docs = newDocuments(s)
	s.plain = plain.New(plain.Config{Client: s, Life: s.life, Log: s.log, Dir: o.Bridge.StateDir, Clock: o.clock})
	s.wire = newWire(stdin, stdout, closer)
	s.conn = jsonrpc2.NewConn(newStream(s.wire), jsonrpc2.WithCodec(codec{}))
	s.conn.Go(context.Background(), s.tolerant(s.handle))
	select {
	case <-s.conn.Done():
	case <-s.life.Done(): // exit, or the editor's process is gone
	case <-ctx.Done():
	}
	s.shutdown()
	// The pipe goes first: the connection waits for answers that no longer come.
	s.wire.Close()
	s.conn.Close()
	s.work.Wait()
	if err := s.conn.Err(); err != nil && s.phase.Load() < phaseShutdown && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		return fmt.Errorf("the editor's stream broke: %w", err)
	}
	return nil
}

// shutdown ends everything the server has started.
func (s *server) shutdown() {
	s.end()
	s.ready.Do(func() { s.bErr = errors.New("the server is ending") })
	if s.b == nil {
		return
	}
	if l := s.lender.Load(); l != nil {
		l.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	if err := s.b.Close(ctx); err != nil {
		s.log.Warn().Err(err).Msg("close")
	}
	s.plain.Close()
}

// Bridge is the bridge, made when it is first needed: initialize is answered without it.
func (s *server) Bridge() (*bridge.Bridge, error) {
	s.ready.Do(func() {
		cfg := s.config.bridge()
		cfg.TTY = cfg.TTY && s.Rich(plain.Terminal) // without a plugin nobody sees a command's output
		cfg.Editor, cfg.Buffers, cfg.Folders = editor{s}, buffers{s}, s.client.folders
		s.b, s.bErr = bridge.New(cfg)
		if s.bErr != nil {
			s.log.Error().Err(s.bErr).Msg("bridge")
			s.message(protocol.MessageTypeError, "copilot-bridge cannot start: "+s.bErr.Error())
		}
	})
	return s.b, s.bErr
}

// lendBuffers lends the open buffers, where the user has asked for it.
func (s *server) lendBuffers() {
	if !s.o.Lend {
		return
	}
	b, err := s.Bridge()
	if err != nil || s.life.Err() != nil {
		return
	}
	l, err := lend.Open(s.o.Bridge.StateDir, s.client.folders, lent{b}, s.log)
	if err != nil {
		s.message(protocol.MessageTypeWarning, "copilot-bridge: "+err.Error())
		return
	}
	s.lender.Store(l)
	if s.life.Err() != nil { // it ended meanwhile
		l.Close()
	}
}

// codec is the protocol package's own, which it does not export, beside raw messages.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) {
	switch v := v.(type) {
	case jsonrpc2.RawMessage:
		return v, nil
	case jsontext.Value:
		return v, nil
	}
	return protocol.Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error {
	switch v := v.(type) {
	case *jsonrpc2.RawMessage:
		*v = append((*v)[:0], data...)
		return nil
	case *jsontext.Value:
		*v = append((*v)[:0], data...)
		return nil
	case nil:
		return nil
	}
	return protocol.Unmarshal(data, v)
}

// tolerant keeps the connection alive whatever a handler does: jsonrpc2 ends it on an error of a notification handler
// and on a panic.
func (s *server) tolerant(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
		method, call := req.Method(), req.IsCall()
		defer func() {
			if p := recover(); p != nil {
				s.log.Error().Interface("panic", p).Str("method", method).Msg("handler")
				result, err = nil, jsonrpc2.NewError(jsonrpc2.InternalError, "internal error of copilot-bridge in "+method)
			}
			if err != nil && !call {
				s.log.Warn().Err(err).Str("method", method).Msg("notification")
				err = nil
			}
		}()
		return next(ctx, req)
	}
}

// handle runs notifications inline, in order, and calls beside each other.
//
// The context of jsonrpc2 is recycled with its request, and one derived from it that lives a moment longer panics
// (v1.0.1); calls get one of the server's own.
func (s *server) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	method := req.Method()
	if !req.IsCall() {
		if f := s.notes[method]; f != nil && (s.phase.Load() == phaseRunning || method == protocol.MethodExit) {
			return nil, f(s, jsontext.Value(req.Params()))
		}
		return nil, nil // unknown notifications, $/… among them, mean nothing here
	}
	switch phase := s.phase.Load(); {
	case phase == phaseFresh && method != protocol.MethodInitialize:
		return nil, jsonrpc2.NewError(codeNotInitialized, "the first request is initialize")
	case phase == phaseRunning && method == protocol.MethodInitialize:
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize came a second time")
	case phase >= phaseShutdown:
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, method+" came after shutdown")
	}
	f := s.calls[method]
	if f == nil {
		return nil, jsonrpc2.NewError(jsonrpc2.MethodNotFound, "there is no method "+method)
	}
	id, params := req.ID(), jsontext.Value(req.Params()).Clone()
	if len(params) == 0 || string(params) == "null" {
		params = jsontext.Value("{}") // a request of ours without params is one with none set
	}
	if method != protocol.MethodInitialize && method != protocol.MethodShutdown {
		jsonrpc2.Async(ctx)
	}
	ctx, cancel := context.WithCancel(s.life)
	defer cancel()
	s.open.Store(id, cancel)
	defer s.open.Delete(id)
	result, err := f(ctx, s, params)
	if err != nil {
		return nil, wireError(err)
	}
	return result, nil
}

// exit ends the connection (LSP exit notification).
func (s *server) exit() {
	s.phase.Store(phaseExit)
	s.end()
}
