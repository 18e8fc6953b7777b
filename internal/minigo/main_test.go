package minigo

import (
	"os"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) { os.Exit(await.Watch(m).Run()) }
