package disk

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// checkName refuses what Windows takes for something else than the file of that
// name: network shares (looking at one sends the user's credentials to anyone who
// runs it), alternate data streams, names whose trailing dots and spaces are
// dropped, and devices.
func checkName(path string) error {
	volume := filepath.VolumeName(path)
	if len(volume) != 2 {
		return fmt.Errorf("%w: %q is not on a local drive", ErrBadPath, path)
	}
	for name := range strings.FieldsFuncSeq(path[len(volume):], func(r rune) bool { return r == '\\' || r == '/' }) {
		switch {
		case name == "." || name == "..":
		case strings.ContainsRune(name, ':'):
			return fmt.Errorf("%w: %q names a data stream, not a file", ErrBadPath, path)
		case strings.TrimRight(name, ". ") != name:
			return fmt.Errorf("%w: a name in %q ends in a dot or space", ErrBadPath, path)
		case !filepath.IsLocal(name):
			return fmt.Errorf("%w: %q names a device", ErrBadPath, path)
		}
	}
	return nil
}

// isJunction reports what Go calls irregular: mount points and other reparse
// points, which lead elsewhere.
func isJunction(info fs.FileInfo) bool { return info.Mode()&fs.ModeIrregular != 0 }

// fileID is the identity of the file. Windows keeps the file index out of FileInfo,
// so it is the resolved name, which there is compared without regard to case.
func fileID(_ fs.FileInfo, real string) string { return strings.ToLower(real) }

// LinkCount is how many names the file has, which cannot be had from a FileInfo on Windows: 1.
func LinkCount(fs.FileInfo) uint64 { return 1 }
