package peercred

import (
	"errors"
	"io/fs"
)

// Ours says whether a file belongs to this user, which the folders they are in see to here.
func Ours(fs.FileInfo) bool { return true }

// IsDoor says whether a file, not followed if it is a link, can be what [Listen] has made.
func IsDoor(info fs.FileInfo) bool { return info.Mode().IsRegular() && info.Size() <= maxName }

// errNobody is the error of [Dial] when the pipe that a file names is gone.
var errNobody = errors.New("nobody listens")

// Refused says whether nobody listens at a door that is there.
func Refused(err error) bool { return errors.Is(err, errNobody) }
