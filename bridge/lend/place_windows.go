package lend

import "io/fs"

// closed: the folder lies in the user's own profile, which only that user and administrators can enter.
func closed(fs.FileInfo) bool { return true }

// isSocket: a unix socket is a reparse point there, which Go tells as irregular or as a socket, by its version.
func isSocket(info fs.FileInfo) bool {
	return info.Mode().Type() == fs.ModeSocket || info.Mode().Type() == fs.ModeIrregular
}
