package workspace

import (
	"os"
	"path/filepath"
)

// gitHome is the folder that git takes for the user's; "" if there is none. Git for Windows goes by HOME where it is set, which
// shells of Unix's do, and by the profile else.
func gitHome() string {
	if home := os.Getenv("HOME"); home != "" {
		return home
	}
	home, _ := os.UserHomeDir()
	return home
}

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
