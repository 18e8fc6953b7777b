//go:build linux

package guard

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func guardedAct(act string, args ...string) Config {
	return Config{
		Self: []string{self(), "guard"},
		Argv: append([]string{self()}, args...),
		Env:  append(os.Environ(), actVar+"="+act),
	}
}

func (g *guarded) guardianPID() int { return g.cmd.Process.Pid }

func TestCloseKillsSetsidDaemonsAndTheDeaf(t *testing.T) {
	p, out := launch(t, guardedAct("tree"))
	pids := readTree(t, out, 4)
	from := time.Now()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("tree of %d gone after %v", len(pids), time.Since(from))
	if anyAlive(pids) {
		t.Error("something outlived Close")
	}
	if e := wait(t, p); e.Signal != "SIGKILL" {
		t.Errorf("got %+v", e)
	}
}

func TestKillLeavesTheGuardianNothingToDo(t *testing.T) {
	p, out := launch(t, guardedAct("tree"))
	pids := readTree(t, out, 4)
	p.Kill()
	if e := wait(t, p); e.Signal != "SIGKILL" {
		t.Errorf("got %+v", e)
	}
	until(t, "the tree is gone", func() bool { return !anyAlive(pids) })
	<-p.gone // without Close: a guardian without a tree ends
}

func TestTerminateGivesGraceToTheWholeTree(t *testing.T) {
	each(t, func(t *testing.T, start func(string, ...string) Config) {
		t.Parallel()
		p, out := launch(t, start("polite"))
		expect(t, out, "ready\n")
		p.Terminate()
		p.Terminate() // a second SIGTERM would mean "at once" to many programs
		expect(t, out, "SIGTERM\n")
		if e := wait(t, p); e.Code != 0 {
			t.Errorf("got %+v", e)
		}

		p, out = launch(t, start("stubborn"))
		expect(t, out, "ready\n")
		from := time.Now()
		p.Terminate()
		if e := wait(t, p); e.Signal != "SIGKILL" {
			t.Errorf("got %+v", e)
		}
		if took := time.Since(from); took < KillGrace || took > KillGrace+await.Promptly {
			t.Errorf("killed after %v", took)
		}
	})
}

func TestTerminateWakesWhatIsStopped(t *testing.T) {
	p, out := launch(t, guardedAct("polite"))
	expect(t, out, "ready\n")
	_ = syscall.Kill(p.PID(), syscall.SIGSTOP)
	p.Terminate()
	if e := wait(t, p); e.Code != 0 {
		t.Errorf("got %+v", e)
	}
}

func TestInterruptReachesTheGroup(t *testing.T) {
	each(t, func(t *testing.T, start func(string, ...string) Config) {
		p, out := launch(t, start("polite"))
		expect(t, out, "ready\n")
		p.Interrupt()
		expect(t, out, "SIGINT\n")
		wait(t, p)
	})
}

func TestGuardianSurvivesSignalsAndDiesLast(t *testing.T) {
	p, out := launch(t, guardedAct("tree"))
	pids := readTree(t, out, 4)
	guardian := p.tree.(*guarded).guardianPID()
	if name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", guardian)); string(name) != "copilot-guard\n" {
		t.Errorf("killing the bridge by name would hit its guardians: %q", name)
	}
	for _, sig := range survived {
		_ = syscall.Kill(guardian, sig.(syscall.Signal))
	}
	p.Interrupt() // the deaf ignore it; that the words still work is the point
	if !alive(guardian) || !alive(p.PID()) {
		t.Fatal("the guardian did not survive")
	}
	if err := p.Close(); err != nil || anyAlive(pids) {
		t.Error(err, "something outlived the guardian")
	}
}

// bridge starts the act under a guardian in a process that can be killed.
func bridge(t *testing.T, act string) (cmd *exec.Cmd, guardian int, out *bufio.Reader) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(self(), act)
	cmd.Env = append(os.Environ(), actVar+"=parent")
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		r.Close()
	})
	return cmd, 0, bufio.NewReader(r)
}

func TestKillingTheBridgeKillsTheTreeWithinASecond(t *testing.T) {
	cmd, _, out := bridge(t, "tree")
	var pids []int
	for ready := false; !ready || len(pids) < 5; {
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		var pid int
		if n, _ := fmt.Sscanf(strings.TrimPrefix(line, "guardian "), "%d", &pid); n == 1 {
			pids = append(pids, pid)
		}
		ready = ready || line == "ready\n"
	}
	from := time.Now()
	_ = cmd.Process.Kill()
	until(t, "nothing is left", func() bool { return !anyAlive(pids) })
	took := time.Since(from)
	t.Logf("tree of %d gone after %v", len(pids), took)
	if took > await.Promptly {
		t.Errorf("took %v", took)
	}
}

func TestKillingTheGuardianIsNoticed(t *testing.T) {
	p, out := launch(t, guardedAct("tree"))
	pids := readTree(t, out, 4)
	// The one that had already lost its parent goes to init with the guardian,
	// in a session of its own: nobody can know whose it was.
	attached, daemon := pids[:0:0], 0
	for _, q := range processes() {
		for _, pid := range pids {
			if q.pid != pid {
				continue
			}
			if q.ppid == p.tree.(*guarded).guardianPID() && pid != p.PID() {
				daemon = pid
			} else {
				attached = append(attached, pid)
			}
		}
	}
	from := time.Now()
	_ = syscall.Kill(p.tree.(*guarded).guardianPID(), syscall.SIGKILL)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if e, err := p.Wait(ctx); !errors.Is(err, ErrLost) || e.Signal != "SIGKILL" {
		t.Errorf("got %+v, %v", e, err)
	}
	took := time.Since(from)
	t.Logf("noticed and killed after %v", took)
	if took > await.Promptly || len(attached) != 3 || anyAlive(attached) {
		t.Errorf("took %v, left %v of %v", took, attached, pids)
	}
	_ = syscall.Kill(daemon, syscall.SIGKILL)
	until(t, "the daemon is gone", func() bool { return !alive(daemon) })
}

// A process that does nothing but fork and end is never where one looks: only
// its group is.
func TestKillEndsAChainOfForks(t *testing.T) {
	cfg := guardedAct("")
	cfg.Argv = []string{"sh", "-c", `echo ready; f() { (f) & }; f; wait`}
	p, out := launch(t, cfg)
	expect(t, out, "ready\n")
	from := time.Now()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("gone after %v", time.Since(from))
}

func TestStatLineOfAHostileName(t *testing.T) {
	for _, c := range []struct {
		line string
		want process
		ok   bool
	}{
		{"7 (a) S 1 2 3 0 -1", process{7, 1, 2, 3}, true},
		{"7 (a) S 9 9) R 1 2 3 0 -1", process{7, 1, 2, 3}, true},
		{"7 () (x\n) D 1 2 3 0 -1", process{7, 1, 2, 3}, true},
		{"7 (a) Z 1 2 3 0 -1", process{}, false},
		{"7 (a) S 1", process{}, false},
		{"7 (a) ", process{}, false},
		{"", process{}, false},
		{"7 (a) S x 2 3 0", process{}, false},
	} {
		if got, ok := parseStat(7, []byte(c.line)); got != c.want || ok != c.ok {
			t.Errorf("%q: %+v %v", c.line, got, ok)
		}
	}
}

func expect(t *testing.T, out *bufio.Reader, want string) {
	t.Helper()
	if got, err := out.ReadString('\n'); got != want {
		t.Fatalf("got %q (%v), want %q", got, err, want)
	}
}

func BenchmarkStart(b *testing.B) {
	for name, prefix := range ways {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				cfg := Config{Argv: []string{"/bin/true"}}
				if prefix != nil {
					cfg.Self = []string{self(), "guard"}
				}
				p, err := Start(cfg)
				if err != nil {
					b.Fatal(err)
				}
				<-p.Done()
				p.Close()
			}
		})
	}
}

func BenchmarkProcessTable(b *testing.B) {
	for b.Loop() {
		processes()
	}
}
