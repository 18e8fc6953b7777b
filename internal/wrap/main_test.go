package wrap

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(await.Watch(m), await.Standing()) }
