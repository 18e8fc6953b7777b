package acptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

const (
	scenarioEnv = "ACPTEST_SCENARIO" // path of the archive that this process plays
	controlEnv  = "ACPTEST_CONTROL"  // unix socket of the test, or nothing
	treeEnv     = "ACPTEST_TREE"     // this process is part of a tree: child or grandchild
)

// deviated is the exit code of a process whose peer deviated from the script.
const deviated = 97

// Main makes this process an agent, if the environment says so, and does not return then. It is the first call of TestMain,
// and of main in a program that plays scenarios:
//
//	func TestMain(m *testing.M) {
//		acptest.Main()
//		os.Exit(m.Run())
//	}
//
// A binary that is also the guardian of the agent looks for that first: the guardian has the agent's environment.
func Main() {
	if os.Getenv(treeEnv) != "" {
		liveOn(os.Getenv(treeEnv))
	}
	if path := os.Getenv(scenarioEnv); path != "" {
		os.Exit(playProcess(path, os.Getenv(controlEnv), os.Stderr))
	}
}

// stdio is standard input and output as one stream.
type stdio struct{}

func (stdio) Read(b []byte) (int, error)  { return os.Stdin.Read(b) }
func (stdio) Write(b []byte) (int, error) { return os.Stdout.Write(b) }
func (stdio) CloseWrite() error           { return os.Stdout.Close() }
func (stdio) Close() error                { return os.Stdout.Close() }

func playProcess(path, control string, stderr io.Writer) int {
	s, err := Load(path)
	if err != nil {
		fmt.Fprintln(stderr, "acptest:", err)
		return deviated
	}
	remote, err := dialControl(control)
	if err != nil {
		fmt.Fprintln(stderr, "acptest:", err)
		return deviated
	}
	defer remote.close()
	// With a timer the runtime does not take a script that hangs for a deadlock.
	defer time.AfterFunc(24*time.Hour, func() {}).Stop()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	args := strings.Join(os.Args[1:], " ")
	p := newPlayer(s, stdio{}, Options{Stderr: stderr, Vars: map[string]string{"args": args}, process: true}, remote)
	go remote.listen(p)
	go p.read(ctx)
	err = p.play(ctx)
	var exit exitError
	switch {
	case errors.As(err, &exit):
		return int(exit)
	case err != nil:
		fmt.Fprintln(stderr, "acptest:", err)
		remote.failed(err)
		return deviated
	case p.closed: // its output is closed, but it is still there
		_ = p.state.wait(ctx, func() (Verdict, string) {
			if p.state.end != nil || p.state.gone {
				return Met, ""
			}
			return Unmet, ""
		})
	}
	return 0
}

// liveOn is the life of a process in a tree: until somebody kills it.
func liveOn(role string) {
	ignoreSignals()
	fmt.Println(os.Getpid())
	if role == "child" {
		if err := growTree("grandchild", os.Stdout); err != nil {
			fmt.Println(err)
		}
	}
	_ = os.Stdout.Close()
	for {
		time.Sleep(time.Hour)
	}
}
