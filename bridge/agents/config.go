package agents

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/bridge/transcript"
)

// Config says which agent a [Pool] runs, and whom it tells. Command or Start, and all functions but Tap are required.
type Config struct {
	Log     zerolog.Logger
	Version string         // of the bridge, told to the agent
	Hello   jsontext.Value // params of initialize from an editor that speaks ACP; nil for all others

	Command []string // the agent's program and arguments
	Env     []string // the agent's whole environment
	Kind    Kind
	Start   Starter // instead of Command: an agent inside this process
	Dir     string  // where the process runs; sessions name their own folders

	RunDir string        // private folder for sockets and configurations, made when needed; "" is one of the system's
	Self   []string      // argv prefix that runs this binary; nil: no editor tools
	Guard  []string      // argv prefix of the guardian process; nil: none
	Tools  tools.ToolSet // editor tools the agent gets instead of its own
	Gets   Gets          // whether it gets them

	MaxTurns   int // transcript agent: newest turns that go before a message, 0 for its default
	TokenLimit int // transcript agent: the context window in tokens, 0 for its default

	Tap func(acp.Direction, []byte) // sees every line; may be nil
	Now func() time.Time

	// Attend is who a process tells. It is called once for each, on the goroutine of its start, when nothing but its kind is
	// known of it.
	Attend func(*Process) Attendant
	// Tell shows the user how the agents are. It must not block.
	Tell func(Status)
	// Started is called for each process that has started, on the goroutine of its start.
	Started func(*Process)
	// Offer asks the user whether to take the [Offer]; false if there is no answer. It ends with ctx.
	Offer func(ctx context.Context, o Offer) bool
	// OfferTools asks the user whether to take the [ToolsOffer], as Offer does; nil: nobody is asked.
	OfferTools func(ctx context.Context, o ToolsOffer) bool
}

// Kind says how to talk to the agent.
type Kind string

const (
	KindAuto    Kind = "auto" // ask the program
	KindCopilot Kind = "copilot"
	KindACP     Kind = "acp"
	// KindTranscript calls the program once a turn, as `copilot -p`.
	KindTranscript Kind = "transcript"
)

// Gets says which agents get the editor tools.
type Gets string

const (
	GetsAuto   Gets = "auto"   // those that are known to read the disk; others when the user agrees
	GetsEditor Gets = "editor" // all
	GetsOwn    Gets = "own"    // none: each has its own tools only
)

// Attendant is told what an agent process sends, and carries out what its editor tools are called for ([tools.Host]). Message
// and Drained are those of an agent.Handler: called on the goroutine that reads from the agent, in the order of the wire,
// maybe before the start is over; they must not block or call the agent.
type Attendant interface {
	Message(*acp.Message)
	Drained()
	tools.Host
}

// Receiver is a session as a process knows it. Two that are equal are the same session.
type Receiver interface {
	// Happened takes what the transcript agent tells of the session beside its updates, in order with them. It must not block.
	Happened(*conversation.Happening)
	// Transcript is what was said in the session.
	Transcript() transcript.Conversation
	// AgentGone is called once when the process has ended, on a goroutine of the pool.
	AgentGone()
}

// State is how the agents are, in one word.
type State int

const (
	Ready    State = iota
	Starting       // an agent is being started
	Failed         // it could not be started, or keeps failing
	Gone           // it has ended and nobody asked it to
)

// Status is what the user is shown. Message is one sentence.
type Status struct {
	State   State
	Message string
}

// Offer is another way to talk to a program whose ACP server keeps failing: a call of it for each prompt.
type Offer struct {
	Program string // its name
	Cause   error  // the last failure
	CanAsk  bool   // it has the editor tools then, which ask for permission; otherwise it refuses what would need one
}
