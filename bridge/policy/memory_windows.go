package policy

import (
	"errors"
	"io/fs"
)

// private refuses what is no file; who may write it is up to the folder's access list.
func private(fi fs.FileInfo) error {
	if !fi.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	return nil
}
