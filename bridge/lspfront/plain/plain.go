package plain

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// Concern is one thing that a plugin may take over from plain LSP.
type Concern int

// The concerns (docs/dev/protocol.md).
const (
	Updates Concern = iota
	Permission
	Review
	Input
	Terminal
	Save
	Diagnostics
	Focus
	Status
	Language
	Concerns int = iota // their number
)

// Client is the editor, as the connection knows it. Its methods may be called on any goroutine.
type Client interface {
	// Call asks the editor and waits; a ctx that ends withdraws the request.
	Call(ctx context.Context, method string, params, result any) error
	// Notify queues a notification; it does not wait.
	Notify(method string, params any)
	// Show has the editor show a document; false if it did not.
	Show(context.Context, *protocol.ShowDocumentParams) bool
	// Rich says whether a plugin does a concern.
	Rich(Concern) bool

	// Go runs work that the end of the connection waits for.
	Go(func())
	// Behind does what takes time, after the answer to a request, and shows how it failed.
	Behind(what string, f func(context.Context) error)
	Bridge() (*bridge.Bridge, error)

	// URI is a file as the editor spells it, Text its text now and its version, nil for a file that is not open.
	URI(path string) string
	Text(path string) (text.Text, *int32)
	// Encoding is what characters of positions are counted in.
	Encoding() text.Encoding
	// Selection is where the user is; nil if that is not known.
	Selection() *bridge.Selection
	// Can is what the editor has, fixed by initialize.
	Can() Abilities
	// DismissKeeps says that a question that is closed unanswered stays open. It is a no otherwise.
	DismissKeeps() bool
}

// Abilities are parts of LSP that not every editor has.
type Abilities struct {
	Progress    bool // window/workDoneProgress/create
	LensRefresh bool // workspace/codeLens/refresh
	Messages    bool // window/showMessageRequest, as far as the editor says so
}

// Config is what a tier is made with.
type Config struct {
	Client Client
	Life   context.Context // of the connection
	Log    zerolog.Logger
	Dir    string // the state folder, where transcripts go; "" for none
	Clock  Clock  // nil: the system's
}

// Tier is the plain tier of one connection.
type Tier struct {
	Config
	diagnostics *diagnostics
	progress    *progress
	transcripts *transcripts
	questions   *questions
	failures    *failures
	calls       toolCalls    // of the goroutine that shows events
	lenses      atomic.Int32 // refreshes of the code lenses that are wanted

	mu      sync.Mutex
	turns   []Turn
	special map[string][]string // what is on, by session
}

// Turn is one that has started and not ended.
type Turn struct{ Session, ID string }

// New makes the tier of a connection.
func New(c Config) *Tier {
	if c.Clock == nil {
		c.Clock = systemClock{}
	}
	p := &Tier{Config: c, calls: toolCalls{}, special: map[string][]string{}}
	p.diagnostics = newDiagnostics(p)
	p.progress = newProgress(p)
	p.transcripts = newTranscripts(p)
	p.questions = newQuestions(p)
	p.failures = newFailures(p)
	return p
}

// Close stops all timers and writes what is still to be written. No event comes afterwards.
func (p *Tier) Close() {
	p.diagnostics.close()
	p.progress.close()
	p.transcripts.close()
}

// Show takes one event in, on the goroutine that shows them all, in order.
func (p *Tier) Show(_ context.Context, ev bridge.Event) {
	switch e := ev.(type) {
	case *bridge.TurnStarted:
		p.started(e.Session, e.Turn)
		p.failures.started()
		p.transcripts.prompt(e)
		delete(p.calls, e.Session)
		p.diagnostics.forget(e.Session)
		p.progress.started(e.Session, e.Turn)
	case *bridge.Message:
		p.transcripts.update(e)
		if e.Replay {
			break
		}
		if c := p.calls.update(e); c != nil {
			p.progress.tell(e.Session, p.calls.running(e.Session))
			p.diagnostics.update(e, c)
		}
	case *bridge.TerminalOutput:
		p.transcripts.output(e)
	case *bridge.TurnEnded:
		if p.ended(e.Turn) { // else it was taken out of the queue
			delete(p.calls, e.Session)
			p.transcripts.ended(e)
		}
		p.progress.ended(e.Turn, endWord(e))
		p.diagnostics.turnEnded(e)
		p.failures.turn(e)
	case *bridge.ReviewChanged:
		p.diagnostics.touch(e.Path)
	case *bridge.CommentsChanged:
		p.diagnostics.touch(e.Path)
	case *bridge.StatusChanged:
		p.progress.status(e)
		p.failures.status(e)
	case *bridge.SessionChanged:
		p.stands(e)
		if e.Event != nil {
			p.happened(e.Session, e.Event)
		}
	}
}

// happened shows what happened to a session beside its turns.
func (p *Tier) happened(session string, h *bridge.Happening) {
	p.transcripts.note(session, h.Message)
	switch h.Type {
	case "conflict":
		p.diagnostics.conflict(session, h)
	case "turn_interrupted":
		p.offerLost(session, h)
	case "agent_kind":
		if !p.Client.Rich(Updates) {
			p.Message(protocol.MessageTypeInfo, h.Message)
		}
	case "history_lost", "tools_lost", "not_saved", "not_shown", "unasked_change", "allow_all", "plan_mode":
		if !p.Client.Rich(Updates) {
			p.Message(protocol.MessageTypeWarning, h.Message)
		}
	}
}

func (p *Tier) started(session, turn string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turns = append(p.turns, Turn{session, turn})
}

// ended takes a turn out of those that run; false if it did not.
func (p *Tier) ended(turn string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.turns)
	p.turns = slices.DeleteFunc(p.turns, func(t Turn) bool { return t.ID == turn })
	return len(p.turns) < before
}

// Running are the turns under way, oldest first.
func (p *Tier) Running() []Turn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.turns)
}

// SessionClosed lets go of a session.
func (p *Tier) SessionClosed(id string) {
	p.diagnostics.forget(id)
	p.transcripts.forget(id)
}

// SessionDeleted lets go of a session and removes its transcript.
func (p *Tier) SessionDeleted(id string) {
	p.SessionClosed(id)
	p.transcripts.remove(id)
}

// Opened says that the editor has opened a file: what is pending in it is published under the editor's own URI.
func (p *Tier) Opened(path string) { p.diagnostics.touch(path) }

// UseToken has a turn's progress reported under a token of the client's.
func (p *Tier) UseToken(turn string, token jsontext.Value) { p.progress.useToken(turn, token) }

// Took shows in plain LSP what is pending of a concern that the plugin failed at.
func (p *Tier) Took(c Concern) {
	switch c {
	case Review:
		b, err := p.Client.Bridge()
		if err != nil {
			return
		}
		for _, f := range b.Review(p.Life, review.Filter{}) {
			p.diagnostics.touch(f.Path)
		}
	case Updates:
		for _, t := range p.Running() {
			p.progress.started(t.Session, t.ID)
		}
		p.diagnostics.touchAll()
	case Permission:
		p.diagnostics.touchAll()
	}
}
