//go:build unix

package disk

import (
	"fmt"
	"io/fs"
	"syscall"
)

// checkName has nothing to add on Unix: every other byte may be in a name.
func checkName(string) error { return nil }

// isJunction reports links that are not symbolic links; Unix has none.
func isJunction(fs.FileInfo) bool { return false }

// fileID is the identity of what info describes.
func fileID(info fs.FileInfo, _ string) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
}

// LinkCount is how many names the file has.
func LinkCount(info fs.FileInfo) uint64 {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1
	}
	return uint64(st.Nlink) //nolint:unconvert // uint16 on some systems
}
