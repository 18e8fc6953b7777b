package disk

import (
	"io"
	"io/fs"
)

// folder is one folder held open, and all that is ever done to the disk goes
// through one. Names are single components. It is an interface for the sake of
// tests, in which each call fails in turn.
type folder interface {
	// Self describes the folder itself.
	Self() (fs.FileInfo, error)
	// Lstat describes name, without following it.
	Lstat(name string) (fs.FileInfo, error)
	// Open opens name without waiting for anybody and without becoming anybody's
	// terminal; it may follow a link, so the caller compares with Lstat.
	Open(name string, flag int, perm fs.FileMode) (file, error)
	// OpenFolder opens the folder name; it may follow a link as Open may.
	OpenFolder(name string) (folder, error)
	Mkdir(name string, perm fs.FileMode) error
	// Rename replaces what is at to.
	Rename(from, to string) error
	// Move gives from the name to in the folder into, failing with fs.ErrExist if
	// there is something.
	Move(from string, into folder, to string) error
	Remove(name string) error
	// Sync makes what was done to names durable.
	Sync() error
	Close() error
}

// file is an open file.
type file interface {
	io.ReadWriteCloser
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Sync() error
	// KeepOwner gives this file the owner, group and extended attributes of old as
	// far as we may. It reports whether the group is right, and says in sentences
	// what could not be kept.
	KeepOwner(old file) (group bool, notes []string)
	// Kernel names the kernel's file system if the file is of one, such as "proc":
	// its files are not text at rest.
	Kernel() string
}
