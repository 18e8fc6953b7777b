package copilot

import (
	"regexp"
	"strconv"
	"sync"
)

// shellEnd is the last line of a bash tool's result when the command has ended (1.0.102); after the number there may be the
// name of a signal.
var shellEnd = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|\n)<shellId: [^\n>]{1,100} completed with exit code (\d{1,3})(?: \(\w{1,20}\))?>\s*$`)
})

// ShellExit is the exit code that the last line of a bash tool's result names, Copilot's own tool's or the editor's.
func ShellExit(result string) (code uint32, ok bool) {
	if len(result) > maxShellEnd {
		result = result[len(result)-maxShellEnd:]
	}
	m := shellEnd().FindStringSubmatch(result)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseUint(m[1], 10, 32)
	return uint32(n), err == nil
}
