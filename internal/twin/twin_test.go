package twin

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

const partEnv = "TWIN_TEST_PART"

func TestMain(m *testing.M) {
	if os.Getenv(partEnv) != "" {
		fmt.Print(raceEnabled)
		return
	}
	os.Exit(With(await.Watch(m)).Run())
}

// TestTheTwinPlaysThePartsWithoutTheDetector: the twin is this package's test binary, built without it.
func TestTheTwinPlaysThePartsWithoutTheDetector(t *testing.T) {
	path, err := Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path)
	cmd.Env = append(os.Environ(), partEnv+"=1")
	if out, err := cmd.Output(); err != nil || string(out) != "false" {
		t.Errorf("%q, %v", out, err)
	}
}
