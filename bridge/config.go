package bridge

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// Config is what a front knows when it makes a [Bridge]. Editor, Command or Start, and StateDir are required.
type Config struct {
	Log     zerolog.Logger
	Version string // of the bridge, told to the agent

	Editor  Editor
	Buffers fsproxy.Editor // how open buffers are changed and saved; nil when the front has none
	Remote  fsproxy.Remote // an editor that is asked for its text instead of telling of its buffers; nil for all others
	// Terminals are those of an editor that runs commands and shows them (ACP v1 terminal/*); nil: commands run here.
	Terminals Terminals
	Folders   []string // the editor's workspace folders, absolute

	Command []string // the agent's program and arguments
	Env     []string // the agent's whole environment
	Kind    AgentKind
	Start   Starter // instead of Command: an agent inside this process (demo, tests)

	MaxTurns   int // transcript agent: newest turns that go before a message, 0 for its default
	TokenLimit int // transcript agent: the context window in tokens, 0 for its default

	Tools tools.ToolSet // editor tools the agent gets instead of its own
	Gets  AgentGets     // which agents get them
	Rules []policy.Rule // the user's own rules, first match wins
	Level policy.Level  // how much is asked in a session at first; "" is policy.LevelAsk
	Flush FlushMode
	// Feedback has the result of an edit tell of the errors that are new since it.
	Feedback bool
	// Trials: a version of Copilot CLI that nothing is known of is tried, once, see package trust.
	Trials bool

	// KeepEnv names variables that commands get although their names look like credentials.
	KeepEnv []string
	// TTY gives commands a pseudo-terminal to write to, for a front that shows them to a user.
	TTY bool

	// Hello is what an editor that speaks ACP says of itself, the params of initialize for the agent; nil for all others. See
	// [session.Config] for what follows from it.
	Hello jsontext.Value

	StateDir  string   // private folder for journal, grants, transcripts, of [durable.OpenState]; "" keeps everything in memory
	ConfigDir string   // folder of the user's configuration file, which no agent changes without a question; "" for none
	RulesFile string   // absolute, the file that Rules are from, for which the same holds; "" for none
	Unsaved   error    // why there is no StateDir, to be told the user; nil if that is as it should be
	Self      []string // argv prefix that runs this binary; nil: no guardian, no editor tools
	Tap       func(acp.Direction, []byte)
	Now       func() time.Time
}

// FlushMode says what happens to unsaved buffers that the agent changed, before a command runs.
type FlushMode = host.FlushMode

const (
	FlushAsk   = host.FlushAsk
	FlushNever = host.FlushNever
	FlushDisk  = host.FlushDisk
)
