//go:build linux

package guard

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// The test binary plays every part: with "guard" as its first word it is the
// guardian, with actVar set it is one of the programs in acts_test.go.
const (
	actVar    = "GUARD_TEST_ACT"
	markerVar = "GUARD_TEST_ID" // in the environment of all we start
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(Main(os.Args[2:]))
	}
	if act := os.Getenv(actVar); act != "" {
		acts[act](os.Args[1:])
		os.Exit(0)
	}
	marker := fmt.Sprintf("%s=%d", markerVar, os.Getpid())
	os.Setenv(markerVar, strconv.Itoa(os.Getpid()))
	// With the race detector every process lingers a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(sig) { // by nohup, or a shell's background job, and then in all that is started here too
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
	code := await.Watch(m).Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	if left := withEnv(marker); len(left) > 0 {
		fmt.Fprintf(os.Stderr, "processes left behind: %v\n", left)
		code = 1
	}
	os.Exit(code)
}

// withEnv lists the living processes, other than us, that were started with
// this entry in their environment.
func withEnv(entry string) []string {
	var found []string
	for _, p := range processes() {
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		if p.pid != os.Getpid() && strings.Contains("\x00"+string(env), "\x00"+entry+"\x00") {
			cmd, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.pid))
			found = append(found, fmt.Sprintf("%d %q", p.pid, strings.ReplaceAll(string(cmd), "\x00", " ")))
		}
	}
	return found
}
