package disk

import (
	"io/fs"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// BOM is the UTF-8 byte order mark.
const BOM = "\uFEFF"

// VersionDisk is the Version of a Snapshot that no editor has given one.
const VersionDisk int32 = -1

// Snapshot is a file or buffer at one moment. It is immutable: its holder may
// keep it and read it from any goroutine.
type Snapshot struct {
	// Path is absolute and canonical: symbolic links are resolved.
	Path string
	// Version is the editor's, VersionDisk for what was read from disk.
	Version int32
	// Text is without the byte order mark that BOM tells of.
	Text text.Text
	// Open says an editor has the buffer, Dirty that its text is not what it last
	// saved, Exists that there is a file on disk or that there is a buffer.
	Open, Dirty, Exists bool
	// BOM says the file begins with a byte order mark, to be written back.
	BOM bool
	// Mode is the file's, 0 if there is none.
	Mode fs.FileMode
}

// NewSnapshot returns a snapshot of t that no editor has given a version. The caller
// fills in the rest before anybody else sees it.
func NewSnapshot(path string, t text.Text) *Snapshot {
	return &Snapshot{Path: path, Version: VersionDisk, Text: t}
}

// Hash is the hash of Text. It is a method and computed when first asked for, for
// a keystroke in a large buffer makes a snapshot whose hash nobody may ever want.
func (s *Snapshot) Hash() text.Hash { return s.Text.Hash() }
