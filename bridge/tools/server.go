package tools

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

// ServerName is the name of the MCP server; an agent shows the model its tools as "editor-view" and so on.
const ServerName = "editor"

// ErrClosed is the error after Close.
var ErrClosed = errors.New("the editor tools are closed")

// Server serves the editor tools on a private socket. Make it with [Listen]; all its methods may be called from any
// goroutine.
type Server struct {
	host   Host
	set    ToolSet
	log    zerolog.Logger
	folder string
	ln     net.Listener
	tokens *tokens
	door   chan struct{} // a slot for each connection that has not shown its token
	over   chan struct{} // closed by Close
	work   sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	serial  uint64
	open    map[net.Conn]bool
	present map[string]int // connections by agent session
	changed chan struct{}  // closed and replaced when present or closed changes
	refusal string         // why the last stranger was sent away
}

// Listen opens the socket in a fresh folder below dir; if dir is empty or its path too long for a socket, below the
// user's runtime folder or the one for temporary files. No process gets in before [Server.Mint].
func Listen(dir string, h Host, set ToolSet, log zerolog.Logger) (*Server, error) {
	folder, err := freshFolder(dir)
	if err != nil {
		return nil, err
	}
	ln, err := peercred.Listen(filepath.Join(folder, socketName))
	if err != nil {
		return nil, fmt.Errorf("open the editor tools' socket: %w", errors.Join(err, os.RemoveAll(folder)))
	}
	s := &Server{
		host: h, set: set, log: log, folder: folder, ln: ln,
		tokens: &tokens{folder: folder, now: time.Now}, door: make(chan struct{}, MaxStrangers), over: make(chan struct{}),
		open: map[net.Conn]bool{}, present: map[string]int{}, changed: make(chan struct{}),
	}
	s.work.Go(s.accept)
	s.work.Go(func() { sweep(folder, time.Now()) })
	return s, nil
}

// Socket is the path of the socket, for [Pipe].
func (s *Server) Socket() string { return filepath.Join(s.folder, socketName) }

// Mint lets one more process in. Call it before each session/new and session/load.
func (s *Server) Mint() error {
	err := s.tokens.mint()
	if err != nil {
		s.log.Error().Err(err).Msg("the next session will have no editor tools")
	}
	return err
}

// Close ends all connections, waits for their calls and for Host.Disconnected of each, and removes the folder. Not to
// be called from within a Host method.
func (s *Server) Close() error {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	s.announce()
	open := slices.Collect(maps.Keys(s.open))
	s.mu.Unlock()
	var err error
	if first {
		close(s.over)
		err = s.ln.Close()
	}
	for _, c := range open {
		_ = c.Close() // it may have ended by itself
	}
	s.work.Wait()
	return errors.Join(err, os.RemoveAll(s.folder))
}

func (s *Server) accept() {
	for {
		c, err := s.ln.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			s.log.Error().Err(err).Msg("editor tools cannot accept a connection")
			select {
			case <-time.After(acceptPause):
				continue
			case <-s.over:
				return
			}
		}
		select {
		case s.door <- struct{}{}:
			if !s.track(c) {
				return
			}
			s.work.Go(func() { s.serve(c) })
		default:
			s.turnAway(c, "too many connections without a token")
		}
	}
}

// track notes an open connection, so that Close can end it; false if Close was quicker.
func (s *Server) track(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = c.Close()
		return false
	}
	s.open[c] = true
	return true
}

func (s *Server) turnAway(c net.Conn, why string) {
	s.log.Warn().Str("why", why).Msg("a connection to the editor tools was refused")
	s.mu.Lock()
	s.refusal = why
	s.announce()
	s.mu.Unlock()
	_ = c.Close()
}

// serve is the life of one connection.
func (s *Server) serve(c net.Conn) {
	defer func() {
		_ = c.Close()
		s.mu.Lock()
		delete(s.open, c)
		s.mu.Unlock()
	}()
	in := bufio.NewReader(c)
	caller, err := s.greet(c, in)
	<-s.door
	if err != nil {
		s.turnAway(c, err.Error())
		return
	}
	s.host.Connected(caller)
	s.arrive(caller, +1)
	why := s.talk(c, in, caller)
	s.arrive(caller, -1)
	s.host.Disconnected(caller, why)
}

// talk serves the tools until the connection ends, and says why it did.
func (s *Server) talk(c net.Conn, in *bufio.Reader, caller Caller) error {
	session, err := newMCP(context.Background(), s.host, caller, s.set, s.log).Connect(context.Background(), &stream{conn: c, in: in}, nil)
	if err == nil {
		err = session.Wait() // all calls have returned after it
	}
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	switch {
	case closed:
		return ErrClosed
	case err != nil:
		return fmt.Errorf("the connection to process %d broke: %w", caller.PID, err)
	}
	return fmt.Errorf("process %d, which carried the editor tools, has ended", caller.PID)
}
