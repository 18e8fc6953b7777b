package acp

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"go.lsp.dev/jsonrpc2"
)

// Direction says which way a line went, seen from this side.
type Direction uint8

const (
	Received Direction = iota
	Sent
)

func (d Direction) String() string {
	if d == Sent {
		return "sent"
	}
	return "received"
}

// Handler receives what the peer sends. Its methods are called on the reading
// goroutine, in the order of the lines, and must not block: nothing else is read
// meanwhile, the answer to a Call among it. A panic is logged; the request, if it
// was one, gets an internal error.
type Handler interface {
	// Message is given every request and notification but $/cancel_request. A
	// request may be answered during the call or later, from any goroutine. A
	// notification is the connection's, see [Message].
	Message(m *Message)

	// Drained comes after notifications with More, before a request is handed
	// over or more lines are waited for. What was put off for the sake of more is
	// to be done now.
	Drained()
}

// Options of a Conn. The zero value is good.
type Options struct {
	// Log gets what is skipped, refused and gone wrong.
	Log zerolog.Logger

	// Name of the peer, for the log.
	Name string

	// Tap sees every line in the order of the wire, without its newline: of
	// those received also what is skipped, except lines too long to keep. Calls
	// do not overlap. It must not block and not keep the line.
	Tap func(dir Direction, line []byte)

	// MaxLine is the longest line accepted; 0 is the constant of that name.
	MaxLine int

	// Queue is how many bytes may wait for a peer that does not read before who
	// sends has to wait too; 0 is 16 MiB.
	Queue int
}

// Conn is one ACP connection: JSON-RPC 2.0, a message a line, either side may
// call. Around a library it adds what a program with a stranger at the other end
// needs: a filter for everything that is not a message (line*.go), a queue so
// that nobody waits for a pipe (writer.go), exactly one answer to every request
// whatever happens (request.go).
//
// Of go.lsp.dev/jsonrpc2 it uses the numbering and correlation of calls, the
// loop that reads and dispatches, with [jsonrpc2.Async] for answers that come
// later, and the composing of messages. It does not use the library for what
// loses something there: notifications, which it would decode, copy and hand to
// a goroutine, go from the filter to the Handler; params stay with the Request
// and are not scanned again; an id whose spelling the library would change goes
// through it under another name (writer_line.go); and a line that would end its
// loop, such as an answer that nobody asked for, never reaches it.
//
// Three things always hold. Handler sees messages in the order of the wire, and
// when Call returns, all that came before the response. Only the writer writes;
// the reader never waits for it. Whatever ends the connection, open requests are
// answered and waiting calls return.
type Conn struct {
	rwc     io.ReadWriteCloser
	handler Handler
	log     zerolog.Logger
	rpc     jsonrpc2.Conn
	stream  *stream
	out     *writer
	open    openRequests
	stats   counters
	tapMu   sync.Mutex

	// life ends with the connection and takes the contexts of requests with it.
	// calls ends later, when every response that was read has been delivered.
	life      context.Context
	endLife   context.CancelCauseFunc
	calls     context.Context
	endCalls  context.CancelFunc
	closing   chan struct{}
	closeOnce sync.Once
	done      chan struct{}

	mu       sync.Mutex
	err      error // what ended the connection, nil for Close and a clean end
	ended    bool  // run is taking the connection down
	closeErr error
	broken   *time.Timer // see brokenPipeGrace
}

// NewConn starts a connection over rwc, which it owns from now on. rwc's Close
// must interrupt Read and Write. If rwc is a syscall.Conn, the connection is that
// of the descriptor that Write writes to, and messages take a shorter way.
func NewConn(rwc io.ReadWriteCloser, h Handler, o Options) *Conn {
	if o.MaxLine <= 0 {
		o.MaxLine = MaxLine
	}
	c := &Conn{
		rwc: rwc, handler: h, log: o.Log.With().Str("peer", o.Name).Logger(),
		out:     newWriter(rwc),
		open:    openRequests{byKey: make(map[string]*Request)},
		closing: make(chan struct{}), done: make(chan struct{}),
	}
	if o.Queue > 0 {
		c.out.limit = o.Queue
	}
	c.life, c.endLife = context.WithCancelCause(context.Background())
	c.calls, c.endCalls = context.WithCancel(context.Background())
	c.stream = &stream{c: c}
	c.stream.lines = newLineReader(&counted{r: rwc, s: c.stream}, o.MaxLine)
	if o.Tap != nil {
		c.stream.tap = c.tap(Received, o.Tap)
		c.out.tap = c.tap(Sent, o.Tap)
	}
	c.rpc = jsonrpc2.NewConn(c.stream, jsonrpc2.WithCodec(rawCodec{}))
	go c.out.run(c.writeFailed)
	c.rpc.Go(context.Background(), c.serve)
	go c.run()
	return c
}

func (c *Conn) tap(dir Direction, f func(Direction, []byte)) func([]byte) {
	return func(line []byte) {
		c.tapMu.Lock()
		defer c.tapMu.Unlock()
		f(dir, line)
	}
}
