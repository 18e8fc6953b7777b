package disk

import (
	"io/fs"
	"runtime"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// Every goroutine has an owner who waits for it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(await.Watch(m)) }

// mode is a file's mode as the system tells it: Windows knows only whether a file may be written.
func mode(unix fs.FileMode) fs.FileMode {
	if runtime.GOOS == "windows" {
		return 0o666
	}
	return unix
}
