//go:build unix

package tools

import (
	"errors"
	"os"
	"path/filepath"
)

// takeFile reads and removes a file that several processes want; ok is false for all but one of them. Only one can rename it.
func takeFile(folder, name, taken string) (content []byte, ok bool, err error) {
	taken = filepath.Join(folder, taken)
	if os.Rename(filepath.Join(folder, name), taken) != nil {
		return nil, false, nil
	}
	content, err = os.ReadFile(taken)
	return content, true, errors.Join(err, os.Remove(taken))
}
