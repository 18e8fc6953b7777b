//go:build linux

package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
	"github.com/copilot-bridge/copilot-bridge/internal/twin"
)

// The test binary plays every part: with "guard" as its first word it is the
// guardian, with actVar set it is one of the agents in acts_test.go.
const (
	actVar    = "AGENT_TEST_ACT"
	markerVar = "AGENT_TEST_ID" // in the environment of all we start
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(guard.Main(os.Args[2:]))
	}
	if act := os.Getenv(actVar); act != "" {
		acts[act](os.Args[1:])
		os.Exit(0)
	}
	os.Setenv(markerVar, strconv.Itoa(os.Getpid()))
	// With the race detector every process lingers a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	code := twin.With(await.Watch(m)).Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	if left := children(""); len(left) > 0 {
		fmt.Fprintf(os.Stderr, "processes left behind: %q\n", left)
		code = 1
	}
	os.Exit(code)
}

// children lists the living processes that this run of the tests has started,
// by their command lines; with a word, only those that have it there.
func children(word string) []string {
	var found []string
	marker := fmt.Sprintf("\x00%s=%d\x00", markerVar, os.Getpid())
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		env, _ := os.ReadFile(dir + "/environ")
		cmd, _ := os.ReadFile(dir + "/cmdline")
		if len(cmd) > 0 && dir != fmt.Sprintf("/proc/%d", os.Getpid()) &&
			strings.Contains("\x00"+string(env), marker) && strings.Contains(string(cmd), word) {
			found = append(found, strings.ReplaceAll(string(cmd), "\x00", " "))
		}
	}
	return found
}
