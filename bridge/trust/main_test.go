package trust

import (
	"context"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// TestMain makes this binary its own guardian and the pipe of the editor's tools.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == "mcp" && os.Args[2] == "--socket" {
		if tools.Pipe(context.Background(), os.Args[3], os.Environ(), os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(guard.Main(os.Args[2:]))
	}
	// With the race detector every process lingers a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(await.Watch(m), await.Standing())
}
