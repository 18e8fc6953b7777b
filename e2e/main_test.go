//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// patience is how long a test waits for what must come: an agent takes some seconds to start on a busy machine.
const patience = await.Limit

// binary is the program under test.
var binary string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "flood" {
		flood(os.Stdin, os.Stdout)
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "mcp" {
		serveMCP(os.Stdin, os.Stdout)
		return
	}
	dir, err := os.MkdirTemp("", "e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "copilot-bridge")
	build := exec.Command("go", "build", "-o", binary, "github.com/copilot-bridge/copilot-bridge/cmd/copilot-bridge")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := await.Watch(m).Run()
	os.RemoveAll(dir)
	os.Exit(code)
}
