package transcript

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
	"github.com/copilot-bridge/copilot-bridge/internal/twin"
)

// TestMain makes this binary its own guardian, and the program that it calls.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(guard.Main(os.Args[2:]))
	}
	if os.Getenv(fakeDir) != "" {
		os.Exit(fake(os.Args[1:]))
	}
	// With the race detector every process lingers a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(twin.With(await.Watch(m)), await.Standing())
}
