package transcript

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// Config says which program to call, and how. Launch.Command, Handler and Conversation are required.
type Config struct {
	Launch copilot.Launch // the program; with Socket the editor tools take the place of its own
	Env    []string       // its whole environment
	Guard  []string       // argv prefix of the guardian; see internal/guard

	// Conversation finds what was said in a session, nil if the bridge has none of that id. It is called when a session is
	// loaded, and with the first prompt of a new one.
	Conversation func(acp.SessionID) Conversation

	MaxTurns   int // newest turns that go before a message; 0: DefaultTurns
	TokenLimit int // context window in tokens; 0: DefaultLimit

	Handler agent.Handler
	// Happened tells of what happened to a session beside its updates: "compaction_started", "compaction_completed",
	// "truncation", "history_lost", "notice", "tools_lost", with the data that Copilot CLI's own events of these names have.
	// It is called in order with the updates and must not block. May be nil.
	Happened func(acp.SessionID, *conversation.Happening)
	// Mint lets one more process of the editor tools in; see tools.Server. Called before each call of a program with them.
	Mint func() error
	// Alias says that the program calls a session by another name too, in calls of the editor tools. May be nil.
	Alias func(session, also acp.SessionID)

	Log zerolog.Logger
	Now func() time.Time // nil: time.Now
}

// Agent is the program seen as an agent. It implements the bridge's Agent port; no process runs between turns.
type Agent struct {
	cfg        Config
	log        zerolog.Logger
	name       string // of the program, for messages
	detector   *copilot.Detector
	thresholds thresholds
	version    copilot.Version
	first      copilot.Features // as it was at the start

	life context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup
	rush chan struct{} // closed, by hurry, when Close may take no longer
	done chan struct{} // closed when Exited has returned

	hurry func()

	mu       sync.Mutex
	sessions map[acp.SessionID]*session
	latest   *session // of the newest call of the program
	closing  bool
}

// Start looks at the program; it runs --help and --version. The error is a *agent.StartError.
func Start(ctx context.Context, cfg Config) (*Agent, error) {
	if len(cfg.Launch.Command) == 0 {
		return nil, &agent.StartError{Kind: agent.NotFound, Name: "(none)", Reason: "no command is set", Hint: "set the agent's command"}
	}
	name := filepath.Base(cfg.Launch.Command[0])
	path, err := agent.LookPath(cfg.Launch.Command[0], cfg.Env)
	if err != nil {
		var se *agent.StartError
		if errors.As(err, &se) {
			return nil, err
		}
		return nil, &agent.StartError{Kind: agent.NotFound, Name: name, Reason: err.Error(), Hint: "install Copilot CLI with `npm install -g @github/copilot`, or name the program in agent.command"}
	}
	cfg.Launch.Command = append([]string{path}, cfg.Launch.Command[1:]...)
	cfg.Env = copilot.AgentEnv(cfg.Env)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.MaxTurns <= 0 {
		cfg.MaxTurns = DefaultTurns
	}
	if cfg.TokenLimit <= 0 {
		cfg.TokenLimit = DefaultLimit
	}
	a := &Agent{cfg: cfg, log: cfg.Log.With().Str("agent", name).Logger(), name: name, detector: new(copilot.Detector),
		thresholds: thresholdsOf(cfg.Env), rush: make(chan struct{}), done: make(chan struct{}), sessions: map[acp.SessionID]*session{}}
	if a.first, err = a.features(ctx); err != nil {
		return nil, &agent.StartError{Kind: agent.Failed, Name: name, Reason: err.Error(), Hint: "run it in a terminal"}
	}
	if v, err := a.detector.Detect(ctx, cfg.Launch.Command, cfg.Env); err == nil { // for people; it works without
		a.version = v
	}
	a.life, a.end = context.WithCancel(context.Background())
	a.hurry = sync.OnceFunc(func() { close(a.rush) })
	return a, nil
}

// features is what the program can do now: it may be another one than in the turn before.
func (a *Agent) features(ctx context.Context) (copilot.Features, error) {
	f, err := a.detector.Features(ctx, a.cfg.Launch.Command, a.cfg.Env)
	if err == nil && !f.Print { // a help that does not list it; -p -s --stream on are what every version has taken
		f.Silent, f.Stream = true, true
	}
	return f, err
}

// EditorTools says whether the program takes the editor tools in the place of its own.
func (a *Agent) EditorTools() bool { return a.cfg.Launch.Socket != "" && a.first.EditorTools() }

// Features is what the program could do when the agent was started.
func (a *Agent) Features() copilot.Features { return a.first }

// Info is what the agent is. Pictures and MCP servers of a session cannot be passed on to a program without ACP.
func (a *Agent) Info() agent.Info {
	i := agent.Info{Name: a.name, Title: a.name + " -p", Protocol: 1}
	if a.version.Known() {
		i.Version = a.version.String()
	}
	i.Capabilities.LoadSession = true
	i.Capabilities.PromptCapabilities.EmbeddedContext = true
	i.Capabilities.SessionCapabilities.Close = &acp.SessionCloseCapabilities{}
	i.Result, _ = acp.Marshal(&acp.InitializeResponse{ // as an agent that speaks ACP answers; strings
		ProtocolVersion: acp.ProtocolVersion(i.Protocol), AgentCapabilities: i.Capabilities,
		AgentInfo: &acp.Implementation{Name: i.Name, Title: &i.Title, Version: i.Version},
	})
	return i
}

func (a *Agent) now() time.Time { return a.cfg.Now() }

// Done is closed when the agent is closed and its handler has been told.
func (a *Agent) Done() <-chan struct{} { return a.done }

// Close ends what runs, within 4 s, and tells the handler.
func (a *Agent) Close(ctx context.Context) error {
	a.mu.Lock()
	first := !a.closing
	a.closing = true
	a.mu.Unlock()
	if first {
		a.end()
		go func() {
			defer close(a.done)
			a.work.Wait()
			a.cfg.Handler.Exited(&agent.ExitError{Asked: true})
		}()
	}
	limit := time.NewTimer(closeGrace)
	defer limit.Stop()
	select {
	case <-a.done:
		return nil
	case <-ctx.Done():
	case <-limit.C:
	}
	a.hurry()
	<-a.done // what is killed ends
	return ctx.Err()
}

// begin keeps the agent's end waiting for work; false if it is closed.
func (a *Agent) begin() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return false
	}
	a.work.Add(1)
	return true
}

// Call implements the methods that a program without ACP can have.
func (a *Agent) Call(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	switch method {
	case acp.MethodSessionNew:
		return acp.Answer(ctx, method, params, a.newSession)
	case acp.MethodSessionLoad:
		return acp.Answer(ctx, method, params, a.loadSession)
	case acp.MethodSessionPrompt:
		return acp.Answer(ctx, method, params, a.prompt)
	case acp.MethodSessionClose:
		return acp.Answer(ctx, method, params, a.closeSession)
	case acp.MethodSessionList: // the bridge knows its sessions, and those that Copilot CLI has on disk, by itself
		return acp.Marshal(&acp.ListSessionsResponse{Sessions: []acp.SessionInfo{}})
	case acp.MethodSessionSetMode:
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: a.name + " -p has no modes"}
	case acp.MethodSessionSetConfigOption:
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: fmt.Sprintf("%s -p has no options that can be set: put them into agent.command", a.name)}
	}
	return nil, &acp.Error{Code: acp.CodeMethodNotFound, Message: a.name + " -p has no " + method}
}

// Notify takes session/cancel, which ends the session's turn, and a summary that is being made. ACP v1: unknown
// notifications are ignored.
func (a *Agent) Notify(_ context.Context, method string, params jsontext.Value) error {
	if method != acp.MethodSessionCancel {
		return nil
	}
	s, err := a.session(acp.NewMessage(method, params).SessionID())
	if err != nil {
		return err
	}
	s.stop()
	return nil
}

// newSession opens a session. Its id is also the name that the program's own session gets, where it takes one.
func (a *Agent) newSession(_ context.Context, r *acp.NewSessionRequest) (*acp.NewSessionResponse, error) {
	s := &session{a: a, id: acp.SessionID(newUUID()), cwd: r.Cwd}
	if err := a.add(s); err != nil {
		return nil, err
	}
	s.greet()
	return &acp.NewSessionResponse{SessionID: s.id}, nil
}

// loadSession opens a session of before: one of ours, or one that Copilot CLI has from elsewhere. What was said in it is
// sent as updates before it returns.
func (a *Agent) loadSession(ctx context.Context, r *acp.LoadSessionRequest) (*acp.LoadSessionResponse, error) {
	if _, err := a.session(r.SessionID); err == nil {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: fmt.Sprintf("session %s is already loaded", r.SessionID)}
	}
	s := &session{a: a, id: r.SessionID, cwd: r.Cwd}
	if err := s.load(ctx); err != nil {
		return nil, err
	}
	if err := a.add(s); err != nil {
		return nil, err
	}
	s.greet()
	return &acp.LoadSessionResponse{}, nil
}

func (a *Agent) add(s *session) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return acp.ErrClosed
	}
	a.sessions[s.id] = s
	return nil
}

// greet tells which commands a session has.
func (s *session) greet() {
	s.update(&acp.AvailableCommandsUpdate{AvailableCommands: []acp.AvailableCommand{{
		Name: "compact", Description: "Replace what was said so far by a summary",
		Input: &acp.UnstructuredCommandInput{Hint: "what to keep in mind (optional)"},
	}}})
}

// closeSession ends what runs in a session and lets go of it.
func (a *Agent) closeSession(ctx context.Context, r *acp.CloseSessionRequest) (*acp.CloseSessionResponse, error) {
	s, err := a.session(r.SessionID)
	if err != nil {
		return nil, err
	}
	s.stop()
	if err := s.rested(ctx); err != nil {
		return nil, err
	}
	a.mu.Lock()
	delete(a.sessions, r.SessionID)
	a.mu.Unlock()
	return &acp.CloseSessionResponse{}, nil
}

func (a *Agent) session(id acp.SessionID) (*session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s := a.sessions[id]; s != nil {
		return s, nil
	}
	return nil, unknown(id)
}

// called notes which session the program was called for last, and says whether it was the same one before.
func (a *Agent) called(s *session) (again bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	again = a.latest == s
	a.latest = s
	return again
}

// newUUID is a random UUID (RFC 9562, version 4), which is what Copilot CLI names sessions by.
func newUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails (crypto/rand, Go 1.24)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// withUsage is a prompt's answer with what the program said of its usage.
func withUsage(stop acp.StopReason, usage jsontext.Value) *acp.PromptResponse {
	r := &acp.PromptResponse{StopReason: stop}
	if len(usage) > 0 {
		r.Extra = slices.Concat(jsontext.Value(`{"usage":`), usage, jsontext.Value(`}`))
	}
	return r
}
