package acp

import (
	"cmp"
	"context"
	"io"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/internal/outbound"
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
// call. It does what a program with a stranger at the other end needs: a filter
// for everything that is not a message (line*.go), a queue so that nobody waits
// for a pipe (package outbound), exactly one answer to every request whatever
// happens (request.go).
//
// It is not built on a JSON-RPC library. One that decodes, copies and dispatches
// by itself would have to be gone around for notifications, of which an answer
// has thousands; for params, which it would scan again; for ids, which come back
// as the peer spelt them; and for every line that would end its loop.
//
// Three things always hold. Handler sees messages in the order of the wire, and
// when Call returns, all that came before the response. Only the writer writes;
// the reader never waits for it. Whatever ends the connection, open requests are
// answered and waiting calls return.
type Conn struct {
	rwc     io.ReadWriteCloser
	handler Handler
	log     zerolog.Logger
	reader  *reader
	out     *outbound.Queue
	open    openRequests            // of the peer
	calls   calls                   // of ours
	tap     func(Direction, []byte) // nil where nobody listens

	// life ends with the connection and takes the contexts of requests with it.
	life      context.Context
	endLife   context.CancelCauseFunc
	closing   chan struct{}
	closeOnce sync.Once
	read      chan struct{} // closed at the end of what the peer sends
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
	o.MaxLine, o.Queue = cmp.Or(o.MaxLine, MaxLine), cmp.Or(o.Queue, queueLimit)
	c := &Conn{
		rwc: rwc, handler: h, log: o.Log.With().Str("peer", o.Name).Logger(),
		open:    openRequests{byKey: make(map[string]*Request)},
		calls:   calls{waiting: make(map[int64]*call)},
		closing: make(chan struct{}), read: make(chan struct{}), done: make(chan struct{}),
	}
	c.life, c.endLife = context.WithCancelCause(context.Background())
	if o.Tap != nil {
		var one sync.Mutex
		c.tap = func(dir Direction, line []byte) {
			one.Lock()
			defer one.Unlock()
			o.Tap(dir, line)
		}
	}
	c.reader = &reader{c: c}
	c.reader.lines = newLineReader(c.reader, o.MaxLine)
	c.out = outbound.New(rwc, o.Queue, c.writeFailed)
	go c.reader.run()
	go c.run()
	return c
}
