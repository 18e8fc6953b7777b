//go:build unix

package workspace

import "os"

// gitHome is the folder that git takes for the user's; "" if there is none.
func gitHome() string {
	home, _ := os.UserHomeDir()
	return home
}

// systemGitConfigs are git's configuration files for all users.
func systemGitConfigs() []string { return []string{"/etc/gitconfig"} }
