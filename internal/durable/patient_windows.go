package durable

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

// How long Patiently goes on, and how it waits: virus scanners and indexers look at a file that was just written for some
// milliseconds; a program that holds it longer is using it.
const (
	patience   = time.Second
	firstPause = time.Millisecond
	lastPause  = 50 * time.Millisecond
)

// Patiently calls do, which renames or removes a file, again while somebody has that file open: Windows refuses that as a
// sharing violation, or as access denied when the file would be replaced. After a second the error is do's. It is called where
// a second may be waited.
func Patiently(do func() error) error {
	end := time.Now().Add(patience)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := do()
		if err == nil || !inUse(err) || time.Now().After(end) {
			return err
		}
		time.Sleep(pause)
	}
}

func inUse(err error) bool {
	for _, e := range []error{windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION, windows.ERROR_ACCESS_DENIED, windows.ERROR_USER_MAPPED_FILE} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
