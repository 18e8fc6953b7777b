package links

import (
	"errors"

	"golang.org/x/sys/windows"
)

// noRight says that the user may make no links.
func noRight(err error) bool { return errors.Is(err, windows.ERROR_PRIVILEGE_NOT_HELD) }
