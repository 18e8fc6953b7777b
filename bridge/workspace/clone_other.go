//go:build !linux

package workspace

import (
	"errors"
	"os"
)

// cloneFile is done on Linux only.
func cloneFile(*os.File, string) (*os.File, error) { return nil, errors.ErrUnsupported }
