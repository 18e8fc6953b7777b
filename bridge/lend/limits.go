package lend

import (
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/peercred"
)

const (
	// maxLine is the longest request or answer: a file that an editor opens, as JSON.
	maxLine = 64 << 20

	// maxSocketPath is the longest path of a socket.
	maxSocketPath = peercred.MaxPath

	// nameLength is how long a socket's name is, see nameFor: a key, a point, milliseconds, letters.
	nameLength = 16 + 1 + 11 + 4

	// maxAtOnce is how many requests a lender serves at a time; more wait to be accepted. A search of one agent asks for
	// one file after the other.
	maxAtOnce = 16

	// dialLimit is how long a lender may take to accept: it is on the same machine, and the system accepts for it.
	dialLimit = time.Second

	// readLimit is how long a lender may take to answer with a buffer. It has the text in memory and asks nobody, so one
	// that takes longer hangs, or is stopped.
	readLimit = 3 * time.Second

	// hangPause is how long a lender that hung is not asked for buffers again: a search would hang once for each file.
	hangPause = 10 * time.Second

	// editLimit is how long the lender's editor may take to make a change.
	editLimit = 30 * time.Second

	// writeLimit is how long the borrower waits for that: longer, so that it is told why it failed.
	writeLimit = editLimit + 5*time.Second

	// languagesLimit is how long the language servers of the lender's editor may take. The borrower's own limit is shorter.
	languagesLimit = 15 * time.Second

	// requestLimit is how long a borrower may take to say what it wants, and to take the answer.
	requestLimit = 5 * time.Second

	// staleAfter is how old a socket is at least that nobody listens on and that is removed: a younger one may be about to
	// be listened on.
	staleAfter = time.Minute

	// firstRetry and lastRetry bound the pause after an accept that failed for a reason that passes, such as too many
	// open files. It doubles.
	firstRetry = 10 * time.Millisecond
	lastRetry  = time.Second
)
