package terminalproxy

import (
	"errors"
	"os"
)

// openTTY is not done on Windows: its pseudo-consoles draw a screen, they do not pass output on.
func openTTY() (out, in *os.File, err error) {
	return nil, nil, errors.New("no pseudo-terminals on Windows")
}
