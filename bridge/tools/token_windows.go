package tools

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// takeFile reads and removes a file that several processes want; ok is false for all but one of them. Two can rename a file that
// both have opened, so it is opened for one alone, and goes with its handle.
func takeFile(folder, name, _ string) (content []byte, ok bool, err error) {
	path := filepath.Join(folder, name)
	to, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, false, err
	}
	h, err := windows.CreateFile(to, windows.GENERIC_READ|windows.DELETE, 0, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_DELETE_ON_CLOSE, 0)
	switch {
	case errors.Is(err, windows.ERROR_SHARING_VIOLATION), errors.Is(err, windows.ERROR_FILE_NOT_FOUND), errors.Is(err, windows.ERROR_ACCESS_DENIED): // it is taken, or going
		return nil, false, nil
	case err != nil:
		return nil, false, &os.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(h), path)
	content, err = io.ReadAll(f)
	return content, true, errors.Join(err, f.Close())
}
