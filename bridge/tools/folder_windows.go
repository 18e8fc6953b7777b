package tools

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/windows"
)

// ours: the folders lie in the user's own profile, and only that user and administrators can make files there.
func ours(fs.FileInfo) bool { return true }

func refused(err error) bool { return errors.Is(err, windows.WSAECONNREFUSED) }
