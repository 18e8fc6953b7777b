//go:build unix

package lend

import "io/fs"

// closed says that nobody but its owner can enter a folder.
func closed(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 == 0 }
