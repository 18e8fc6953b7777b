package acpfront

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lend"
)

// Options are what a server is started with. Bridge is the configuration of the bridge behind it; its Editor, Remote,
// Terminals and Hello are the server's to set.
type Options struct {
	Log    zerolog.Logger
	Bridge bridge.Config
	Borrow *lend.Borrower // buffers that another bridge lends; nil: none
}

// Server is one editor's connection.
type Server struct {
	o    Options
	log  zerolog.Logger
	conn *acp.Conn

	life context.Context
	end  context.CancelFunc
	work sync.WaitGroup

	chain chan struct{} // closed when what the editor said last has been sent; only who takes the editor's messages touches it
	turns turns
	modes shownModes

	starting starting
	commands theirCommands
	screens  screens

	mu    sync.Mutex
	began bool // initialize has come
	caps  acp.ClientCapabilities

	diskReader     bool // the editor's fs counts as the disk, see diskReaders
	diskReaderSaid bool

	b      *bridge.Bridge // nil before initialize
	closed bool
}

// Serve runs a server on a stream until the editor leaves or ctx ends.
func Serve(ctx context.Context, o Options, rwc io.ReadWriteCloser) error {
	s := &Server{o: o, log: o.Log, chain: make(chan struct{}), turns: newTurns()}
	close(s.chain)
	s.life, s.end = context.WithCancel(context.Background())
	defer s.end()
	ready := make(chan struct{})
	s.conn = acp.NewConn(rwc, gate{s, ready}, acp.Options{Log: o.Log, Name: "editor", Queue: queueLimit})
	close(ready)
	select {
	case <-s.conn.Done():
	case <-ctx.Done():
	}
	s.shutdown()
	s.conn.Close()
	s.end()
	s.work.Wait()
	if err := s.conn.Err(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("the editor's stream broke: %w", err)
	}
	return nil
}

// gate holds the first message back until the server is whole.
type gate struct {
	s     *Server
	ready <-chan struct{}
}

func (g gate) Message(m *acp.Message) {
	<-g.ready
	if !g.s.starting.hold(m) {
		g.s.take(m)
	}
}

// take sorts a message of the editor's: on the reading goroutine, or where it came before the answer to initialize on the one that gave it.
// One at a time.
func (s *Server) take(m *acp.Message) {
	if m.Request != nil {
		s.request(m.Request)
		return
	}
	s.notify(m.Keep())
}

func (gate) Drained() {}

// shutdown ends the bridge.
func (s *Server) shutdown() {
	s.mu.Lock()
	b := s.b
	s.closed = true
	s.mu.Unlock()
	if b != nil {
		s.close(b)
	}
}

func (s *Server) close(b *bridge.Bridge) {
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	if err := b.Close(ctx); err != nil {
		s.log.Warn().Err(err).Msg("close")
	}
}

// bridge is the bridge, once the editor has said who it is.
func (s *Server) bridge() (*bridge.Bridge, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.b == nil {
		return nil, &acp.Error{Code: acp.CodeInvalidRequest, Message: "the first request is initialize"}
	}
	return s.b, nil
}

func (s *Server) capabilities() acp.ClientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.caps
}

// wireError is an error as the editor gets it: the agent's own as it came, the bridge's with its hint.
func wireError(err error) error {
	var theirs *acp.Error
	var ours *bridge.Error
	switch {
	case errors.As(err, &theirs):
		return theirs
	case errors.As(err, &ours):
		code := ours.Code
		if code == bridge.CodeNotSignedIn || notInstalled(err) { // the login says how to install it
			code = acp.CodeAuthRequired
		}
		data, merr := acp.Marshal(errorData{ours.Retryable, ours.Hint})
		if merr != nil {
			data = nil
		}
		return &acp.Error{Code: code, Message: ours.Error(), Data: data}
	}
	return err
}

// errorData is the data of our own errors (docs/dev/protocol.md).
type errorData struct {
	Retryable bool   `json:"retryable"`
	Hint      string `json:"hint,omitzero"`
}
