package transcript

import "time"

const (
	// DefaultTurns is how many of the newest turns go before a message.
	DefaultTurns = 10

	// DefaultLimit is the context window, in tokens, of a program that has not named its own.
	DefaultLimit = 128_000

	// bytesToken is how many bytes of UTF-8 are taken for a token where the program reports none.
	bytesToken = 4

	// backgroundUse and exhaustedUse are the shares of the context at which a summary is begun, and at which it is
	// waited for; Copilot CLI has the same and lets the same variables override them.
	backgroundUse = 0.80
	exhaustedUse  = 0.95

	// minMessages is how many messages there must be for a summary to be worth its call; by hand two are enough.
	minMessages       = 4
	minMessagesManual = 2

	// headroom is the share of the limit that truncation aims at: an estimate is not exact, and the next turn adds to it.
	headroom = 0.90

	// shrink is the share of a request that was too long that its retry may have, when the error names no limit.
	shrink = 0.75

	// summaryShare and usersShare are how much of the context, at most, the summary and the user's messages beside it
	// take; maxUsers bounds the latter in bytes, userClip each one of them, planClip the plan.
	summaryShare = 0.25
	usersShare   = 0.125
	maxUsers     = 16 << 10
	userClip     = 1 << 10
	planClip     = 4 << 10

	// leastClip is to what a message is shortened at least, in bytes, so that a summary can be asked for.
	leastClip = 160

	// maxKept is how much of one message of the assistant goes into the transcript, in bytes: 64,000 tokens. The editor is
	// shown all of it.
	maxKept = 256 << 10

	// maxArgument is the longest prompt on the command line, in bytes. One argument may have 128 KiB on Linux and 8 KB on
	// Windows, and others on the machine can read a command line, so what holds text of files goes by standard input.
	maxArgument = 6 << 10

	// compactedGrace is how long a program may take to leave after it has summed up its own session.
	compactedGrace = 2 * time.Second

	// closeGrace is how long a program may take to leave when the agent is closed, before it is killed: longer than
	// guard.KillGrace, and short enough for the bridge to end within guard.OrderlyEnd.
	closeGrace = 2500 * time.Millisecond
)
