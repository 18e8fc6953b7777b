package acpfront

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(guard.Main(os.Args[2:]))
	}
	// With the race detector every process lingers a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(await.Watch(m), await.Standing())
}
