package acp

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
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

// Handler receives what the peer sends. Both methods are called on the reading
// goroutine, in the order of the lines, and must not block: nothing else is read
// meanwhile, the answer to a Call among it. A panic in either is logged; the
// request, if it was one, gets an internal error.
type Handler interface {
	// Notify is given every notification but $/cancel_request. params is nil if
	// there were none, and the callee's to keep.
	Notify(method string, params jsontext.Value)

	// Request is given every request. It may be answered during the call or
	// later, from any goroutine.
	Request(req *Request)
}

// QuickHandler is a [Handler] for streams of small notifications that are only passed on. Its methods are called on the
// reading goroutine as well.
type QuickHandler interface {
	// Quick is offered every notification with params, but $/cancel_request, before Notify; if it returns true, that was
	// all. params are the connection's: they are overwritten after the call. more says that the line after this one has
	// been read already.
	Quick(method string, params jsontext.Value, more bool) bool

	// Settle comes after calls of Quick with more, before anything else is handled or waited for. What was put off for
	// the sake of more notifications is to be done now.
	Settle()
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
// call. Dispatch, correlation and composing of messages are
// go.lsp.dev/jsonrpc2's. Around it Conn adds what a program with a stranger at
// the other end needs: a filter for everything that is not a message (line*.go),
// a queue so that nobody waits for a pipe (writer.go), exactly one answer to
// every request whatever happens (request.go).
//
// Three things always hold. Handler sees messages in the order of the wire, and
// when Call returns, all that came before the response. Only the writer writes;
// the reader never waits for it. Whatever ends the connection, open requests are
// answered and waiting calls return.
type Conn struct {
	rwc     io.ReadWriteCloser
	handler Handler
	quick   QuickHandler // the same one, nil if it is none
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
	c.quick, _ = h.(QuickHandler)
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
