package store

import (
	"errors"
	"fmt"
)

// ErrNotFound says that there is no such session.
var ErrNotFound = errors.New("there is no such session in the store")

// ErrNewer says that a session was written by a newer version: it can be read, not continued.
var ErrNewer = errors.New("written by a newer version of copilot-bridge; it can be read but not continued here")

// ErrUnsaved says that nothing can be written to a session: it goes on in memory.
var ErrUnsaved = errors.New("the session cannot be saved")

// HeldError says that another process writes to the session.
type HeldError struct {
	ID     string
	Holder string // "process 1234 since …", "" if it did not say
}

func (e *HeldError) Error() string {
	who := e.Holder
	if who == "" {
		who = "another process"
	}
	return fmt.Sprintf("session %s is in use by %s", e.ID, who)
}
