package tools

import "time"

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
