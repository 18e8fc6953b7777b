package lspfront

import "time"

const (
	// maxHeader is the longest header block of a message; real ones have some 30 bytes.
	maxHeader = 8 << 10

	// maxMessage is the longest message accepted. A didOpen of a large file is the longest real one.
	maxMessage = 256 << 20

	// queueLimit is how many bytes may wait for the editor before showing updates waits for it.
	queueLimit = 1 << 20

	// closeLimit is how long the end of the server may take: sessions, commands, agent, store.
	closeLimit = 4 * time.Second

	// watchEvery is how often the editor's process is looked for, where its end cannot be waited for.
	watchEvery = 2 * time.Second

	// callLimit is how long an editor may take to answer what needs no person: a token, a configuration, a save.
	callLimit = 10 * time.Second

	// diagnosticsDelay is how long changes of a file's diagnostics are gathered before they are published.
	diagnosticsDelay = 100 * time.Millisecond

	// reportEvery is the shortest time between two progress reports of a turn.
	reportEvery = 250 * time.Millisecond

	// transcriptEvery is the shortest time between two writes of the transcript file.
	transcriptEvery = 500 * time.Millisecond

	// maxMessageText is how much of a text goes into one editor message; the transcript has the rest.
	maxMessageText = 300
)
