package session_test

import (
	"bytes"
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
	"github.com/copilot-bridge/copilot-bridge/internal/twin"
)

// marker is in the environment of every process that a test starts, so that none can hide.
const marker = "COPILOT_BRIDGE_TEST"

// atOnce is how many tests run at once: they wait for processes and disks most of the time.
const atOnce = 4

// TestMain makes this binary its own guardian and its own agent, and checks that the tests leave no goroutine, no
// descriptor and no process behind.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(guard.Main(os.Args[2:]))
	}
	acptest.Main()
	os.Setenv(marker, rand.Text())
	// With the race detector every process lingers a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	flag.Parse()
	if flag.Lookup("test.parallel").Value.String() == fmt.Sprint(runtime.GOMAXPROCS(0)) { // nobody has said otherwise
		if err := flag.Set("test.parallel", fmt.Sprint(atOnce)); err != nil {
			panic(err)
		}
	}
	before := descriptors()
	goleak.VerifyTestMain(twin.With(await.Watch(m)), await.Standing(), goleak.Cleanup(func(code int) {
		if code == 0 {
			code = leftovers(before)
		}
		os.Exit(code)
	}))
}

func leftovers(before []string) int {
	if after := descriptors(); len(after) > len(before) {
		fmt.Printf("descriptors left open: before %q, after %q\n", before, after)
		return 1
	}
	if left := marked(); len(left) > 0 {
		fmt.Printf("processes left running: %q\n", left)
		return 1
	}
	return 0
}

// descriptors lists the open descriptors where the system shows them.
func descriptors() []string {
	runtime.GC()
	entries, _ := os.ReadDir("/proc/self/fd")
	var out []string
	for _, e := range entries {
		to, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err == nil && !strings.HasPrefix(to, "anon_inode:") && !strings.HasPrefix(to, "/sys/fs/cgroup/") && !strings.HasSuffix(to, "/fd") {
			out = append(out, e.Name()+" "+to)
		}
	}
	return out
}

// marked lists the processes that carry the marker, wherever they were moved to.
func marked() []string {
	want := []byte(marker + "=" + os.Getenv(marker))
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var out []string
	for _, f := range files {
		env, _ := os.ReadFile(f)
		if pid := filepath.Base(filepath.Dir(f)); bytes.Contains(env, want) && pid != fmt.Sprint(os.Getpid()) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
			out = append(out, pid+" "+string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return out
}
