//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestCtrlCCancelsTheTurnAndTwiceEnds(t *testing.T) {
	const begin = "handshake\nsession s1\nstub session/close\nignore $/cancel_request\nexpect@p session/prompt\nsay so far\nmark running\nexpect session/cancel\nmark told\n"
	cases := map[string]struct {
		script string
		times  int
		code   int
	}{
		"once":              {begin + "reply@p {\"stopReason\":\"cancelled\"}", 1, 130},
		"the agent is deaf": {begin + "eof", 2, 130},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), await.Limit)
			defer cancel()
			p := acptest.Script(c.script).Process(t)
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			home := t.TempDir()
			cmd := exec.CommandContext(ctx, exe, "prompt", "--no", "-C", home, "go", "--", exe, "agent")
			cmd.Env = append(append(os.Environ(), runMain+"=1", "HOME="+home, "XDG_STATE_HOME="+home), p.Env...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for i, mark := range []string{"running", "told"}[:c.times] {
				if err := p.Await(ctx, mark); err != nil {
					t.Fatalf("interrupt %d: %v\n%s", i, err, stderr.String())
				}
				if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
					t.Fatal(err)
				}
			}
			_ = cmd.Wait() // its status is what counts
			if got := cmd.ProcessState.ExitCode(); got != c.code || ctx.Err() != nil {
				t.Errorf("exit status %d, want %d; %v\n%s", got, c.code, ctx.Err(), stderr.String())
			}
			if c.times == 1 && !strings.Contains(stdout.String(), "so far") {
				t.Errorf("what was said before is lost: %q", stdout.String())
			}
		})
	}
}
