package fsproxy

import "time"

// MaxFileSize is the largest file that is read or written whole, in bytes. Editors
// stop being editors at about this size, an answer of it still fits one protocol
// message, and a mistake (a core dump, a database) costs bounded memory.
const MaxFileSize = 64 << 20

// MaxPath is the longest path that is looked at, in bytes: Linux takes none longer (PATH_MAX), macOS 1,024. What an agent
// names may be as long as a message, and every look at a path costs at least its length.
const MaxPath = 4096

const (
	// maxLinks is how many symbolic links a path may go through, as os.Root has
	// it. Real trees use one or two; a chain of more is a loop or a game.
	maxLinks = 8
	// maxAttempts is how often a path is resolved afresh because something on it
	// was replaced between the look and the open. One more look is nearly always
	// enough, also beside somebody who saves the file all the time; somebody who
	// keeps swapping shall not keep us busy.
	maxAttempts = 8
	// maxTempNames is how many random names are tried for a temporary file. With
	// 64 random bits the second is needed only if somebody guesses them.
	maxTempNames = 3
	// readChunk is how much is read between two looks at the context and the
	// limit.
	readChunk = 256 << 10
	// sniffLen is how much of a file is looked at to say what it might be instead
	// of text.
	sniffLen = 512
)

// Modes of what is created, before the umask: what an editor or shell would give.
const (
	newFileMode   = 0o644
	newFolderMode = 0o755
	// tempMode keeps a temporary file private until it has its target's mode.
	tempMode = 0o600
)

// Temporary files are hidden, are not what any tool looks for, and say whose they
// are should one be left by a crash. They are in their target's folder, as a rename
// cannot leave the file system.
const (
	tempPrefix = ".copilot-bridge-"
	tempSuffix = ".tmp"
)

// maxShown is how many bytes of either side of a conflict an error shows: enough to
// see what it is about.
const maxShown = 2000

// maxMatches is how many places of an ambiguous text are named. The writer needs
// two to see that it is ambiguous; a few more help to choose.
const maxMatches = 50

// The waiting in an edit transaction.
const (
	// settleTime is how long after the editor's answer its text may take to show
	// what the answer means. Neovim holds changes back for 150 ms; kak-lsp applies
	// an edit after it has answered.
	settleTime = 2 * time.Second
	// slowReply is when an answer counts as slow, which is logged: a person may be
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
