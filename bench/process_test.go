package bench

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// bridge builds the binary as it is released and returns its path.
func bridge(b *testing.B) string {
	b.Helper()
	exe := filepath.Join(b.TempDir(), "copilot-bridge.exe")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", exe, "./cmd/copilot-bridge")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return exe
}

// attach gives a command folders of its own and the task that its agent has, and returns its input and output.
func attach(b *testing.B, cmd *exec.Cmd, task string) (io.WriteCloser, io.Reader) {
	b.Helper()
	cmd.Env = append(os.Environ(), asAgent+"="+task, "XDG_STATE_HOME="+b.TempDir())
	cmd.Dir = b.TempDir()
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	return in, out
}
