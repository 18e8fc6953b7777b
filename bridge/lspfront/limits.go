package lspfront

import "time"

const (
	// maxScreens is of how many terminals that have not ended the beginning of an escape sequence is kept; an agent can name
	// any number.
	maxScreens = 256

	// maxHeader is the longest header block of a message; real ones have some 30 bytes.
	maxHeader = 8 << 10

	// maxMessage is the longest message accepted. A didOpen of a large file is the longest real one.
	maxMessage = 256 << 20

	// queueLimit is how many bytes may wait for the editor before showing updates waits for it.
	queueLimit = 1 << 20

	// closeLimit is how long the end of the server may take: sessions, commands, agent, store. It is also how long an editor
	// that reads nothing is waited for with what is left for it.
	closeLimit = 4 * time.Second

	// watchEvery is how often the editor's process is looked for, where its end cannot be waited for.
	watchEvery = 2 * time.Second

	// maxQueuedText is how much of a waiting prompt a list shows; the whole list goes out whenever it changes.
	maxQueuedText = 2000

	// maxQueuedShown is how many waiting prompts are offered for removal at once: what a menu or a question has room for.
	maxQueuedShown = 10

	// maxCommentLines is how many selected lines are looked at for prompts in comments.
	maxCommentLines = 1000

	// maxHover is how much of a hunk's diff a hover shows, in bytes; popups are small.
	maxHover = 8 << 10
)
