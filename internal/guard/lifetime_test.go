//go:build linux

package guard

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// life is a process with a Lifetime. It tells why it ends, and "slow" makes it
// miss its end; "turns" lets SIGINT end a turn twice before it ends us.
func life(args []string) {
	var interrupt func() bool
	if args[0] == "turns" {
		turns := 0
		interrupt = func() bool { turns++; fmt.Fprintln(os.Stderr, "turn", turns); return turns < 3 }
	}
	ctx, l := Watch(context.Background(), interrupt)
	if args[0] == "pipe" {
		r, w, _ := os.Pipe()
		r.Close()
		_ = syscall.Dup3(int(w.Fd()), 1, 0)
		_, err := fmt.Println("nobody reads this")
		fmt.Fprintln(os.Stderr, errors.Is(err, syscall.EPIPE), inherits("SigIgn"))
	}
	fmt.Fprintln(os.Stderr, "ready")
	<-ctx.Done()
	fmt.Fprintln(os.Stderr, context.Cause(ctx))
	if args[0] == "slow" {
		forever()
	}
	l.Stop()
	os.Exit(l.ExitCode(0))
}

// lively starts it and returns what it says on its standard error.
func lively(t *testing.T, arg string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(self(), arg)
	cmd.Env = append(os.Environ(), actVar+"=life")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd, bufio.NewReader(stderr)
}

func status(cmd *exec.Cmd) int {
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

func TestASignalEndsInOrderWithItsStatus(t *testing.T) {
	for sig, code := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGINT: 130, syscall.SIGHUP: 129} {
		cmd, out := lively(t, "")
		expect(t, out, "ready\n")
		_ = cmd.Process.Signal(sig)
		expect(t, out, (&Signalled{sig}).Error()+"\n")
		if got := status(cmd); got != code {
			t.Errorf("%v: status %d, want %d", sig, got, code)
		}
	}
}

func TestASecondSignalEndsAtOnce(t *testing.T) {
	cmd, out := lively(t, "slow")
	expect(t, out, "ready\n")
	_ = cmd.Process.Signal(syscall.SIGTERM)
	expect(t, out, "ended by signal: terminated\n")
	from := time.Now()
	_ = cmd.Process.Signal(syscall.SIGINT)
	if got := status(cmd); got != 143 || time.Since(from) > OrderlyEnd/2 {
		t.Errorf("status %d after %v", got, time.Since(from))
	}
}

func TestAnEndThatTakesTooLongIsForced(t *testing.T) {
	t.Parallel()
	cmd, out := lively(t, "slow")
	expect(t, out, "ready\n")
	from := time.Now()
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if got := status(cmd); got != 143 || time.Since(from) < OrderlyEnd {
		t.Errorf("status %d after %v", got, time.Since(from))
	}
}

func TestInterruptMayEndATurnInstead(t *testing.T) {
	cmd, out := lively(t, "turns")
	expect(t, out, "ready\n")
	for turn := range 3 {
		_ = cmd.Process.Signal(syscall.SIGINT)
		expect(t, out, fmt.Sprintf("turn %d\n", turn+1))
	}
	expect(t, out, "ended by signal: interrupt\n")
	if got := status(cmd); got != 130 {
		t.Errorf("status %d", got)
	}
}

func TestABrokenPipeIsAnErrorAndNotTheEnd(t *testing.T) {
	cmd, out := lively(t, "pipe")
	expect(t, out, "true 0000000000000000\n") // EPIPE, and children ignore nothing
	expect(t, out, "ready\n")
	_ = cmd.Process.Signal(syscall.SIGTERM)
	expect(t, out, "ended by signal: terminated\n")
	if got := status(cmd); got != 143 {
		t.Errorf("status %d", got)
	}
}
