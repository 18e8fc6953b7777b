package acp

import "time"

// Every limit of the connection, with its reason. Limits of what the types may
// hold are the decoder's own.
const (
	// MaxLine is the longest line that is read, newline not counted. A 50 MB
	// file travels as one line of an fs/write_text_file request; twice that is
	// no longer something an editor opens.
	MaxLine = 64 << 20

	// readBuffer holds a whole read of a full 64 KiB pipe behind the rest of
	// the line before it, so that the pipe is emptied by every read.
	readBuffer = 128 << 10

	// sniffHead and sniffTail are what is kept of a line that is too long, to
	// find out whom to tell: most senders put id and method first, some (this
	// package's own JSON-RPC library among them) put the id last.
	sniffHead = 4 << 10
	sniffTail = maxID + 64

	// maxNesting is several times what any real message nests (under 20) and
	// small enough for a recursive scanner.
	maxNesting = 128

	// maxKeys bounds the members of one object, maxNumber the digits of one
	// number: both only grow in messages made to hurt.
	maxKeys   = 10_000
	maxNumber = 64

	// maxID bounds a string id; every answer repeats it.
	maxID = 1 << 10

	// queueLimit is how much may wait for a peer that does not read before
	// Call, Notify and answers wait too. One message more always fits, so that
	// a message larger than the limit can be sent at all.
	queueLimit = 16 << 20

	// refusalLimit bounds the refusals of faulty messages that join the queue
	// without asking for room and are not made up for by what the peer reads: only
	// one that floods without reading gets there.
	refusalLimit = 8 << 20

	// maxOpenRequests bounds the peer's requests without an answer: each holds
	// a goroutine. Four times the busiest editor measured in the design.
	maxOpenRequests = 4096

	// maxLoggedLines is how many skipped lines are quoted in the log, and
	// maxLoggedBytes how much of each; the rest is only counted.
	maxLoggedLines = 200
	maxLoggedBytes = 200

	// flushStall is how long Close waits for a peer that has stopped reading;
	// as long as it reads, everything queued is still delivered.
	flushStall = 250 * time.Millisecond

	// closeGrace bounds each step of Close that depends on others: a handler
	// that does not return, a transport whose Close does not interrupt Read.
	closeGrace = time.Second

	// brokenPipeGrace is how long reading goes on after writing has failed: a
	// peer that died has often left its last messages in the pipe.
	brokenPipeGrace = 2 * time.Second
)
