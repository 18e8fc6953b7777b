package terminalproxy

import "os"

// readNow has no way to look without waiting; see interruptAtExit.
func readNow(*os.File, []byte) (n int, more bool) { return 0, false }
