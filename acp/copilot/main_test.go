package copilot

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// playVar makes the test binary play a program called copilot.
const playVar = "COPILOT_TEST_PLAY"

func TestMain(m *testing.M) {
	if part := os.Getenv(playVar); part != "" {
		play(part)
		return
	}
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil { // else each program of ours takes a second to end
		panic(err)
	}
	goleak.VerifyTestMain(await.Watch(m), await.Standing())
}

func play(part string) {
	if slices.Contains(os.Args, "--version") {
		switch part {
		case "fails":
			fmt.Fprintln(os.Stderr, "cannot load \x1b]0;x\x07libfoo")
			os.Exit(3)
		case "hangs":
			<-time.After(time.Hour)
		case "floods":
			for range 10_000 {
				fmt.Println(strings.Repeat("no version here ", 100))
			}
		case "once": // a second run would be noticed
			if f, err := os.OpenFile(os.Getenv("COPILOT_TEST_ONCE"), os.O_CREATE|os.O_EXCL, 0o600); err != nil {
				fmt.Println("9.9.9")
			} else {
				fmt.Println("1.2.3", f.Close())
			}
		case "agent", "signed out":
			fmt.Println("GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.")
		default:
			fmt.Println(part)
		}
		return
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var req struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(in.Bytes(), &req) != nil || req.ID == nil {
			continue
		}
		result := `"result":{}`
		switch {
		case req.Method == "initialize":
			result = `"result":{"protocolVersion":1,"agentInfo":{"name":"Copilot","version":"1.0.102"},"agentCapabilities":{"sessionCapabilities":{"close":{}}},"authMethods":[{"id":"copilot-login","name":"Log in","_meta":{"terminal-auth":{"command":"/opt/copilot","args":["login"]}}}]}`
		case req.Method == "session/new" && part == "signed out":
			result = `"error":{"code":-32000,"message":"Authentication required"}`
		case req.Method == "session/new":
			_ = os.MkdirAll(filepath.Join(os.Getenv("COPILOT_HOME"), "session-state", "s-1"), 0o700)
			_ = os.WriteFile(filepath.Join(os.Getenv("COPILOT_HOME"), "argv"), []byte(strings.Join(os.Args[1:], " ")), 0o600)
			result = `"result":{"sessionId":"s-1"}`
		}
		fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", req.ID, result)
	}
}

// self is the test binary.
func self(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}
