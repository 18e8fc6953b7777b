package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// protocolVersion is what we speak and ask for. Asking for more would be
// answered in a form that we then could not read.
const protocolVersion = 1

// Handler receives what the agent sends: updates, other notifications, and what
// it asks, which may be anything. Message and Drained are called on the reading
// goroutine, in the order of the wire, and must not block or call the agent. They
// may be called before Start has returned.
type Handler interface {
	acp.Handler
	// Exited is the end: called once, after everything else, on a goroutine of
	// its own. Nothing of the agent's process tree is left. It is not called
	// for an agent that failed to start. err is never nil.
	Exited(err *ExitError)
}

// Config says which agent to run and as what client.
type Config struct {
	// Command is the program and its arguments; see [guard.Config].
	Command []string
	Env     []string // the whole environment, nil for our own
	Dir     string   // working folder, "" for our own
	// Dial is a loopback address to connect to instead, such as
	// "127.0.0.1:3000". The protocol has no authentication there: offer such an
	// agent files and terminals only if the user has asked for it.
	Dial string
	// Guard is the argv prefix of the guardian; see [guard.Config].
	Guard []string

	ClientInfo   acp.Implementation
	Capabilities acp.ClientCapabilities
	// Initialize is the params of initialize as they are to be sent, instead of
	// ClientInfo and Capabilities; nil makes them of those.
	Initialize jsontext.Value
	// HandshakeTimeout is how long initialize may take, 0 for 30 seconds.
	HandshakeTimeout time.Duration

	Log zerolog.Logger
	// Tap sees every line of the connection; see [acp.Options].
	Tap     func(acp.Direction, []byte)
	Handler Handler
}

// Info is what the agent said of itself in the handshake.
type Info struct {
	Name, Title, Version string // Name is the program's if it did not say
	PID                  int    // 0 if we did not start it
	Protocol             int
	Capabilities         acp.AgentCapabilities
	AuthMethods          []acp.AuthMethod
	Meta                 jsontext.Value
	Result               jsontext.Value // of initialize, as it came
}

// Label is the agent's name and version, "" if it did not say which version it is.
func (i Info) Label() string {
	if i.Version == "" {
		return ""
	}
	return i.Name + " " + i.Version
}

// Agent is a running agent. Its methods may be called from any goroutine, but
// not from a Handler while it is called.
type Agent struct {
	name    string // for messages
	log     zerolog.Logger
	handler Handler
	limit   time.Duration // of the handshake
	after   func(time.Duration, func()) (stop func() bool)
	conn    *acp.Conn
	info    Info

	// Of a program that we started; nil otherwise.
	proc   *guard.Process
	pipes  *pipes
	stderr *os.File
	errs   *lastWords

	closing chan struct{} // closed by the first Close
	hurry   chan struct{} // closed when the end may take no longer
	exited  chan struct{} // closed when exit is known
	done    chan struct{} // closed when Exited has returned
	exit    ExitError

	mu      sync.Mutex
	state   State
	asked   bool // Close was called
	rushed  bool // hurry is closed
	started bool // the handshake is done: Exited will be called
	ended   bool // it is too late for that
}

// Start starts the program, or dials, and shakes hands. The error is a
// [*StartError]; nothing runs then. The agent lives until Close, whatever
// becomes of ctx after Start has returned.
func Start(ctx context.Context, cfg Config) (*Agent, error) {
	if cfg.Dial != "" {
		nc, err := dial(ctx, cfg.Dial)
		if err != nil {
			return nil, err
		}
		return connect(ctx, newAgent(cfg, cfg.Dial), cfg, nc)
	}
	if len(cfg.Command) == 0 {
		return nil, &StartError{Kind: NotFound, Name: "(none)", Reason: "no command is set", Hint: "set the agent's command"}
	}
	a := newAgent(cfg, filepath.Base(cfg.Command[0]))
	if err := a.spawn(cfg); err != nil {
		return nil, notStarted(cfg.Command[0], err)
	}
	return connect(ctx, a, cfg, a.pipes)
}

// Connect shakes hands over a stream that somebody else has made, and owns it
// from then on. Otherwise it is like Start.
func Connect(ctx context.Context, cfg Config, rwc io.ReadWriteCloser) (*Agent, error) {
	return connect(ctx, newAgent(cfg, "given"), cfg, rwc)
}

func newAgent(cfg Config, name string) *Agent {
	a := &Agent{
		name: name, handler: cfg.Handler, limit: cfg.HandshakeTimeout,
		after:   func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop },
		log:     cfg.Log.With().Str("agent", name).Logger(),
		closing: make(chan struct{}), hurry: make(chan struct{}), exited: make(chan struct{}), done: make(chan struct{}),
	}
	if a.limit <= 0 {
		a.limit = handshakeLimit
	}
	return a
}

func connect(ctx context.Context, a *Agent, cfg Config, rwc io.ReadWriteCloser) (*Agent, error) {
	a.conn = acp.NewConn(rwc, adapter{a.handler}, acp.Options{Log: a.log, Name: a.name, Tap: cfg.Tap})
	go a.watch()
	err := a.handshake(ctx, cfg)
	if err == nil {
		if err = a.begin(); err == nil {
			return a, nil
		}
	}
	a.abort(err)
	return nil, a.explain(ctx, err)
}

var (
	errHandshake = errors.New("no answer to the handshake")
	errNotAnswer = errors.New("the answer to the handshake is not valid")
	errEndedSoon = errors.New("it ended during the handshake")
)

type versionError struct{ theirs int }

func (e *versionError) Error() string { return fmt.Sprintf("protocol version %d", e.theirs) }

// handshake is initialize: who we are, what we offer, and what comes back.
func (a *Agent) handshake(ctx context.Context, cfg Config) error {
	ctx, release := a.limited(ctx, a.limit, errHandshake)
	defer release()
	params, err := cfg.hello()
	if err != nil {
		return err
	}
	raw, err := a.conn.Call(ctx, acp.MethodInitialize, params)
	if err != nil {
		if expired(ctx, errHandshake) {
			return errHandshake
		}
		return err
	}
	var res acp.InitializeResponse
	if err := acp.Unmarshal(raw, &res); err != nil || res.ProtocolVersion == 0 {
		return errNotAnswer
	}
	if res.ProtocolVersion != protocolVersion {
		return &versionError{int(res.ProtocolVersion)}
	}
	a.info = Info{
		Name: a.name, Protocol: int(res.ProtocolVersion), Capabilities: res.AgentCapabilities,
		AuthMethods: res.AuthMethods, Meta: res.Meta, Result: raw,
	}
	if i := res.AgentInfo; i != nil {
		a.info.Version = i.Version
		if i.Name != "" {
			a.info.Name = i.Name
		}
		if i.Title != nil {
			a.info.Title = *i.Title
		}
	}
	if a.proc != nil {
		a.info.PID = a.proc.PID()
	}
	return nil
}

// hello is the params of initialize.
func (cfg *Config) hello() (jsontext.Value, error) {
	if cfg.Initialize != nil {
		return cfg.Initialize, nil
	}
	req := &acp.InitializeRequest{ProtocolVersion: protocolVersion, ClientCapabilities: cfg.Capabilities}
	if cfg.ClientInfo.Name != "" {
		req.ClientInfo = &cfg.ClientInfo
	}
	return acp.Marshal(req)
}

// begin makes the agent ready, unless it has just ended.
func (a *Agent) begin() error {
	if a.pipes != nil {
		a.pipes.forget()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return errEndedSoon
	}
	a.started, a.state = true, Ready
	return nil
}

// Info is what the agent said of itself. It does not change.
func (a *Agent) Info() Info { return a.info }

// Disconnected is closed when nothing can be said to the agent any more. Its end is told a moment later, when its processes
// are gone.
func (a *Agent) Disconnected() <-chan struct{} { return a.conn.Done() }

// Done is closed when the agent has ended and Exited has returned.
func (a *Agent) Done() <-chan struct{} { return a.done }
