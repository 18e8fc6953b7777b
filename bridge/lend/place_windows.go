package lend

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/windows"
)

// ours and closed: the folder lies in the user's own profile, which only that user and administrators can enter.
func ours(fs.FileInfo) bool { return true }

func closed(fs.FileInfo) bool { return true }

// isSocket: a unix socket is a reparse point there, which Go tells as irregular or as a socket, by its version.
func isSocket(info fs.FileInfo) bool {
	return info.Mode().Type() == fs.ModeSocket || info.Mode().Type() == fs.ModeIrregular
}

func refused(err error) bool { return errors.Is(err, windows.WSAECONNREFUSED) }
