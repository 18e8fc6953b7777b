package lend

import "io/fs"

// closed: the folder lies in the user's own profile, which only that user and administrators can enter.
func closed(fs.FileInfo) bool { return true }
