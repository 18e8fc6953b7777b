// Package twin builds the test binary of a package a second time, without the race detector, for the parts that it plays
// in processes of its own: guardians, fake agents, writers that are killed.
//
// With the race detector each start of such a process takes two to three times the processor time, for memory that shadows the
// process's own, and the tests of some packages start hundreds. The tests themselves keep the detector. What races in a
// part is for the tests of the package that the part is made of: package guard is its own guardian, with the detector.
package twin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// pathEnv holds the twin's path. It is in the environment because [Executable] is asked in the processes of the tests too.
const pathEnv = "COPILOT_BRIDGE_TEST_TWIN"

// Tests are tests to be run, as goleak takes them.
type Tests struct{ tests interface{ Run() int } }

// With returns tests that find their twin built. Call it in TestMain, behind the parts that the binary plays.
func With(tests interface{ Run() int }) *Tests { return &Tests{tests} }

// Run builds the twin, runs the tests and removes it. Without the race detector there is nothing to build.
func (t *Tests) Run() int {
	if !raceEnabled {
		return t.tests.Run()
	}
	remove, err := build()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer remove()
	return t.tests.Run()
}

// build runs in the package's folder, where `go test` starts its tests.
func build() (remove func(), err error) {
	dir, err := os.MkdirTemp("", "twin")
	if err != nil {
		return nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path := filepath.Join(dir, "twin.test")
	if out, err := exec.Command("go", "test", "-c", "-ldflags=-s -w", "-o", path, ".").CombinedOutput(); err != nil {
		remove()
		return nil, fmt.Errorf("build the tests without the race detector: %w\n%s", err, out)
	}
	return remove, os.Setenv(pathEnv, path)
}

// Executable is the path of the twin, or of the running binary where that has no race detector.
func Executable() (string, error) {
	if !raceEnabled {
		return os.Executable()
	}
	path := os.Getenv(pathEnv)
	if path == "" {
		return "", fmt.Errorf("%s is not set: the package's TestMain does not call twin.With", pathEnv)
	}
	return path, nil
}
