package store

import "time"

const (
	// Format is the format this package writes.
	Format = 1

	// maxRecord bounds one record: more than any message of an agent (the line limit of package acp is 64 MiB), less
	// than what a damaged length could make us read.
	maxRecord = 65 << 20

	// saveDelay is how long an entry may wait for others to be written with it. It is what a kill of the bridge in the
	// middle of an answer may cost.
	saveDelay = 100 * time.Millisecond

	// maxPending bounds the entries kept in memory because the disk does not take them; the oldest go first.
	maxPending = 32 << 20

	// maxUncertain is how much may be in a log and not certainly on disk before it is made certain in mid-turn: until then
	// it is kept in memory too. At ten thousand updates a second that is every few seconds.
	maxUncertain = 4 << 20

	// maxReplay is how much of the end of a log is read back when a session is opened, so that a session of a gigabyte
	// opens in little memory. The rest stays in the file, for export.
	maxReplay = 48 << 20

	// stampAge is how old a file has to be for its time to tell it from the one that takes its place: file systems count
	// in up to two seconds.
	stampAge = 2 * time.Second

	// smallFile is what a session's small file usually fits into.
	smallFile = 4 << 10

	// listers read the small files of a listing side by side: opening a file waits for the system more than it computes.
	listers = 4

	// maxID is the longest id of a session: it is the name of a folder.
	maxID = 128
)
