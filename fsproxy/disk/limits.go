package disk

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
