package tools

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// process starts the mcp process as an agent does.
func (r *rig) process(session string) (*exec.Cmd, *mcp.ClientSession) {
	r.t.Helper()
	self, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := r.Mint(); err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.Command(self, pipeArg, r.Socket())
	cmd.Env = []string{sessionVars[0] + "=" + session, "GORACE=atexit_sleep_ms=0"}
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(r.t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = cs.Close() })
	return cmd, cs
}

func TestADeadProcessEndsItsCallsAndIsReported(t *testing.T) {
	r := newRig(t, allTools)
	began, ended := make(chan struct{}), make(chan struct{})
	r.host.bash = func(ctx context.Context, _ Caller, _ BashArgs, _ func(string)) (string, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return "", ctx.Err()
	}
	cmd, cs := r.process("s")
	await.Receive(t, "connected", r.host.news)
	if got := r.host.came[0]; got.AgentSession != "s" || got.PID != cmd.Process.Pid {
		t.Errorf("connected: %+v, the process is %d", got, cmd.Process.Pid)
	}
	go func() {
		_, _ = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": "x"}})
	}()
	await.Receive(t, "the call", began)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	await.Receive(t, "the call to end", ended)
	await.Receive(t, "disconnected", r.host.news)
	err := r.host.went[r.host.came[0]]
	if err == nil || errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "process") {
		t.Errorf("disconnected with %v", err)
	}
}

func TestTheProcessEndsWithItsInputAndWithTheBridge(t *testing.T) {
	for name, end := range map[string]func(*rig, *mcp.ClientSession) error{
		"end of input":      func(_ *rig, cs *mcp.ClientSession) error { return cs.Close() },
		"end of the bridge": func(r *rig, _ *mcp.ClientSession) error { return r.Close() },
	} {
		r := newRig(t, allTools)
		cmd, cs := r.process("s")
		if err := end(r, cs); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_ = cs.Close() // waits for the process
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 0 {
			t.Errorf("%s: %v", name, cmd.ProcessState)
		}
	}
}

func TestWithoutABridgeEveryRequestIsAnswered(t *testing.T) {
	gone := filepath.Join(t.TempDir(), socketName)
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{}}`,
		``,
		`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-11-25"}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`not JSON`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"view","arguments":{"path":"/a"}}}`,
		`{"jsonrpc":"2.0","id":3,"result":{}}`,
	}, "\n")
	for name, c := range map[string]struct{ socket, session, want string }{
		"gone":       {gone, "s", "the bridge that started this session is gone"},
		"no session": {gone, "", "COPILOT_AGENT_SESSION_ID is not set"},
	} {
		var out bytes.Buffer
		err := Pipe(t.Context(), c.socket, []string{sessionVars[0] + "=" + c.session}, strings.NewReader(in), &out)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		var ids []string
		for line := range strings.Lines(out.String()) {
			var m struct {
				ID    json.RawMessage
				Error struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatalf("%s: %q: %v", name, line, err)
			}
			ids = append(ids, string(m.ID))
			if string(m.ID) != "null" && (!strings.Contains(m.Error.Message, c.want) || !strings.Contains(m.Error.Message, "load it again")) {
				t.Errorf("%s: %q does not say why and what to do", name, line)
			}
		}
		if got := strings.Join(ids, " "); got != `0 "a" null 2` {
			t.Errorf("%s: answered %s", name, got)
		}
	}
}

func TestARefusedProcessStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, w := io.Pipe()
	defer w.Close()
	ended := make(chan error, 1)
	go func() {
		ended <- Pipe(ctx, filepath.Join(t.TempDir(), socketName), []string{SessionVar + "=s"}, in, io.Discard)
	}()
	cancel()
	if err := await.Receive(t, "the pipe", ended); err == nil {
		t.Error("no error")
	}
}

func TestTheSessionIsNamedByTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want string
	}{
		{[]string{"COPILOT_AGENT_SESSION_ID=a", SessionVar + "=b"}, "a"},
		{[]string{SessionVar + "=b"}, "b"},
		{[]string{"COPILOT_AGENT_SESSION_ID=a", "COPILOT_AGENT_SESSION_ID=c"}, "c"},
		{[]string{"COPILOT_AGENT_SESSION_ID=", SessionVar + "=b"}, "b"},
		{[]string{"COPILOT_AGENT_SESSION_IDX=a", "COPILOT_AGENT_SESSION_ID"}, ""},
	} {
		if got := sessionOf(c.env); got != c.want {
			t.Errorf("%v: %q", c.env, got)
		}
	}
}

// raw opens a connection and says hello by hand, for what no client library would send.
func (r *rig) raw(session string) (io.Writer, *bufio.Reader) {
	r.t.Helper()
	if err := r.Mint(); err != nil {
		r.t.Fatal(err)
	}
	conn, in, err := connect(r.t.Context(), r.Socket(), []string{SessionVar + "=" + session})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = conn.Close() })
	return conn, in
}

func TestRecordedHandshakesOfCopilotAreServed(t *testing.T) {
	for _, file := range []string{"copilot-1.0.102-discover.jsonl", "copilot-1.0.102-initialize.jsonl"} {
		r := newRig(t, allTools)
		w, in := r.raw("s")
		lines, err := os.ReadFile(filepath.Join("testdata/mcp", file))
		if err != nil {
			t.Fatal(err)
		}
		var last string
		for line := range strings.Lines(string(lines)) {
			if _, err := io.WriteString(w, line); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(line, `"id"`) {
				continue
			}
			if last, err = in.ReadString('\n'); err != nil || !strings.Contains(last, `"result"`) {
				t.Fatalf("%s: %s answered with %s %v", file, line, last, err)
			}
		}
		if !strings.Contains(last, "view {Path:/ws/a.txt") {
			t.Errorf("%s: the call is answered with %s", file, last)
		}
	}
}

func TestWhatIsNotAMessageIsAnsweredAndSurvived(t *testing.T) {
	r := newRig(t, allTools)
	w, in := r.raw("s")
	for _, c := range []struct{ line, id, code string }{
		{`not JSON`, `null`, `-32700`},
		{`[]`, `null`, `-32700`},
		{`{"jsonrpc":"2.0","id":5,"id":6,"method":"ping"}`, `null`, `-32600`},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"view","name":"edit","arguments":{}}}`, `7`, `-32600`},
		{`{"jsonrpc":"1.0","id":8,"method":"ping"}`, `8`, `-32600`},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `null`, `-32600`},
	} {
		if _, err := io.WriteString(w, "\n \n"+c.line+"\r\n"); err != nil {
			t.Fatal(err)
		}
		got, err := in.ReadString('\n')
		if err != nil || !strings.Contains(got, `"id":`+c.id+`,`) || !strings.Contains(got, `"code":`+c.code) {
			t.Errorf("%s is answered with %s %v", c.line, got, err)
		}
	}
	if _, err := io.WriteString(w, `{"jsonrpc":"2.0","id":9,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if got, err := in.ReadString('\n'); err != nil || !strings.Contains(got, `"id":9`) || !strings.Contains(got, `"result"`) {
		t.Errorf("ping is answered with %s %v", got, err)
	}
}

func TestLinesAreReadUpToALimit(t *testing.T) {
	text := "short\n" + strings.Repeat("x", 100) + "\r\n" + strings.Repeat("y", 5000) + "\n\nlast"
	in := bufio.NewReaderSize(strings.NewReader(text), 16)
	var got []string
	for {
		line, err := readLine(in, 100)
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, errLongLine) {
			line, err = []byte("LONG"), nil
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(line))
	}
	if want := "short LONG LONG  last"; strings.Join(got, " ") != want {
		t.Errorf("got %q", got)
	}
}

// FuzzParse: no line brings the reader down, and what is accepted has each member once.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, `[]`, `{"id":1,"id":2}`, `{"jsonrpc":"2.0","method":"x","params":{"a":1,"a":2}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		msg, id, code, err := parse(line)
		if err != nil {
			if out := errorLine(id, code, err.Error()); !json.Valid(out) || bytes.ContainsRune(out, '\n') {
				t.Fatalf("answer to %q: %q", line, out)
			}
			return
		}
		if msg == nil {
			t.Fatal("no message and no error")
		}
		if m, err := members(line); err != nil || len(m["method"]) > 1 {
			t.Fatalf("accepted %q: %v", line, err)
		}
	})
}
