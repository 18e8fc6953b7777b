package acptest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

type readCloser struct{ io.Reader }

type writeCloser struct{ io.WriteCloser }

// run is a process that plays a scenario, with a peer at its streams.
type run struct {
	*peer
	cmd    *exec.Cmd
	stderr bytes.Buffer
}

func start(t *testing.T, p *Process) *run {
	t.Helper()
	r := &run{cmd: exec.Command(p.Command[0], append(p.Command[1:], "--acp", "--stdio")...)}
	r.cmd.Env = append(os.Environ(), p.Env...)
	r.cmd.Stderr = &r.stderr
	in, err := r.cmd.StdinPipe()
	must(t, err)
	out, err := r.cmd.StdoutPipe()
	must(t, err)
	must(t, r.cmd.Start())
	r.peer = newPeer(t, struct {
		readCloser
		writeCloser
	}{readCloser{out}, writeCloser{in}})
	t.Cleanup(func() {
		_ = in.Close()
		if r.cmd.ProcessState == nil {
			_ = r.cmd.Process.Kill()
			_ = r.cmd.Wait()
		}
	})
	return r
}

func (r *run) exit(want int) {
	r.t.Helper()
	err := r.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	if code := r.cmd.ProcessState.ExitCode(); code != want {
		r.t.Fatalf("exit code %d, want %d\n%s", code, want, &r.stderr)
	}
}

func TestAProcessPlaysAScenario(t *testing.T) {
	p := Script(`
expect initialize
mark asked
wait go
stderr the arguments are $args
reply {"args":"$args"}
expect session/new
say Hi
reply {"sessionId":"s"}
exit 3
`).Process(t)
	r := start(t, p)
	r.says(initialize)
	must(t, p.Await(within(t), "asked"))
	p.Set("go")
	r.hears(`{"jsonrpc":"2.0","id":1,"result":{"args":"--acp --stdio"}}`)
	r.says(newSession)
	r.hears(`{"jsonrpc":"2.0","method":"session/update",…`, `{"jsonrpc":"2.0","id":"two","result":{"sessionId":"s"}}`)
	r.exit(3)
	if p.Var("args") != "--acp --stdio" || !strings.Contains(r.stderr.String(), "the arguments are --acp --stdio") {
		t.Errorf("vars %q, stderr %s", p.Var("args"), &r.stderr)
	}
	// Once more: the marker is still set.
	again := start(t, p)
	again.says(initialize)
	again.hears(`{"jsonrpc":"2.0","id":1,…`)
	again.says(newSession)
	again.hears(`{"jsonrpc":"2.0","method":"session/update",…`, `{"jsonrpc":"2.0","id":"two","result":{"sessionId":"s"}}`)
	again.exit(3) // to its end: hung up before that it deviates
}

func TestAProcessReportsADeviation(t *testing.T) {
	p := Script("expect initialize\nexpect session/new\nmark never").Process(t)
	r := start(t, p)
	r.says(initialize, prompt)
	r.exit(97)
	if !strings.Contains(r.stderr.String(), "expect session/new: have session/prompt") {
		t.Errorf("stderr: %s", &r.stderr)
	}
	if err := p.Await(within(t), "never"); err == nil || !strings.Contains(err.Error(), "have session/prompt") {
		t.Errorf("have %v", err)
	}
	if err := p.Failed(); err == nil {
		t.Error("the deviation is not reported")
	}
}

func TestAProcessMayCloseItsOutputAndStay(t *testing.T) {
	p := Script("close").Process(t)
	r := start(t, p)
	if _, err := r.lines.ReadByte(); err == nil {
		t.Error("the output is open")
	}
	_ = r.w.Close()
	r.exit(0)
}

func TestAProcessHangsUntilTheTestIsOver(t *testing.T) {
	p := Script("mark here\nhang").Process(t)
	r := start(t, p)
	must(t, p.Await(within(t), "here"))
	_ = r.w.Close()
	p.close()
	r.exit(0)
}
