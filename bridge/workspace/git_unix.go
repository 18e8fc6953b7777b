//go:build unix

package workspace

// systemGitConfigs are git's configuration files for all users.
func systemGitConfigs() []string { return []string{"/etc/gitconfig"} }
