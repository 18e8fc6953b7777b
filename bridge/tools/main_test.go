package tools

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// pipeArg makes the test binary play `copilot-bridge mcp`, for tests that need a process of its own.
const pipeArg = "be-the-mcp-process"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == pipeArg {
		if err := Pipe(context.Background(), os.Args[2], os.Environ(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(await.Watch(m), await.Standing())
}
