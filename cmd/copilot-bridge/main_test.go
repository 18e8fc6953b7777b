package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// runMain makes the test binary the program.
const runMain = "COPILOT_BRIDGE_TEST_RUN"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "guard":
			os.Exit(guard.Main(os.Args[2:]))
		case "agent":
			acptest.Main()
		case "demo": // whose command is the program again, with the environment of commands
			main()
			return
		}
	}
	if os.Getenv(runMain) != "" {
		main()
		return
	}
	// With the race detector every process lingers a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	testscript.Main(await.Watch(m), map[string]func(){
		"copilot-bridge": main,
		"scripted-agent": acptest.Main,
	})
}

// TestScripts runs testdata/script: each is a story of the command line.
func TestScripts(t *testing.T) { scripts(t, "testdata/script") }

func scripts(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", os.Getenv("GORACE"))
			programs, _, _ := strings.Cut(e.Getenv("PATH"), string(os.PathListSeparator))
			e.Setenv("PROGRAMS", programs) // where only those of the tests are
			e.Setenv("HOME", e.WorkDir+"/home")
			e.Setenv("XDG_STATE_HOME", e.WorkDir+"/state")
			return os.MkdirAll(e.WorkDir+"/home", 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "jsonlines": jsonLines, "ids": firstID},
	})
}

// exits CODE PROGRAM ARGS… runs a program that must end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d\n%s", got, want, ts.ReadFile("stderr"))
	}
}

// ids FILE NAME sets a variable to the id of the first session in a list.
func firstID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: ids FILE NAME")
	}
	var found struct {
		Sessions []struct {
			ID string `json:"sessionId"`
		}
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &found))
	if len(found.Sessions) == 0 {
		ts.Fatalf("no session in %s", args[0])
	}
	ts.Setenv(args[1], found.Sessions[0].ID)
}

// jsonlines FILE TYPE… says that each line is a JSON object with a type, and that the types named are among them.
func jsonLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: jsonlines FILE TYPE…")
	}
	seen := map[string]bool{}
	lines := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[0])))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil || o.Type == "" {
			ts.Fatalf("no object with a type: %v in %s", err, lines.Bytes())
		}
		seen[o.Type] = true
	}
	ts.Check(lines.Err())
	for _, want := range args[1:] {
		if !seen[want] {
			ts.Fatalf("no line of type %s", want)
		}
	}
}
