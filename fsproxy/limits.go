package fsproxy

import "time"

// maxShown is how many bytes of either side of a conflict an error shows: enough to
// see what it is about.
const maxShown = 2000

// maxMatches is how many places of an ambiguous text are named. The writer needs
// two to see that it is ambiguous; a few more help to choose.
const maxMatches = 50

// The waiting in an edit transaction.
const (
	// showTime is how long after the editor's answer its text may take to show
	// what the answer means. Neovim holds changes back for 150 ms; kak-lsp applies
	// an edit after it has answered.
	showTime = 2 * time.Second
	// slowReply is when an answer counts as slow, which is logged: the user may be
	// looking at a preview.
	slowReply = 10 * time.Second
	// maxReply is when no answer is taken to come any more.
	maxReply = 30 * time.Second
	// maxRebases is how often an edit that met a newer text is merged with it and
	// tried again. Who types that fast is asked to read again instead.
	maxRebases = 2
	// maxRepairs is how often an edit that was made in the wrong place is put right,
	// when that goes wrong in the same way.
	maxRepairs = 8
	// calmTime is how long nobody must have typed before that is tried, and maxCalm
	// how long such a pause is waited for.
	calmTime = 300 * time.Millisecond
	maxCalm  = 10 * time.Second
	// maxPlans is how often an edit is planned afresh because the text moved while
	// its before-image was being stored. An edit is then sent all the same, and the
	// editor's own version check decides.
	maxPlans = 8
	// catchUpTime is how long it may take until we hear of a change that the editor
	// has saved already: Neovim holds changes back for 150 ms.
	catchUpTime = 500 * time.Millisecond
	// saveTime is how long the editor may take to save, formatters included.
	saveTime = 30 * time.Second
	// maxRounds is how often a write starts afresh because the file was opened or
	// closed in the editor, or changed on disk, while it was under way.
	maxRounds = 4
)

const (
	// maxPartsLooked is up to how many hunks it is found out which of them are in a
	// text. With more, some are taken to be.
	maxPartsLooked = 32
	// minTelling is from how many bytes on a piece of text is no accident.
	minTelling = 3
	// maxMoves is how many steps of typing an edit is carried over in thought, to
	// recognise it. Nobody types more in the time an edit may take.
	maxMoves = 1000
	// maxStepsLooked is how many texts back a misplaced edit is looked for. Editors
	// that tell of each hunk by itself take one step a hunk.
	maxStepsLooked = 16
)

// What is remembered of texts that were served, for all readers together.
const (
	// maxServed is how many texts: more than an agent reads in a session.
	maxServed = 4096
	// maxSavesKept is of how many saves the text before is kept, in case the editor
	// has opened the file meanwhile and its word of that is on the way.
	maxSavesKept = 16
	// maxSavesInRow is how many texts of one file: the editor read one of the last.
	maxSavesInRow = 4
	// maxSavesBytes is up to what size of the two texts this is worth its memory.
	maxSavesBytes = 2 << 20
	// maxUnshown is of how many buffers an edit may be waited for that the editor has made and not told.
	maxUnshown = 64
	// maxBehind is of how many files a remote editor may go on to show an older text: it asks about each when it is saved.
	maxBehind = 64
	// maxServedBytes is how much text. Texts of open buffers share their memory
	// with them, so this is an upper bound.
	maxServedBytes = 64 << 20
)

const (
	// watchQuiet is how long changes on disk are collected before they are told.
	watchQuiet = 100 * time.Millisecond
	// maxTouched is how many files that are not open are watched. Their folders
	// count against the system's watches, of which other programs want some too.
	maxTouched = 256
)
