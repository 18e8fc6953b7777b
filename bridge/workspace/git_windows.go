package workspace

import (
	"os"
	"path/filepath"
)

// systemGitConfigs are git's configuration files for all users: that of all gits, and that of the usual installation.
func systemGitConfigs() (files []string) {
	if data := os.Getenv("ProgramData"); data != "" {
		files = append(files, filepath.Join(data, "Git", "config"))
	}
	if programs := os.Getenv("ProgramFiles"); programs != "" {
		files = append(files, filepath.Join(programs, "Git", "etc", "gitconfig"))
	}
	return files
}
