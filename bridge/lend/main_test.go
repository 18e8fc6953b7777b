package lend

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) {
	if socket := os.Getenv("LEND_AS_ANOTHER"); socket != "" {
		asAnother(socket, os.Getenv("LEND_PATH"))
		return
	}
	goleak.VerifyTestMain(await.Watch(m), await.Standing())
}
