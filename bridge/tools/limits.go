package tools

import (
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

const (
	// MaxResult is the most bytes of UTF-8 a tool result has. Copilot CLI 1.0.102 puts a result of more than 20,480
	// bytes into a file and shows the model 800 bytes of it; the rest is room for what it wraps a result in.
	MaxResult = 20_480 - 512

	// MaxMessage is the longest line taken from an agent. `create` of a big file is the longest real one, and every
	// byte of it may be an escape of six.
	MaxMessage = 64 << 20

	// MaxHello is the longest first line of a connection: a token, a session id and a few words.
	MaxHello = 4 << 10

	// HelloTimeout is how long a connection may take to show its token. It is local: more is somebody trying.
	HelloTimeout = 5 * time.Second

	// MaxStrangers is how many connections may be between accept and their token at once.
	MaxStrangers = 32

	// MaxTokens is how many unused tokens there are at most; the oldest go. A session uses one.
	MaxTokens = 256

	// ProgressEvery is the shortest time between two progress notifications of one call: no agent shows more.
	ProgressEvery = 250 * time.Millisecond
)

const (
	// MaxWait is the longest a model may ask to wait for a command; Copilot's own tool ends at 600 s, and an hour
	// still leaves no call that nobody remembers.
	MaxWait = time.Hour

	// MaxCount bounds line numbers and counts from a model, so that arithmetic on them cannot overflow.
	MaxCount = 1 << 30

	// MaxNumber is the longest spelling of a JSON number that is taken for one.
	MaxNumber = 64
)

// Texts for the model.
const (
	// maxNamedLines is how many places of an ambiguous match are named: enough to see which, short enough to read.
	maxNamedLines = 10

	// maxQuoted is how much of a text of the model's own is said back to it.
	maxQuoted = 80

	// viewNotice is room for the line that says a view was cut.
	viewNotice = 256

	// groupEdge is how many lines a long search result shows of a file's beginning and of its end (as Copilot's grep).
	groupEdge = 12

	// groupLine is how much of a line is shown there.
	groupLine = 400
)

const (
	// boundNotice is room for the line that says what a cut result left out.
	boundNotice = 128

	// nearLine is how far a cut moves to fall on a line end.
	nearLine = 512

	// StillEvery is how often an agent hears of a call that still runs although there is nothing new: the user is asked, say.
	StillEvery = 30 * time.Second

	// MaxProgress is how much of a command's newest output a progress notification carries.
	MaxProgress = 1 << 10
)

const (
	// maxSocketPath is the longest path of the socket.
	maxSocketPath = peercred.MaxPath

	// staleAfter is how old a folder is before it can count as left behind by a killed bridge.
	staleAfter = time.Minute

	// TokenLife is how long a token waits for its process. Copilot starts it with the session, within seconds.
	TokenLife = 5 * time.Minute

	// MaxSessionID is the longest agent session id that is taken for one.
	MaxSessionID = 256
)

// acceptPause is how long the Server waits when it has run out of descriptors.
const acceptPause = 100 * time.Millisecond
