package lines

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// Every goroutine has an owner who waits for it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(await.Watch(m)) }
