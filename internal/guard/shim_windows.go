package guard

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// maxShim bounds what is read of a batch file: those that npm makes have 300 bytes.
const maxShim = 4 << 10

// shimLine is the last line of a batch file that npm's cmd-shim makes for a script of Node's, such as copilot.cmd.
var shimLine = regexp.MustCompile(`(?i)"%_prog%"\s+"%dp0%\\([^"%]+\.[cm]?js)" %\*\s*$`)

// unshim returns what a batch file of npm's would run: Node and a script, which take arguments as they are. Without a shell
// between, nothing in them can be acted upon.
func unshim(path string, env []string) (node, script string, ok bool) {
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxShim {
		return "", "", false
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", "", false
	}
	m := shimLine.FindStringSubmatch(string(text))
	if m == nil || !strings.Contains(string(text), `SET "_prog=%dp0%\node.exe"`) {
		return "", "", false
	}
	dir := filepath.Dir(path)
	script = filepath.Join(dir, m[1])
	if !exists(script) {
		return "", "", false
	}
	if node = filepath.Join(dir, "node.exe"); exists(node) {
		return node, script, true
	}
	node, err = LookPath("node.exe", env, dir)
	return node, script, err == nil
}
