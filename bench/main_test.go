package bench

import (
	"fmt"
	"os"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// The test binary plays all roles: without these variables it is the
// benchmark, with asContender a process that receives, with asAgent the agent
// that such a process starts.
const (
	asAgent     = "BENCH_AGENT"     // value: the task
	asContender = "BENCH_CONTENDER" // value: its name
	taskOf      = "BENCH_TASK"      // the task of a contender
	agentOf     = "BENCH_AGENT_EXE" // the program a contender starts as its agent
)

func TestMain(m *testing.M) {
	if task := os.Getenv(asAgent); task != "" {
		exit(runAgent(task, os.Stdin, os.Stdout, os.Stderr))
	}
	if name := os.Getenv(asContender); name != "" {
		exit(runContender(name, os.Getenv(taskOf)))
	}
	os.Exit(await.Watch(m).Run())
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
