package tools

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestEachSetListsItsTools(t *testing.T) {
	for _, c := range []struct {
		set  ToolSet
		want string
	}{
		{ToolSet{Files: true}, "create edit glob grep view"},
		{ToolSet{Shell: true}, "bash list_bash read_bash stop_bash"},
		{ToolSet{Diagnostics: true}, "diagnostics selection"},
		{ToolSet{Files: true, AskedHere: true}, "create edit glob grep view"},
		{allTools, "bash create diagnostics edit glob grep list_bash read_bash selection stop_bash view"},
	} {
		r := newRig(t, c.set)
		res, err := r.client("s", nil).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tl := range res.Tools {
			names = append(names, tl.Name)
			if len(tl.Description) < 60 || tl.Title == "" {
				t.Errorf("%s is not described: %q", tl.Name, tl.Description)
			}
			if tl.Meta["anthropic/alwaysLoad"] != true {
				t.Errorf("%s: claude-agent-acp would hide it", tl.Name)
			}
			if a := tl.Annotations; a.ReadOnlyHint == (a.DestructiveHint != nil) || !a.ReadOnlyHint && *a.DestructiveHint == c.set.AskedHere {
				t.Errorf("%s is marked %+v", tl.Name, a)
			}
		}
		if diff := cmp.Diff(strings.Fields(c.want), names); diff != "" {
			t.Errorf("%+v: %s", c.set, diff)
		}
	}
}

func TestCallsReachTheHostWithTheirCaller(t *testing.T) {
	r := newRig(t, allTools)
	r.host.view = func(_ context.Context, c Caller, a ViewArgs) (string, error) {
		return c.AgentSession + " " + a.Path, nil
	}
	one, two := r.client("session-1", nil), r.client("session-2", nil)
	for want, cs := range map[string]*mcp.ClientSession{"session-1 /a": one, "session-2 /a": two} {
		if got := textOf(t, r.call(cs, "view", map[string]any{"path": "/a"})); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for name, want := range map[string]string{
		"create": "create {Path:/a Text:t}", "edit": "edit {Path:/a Old:o New:n}", "stop_bash": "stop_bash {ShellID:s}",
		"list_bash": "list_bash", "selection": "selection", "glob": "glob {Pattern:*.go Paths:[/a]}", "diagnostics": "diagnostics {Path:/a}", "read_bash": "read_bash {ShellID:s Delay:1s}",
	} {
		all := map[string]any{"path": "/a", "file_text": "t", "old_str": "o", "new_str": "n", "shellId": "s", "delay": 1, "pattern": "*.go", "paths": "/a"}
		if got := textOf(t, r.call(one, name, all)); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if len(r.host.came) != 2 || r.host.came[0].Connection == r.host.came[1].Connection || r.host.came[0].PID != os.Getpid() {
		t.Errorf("connected: %+v", r.host.came)
	}
}

func TestFailuresAreToolErrorsAndTheConnectionLivesOn(t *testing.T) {
	r := newRig(t, allTools)
	r.host.view = func(_ context.Context, _ Caller, a ViewArgs) (string, error) {
		switch a.Path {
		case "/canary-4711":
			panic("canary-4712")
		case "/nothing":
			return "", errors.New(" ")
		case "/big":
			return "", errors.New(strings.Repeat("x", 10*MaxResult))
		case "/bytes":
			return "caf\xe9", nil
		}
		return "", forModel("%s", NoSuchPath(a.Path))
	}
	cs := r.client("s", nil)
	for _, c := range []struct {
		path, want string
		isError    bool
	}{
		{"/none", "Path /none does not exist. Please provide a valid path.", true},
		{"/canary-4711", "The editor failed inside view", true},
		{"/nothing", "gave no reason", true},
		{"/big", "bytes left out", true},
		{"/bytes", "caf\uFFFD", false},
	} {
		res := r.call(cs, "view", map[string]any{"path": c.path})
		if got := textOf(t, res); res.IsError != c.isError || !strings.Contains(got, c.want) || len(got) > MaxResult {
			t.Errorf("%s: error %v, %d bytes, %.200q", c.path, res.IsError, len(got), got)
		}
	}
	if res := r.call(cs, "edit", map[string]any{"path": 5}); !res.IsError || !strings.Contains(textOf(t, res), `"path": Expected string, received number`) {
		t.Errorf("wrong type: %+v", res)
	}
	if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "nosuch"}); err == nil {
		t.Error("an unknown tool is not an error")
	}
	if logs := r.logs.String(); !strings.Contains(logs, "editor tool panicked") || strings.Contains(logs, "canary") {
		t.Errorf("the log of the panic: %s", logs)
	}
}

func TestBigResultsAreCutForEveryTool(t *testing.T) {
	r := newRig(t, allTools)
	r.host.bash = func(context.Context, Caller, BashArgs, func(string)) (string, error) {
		return strings.Repeat("a line of output\n", 100_000) + "<shellId: 0 completed with exit code 1>", nil
	}
	got := textOf(t, r.call(r.client("s", nil), "bash", map[string]any{"command": "x", "description": "d"}))
	if len(got) > MaxResult || !strings.HasSuffix(got, "\n<shellId: 0 completed with exit code 1>") || !strings.Contains(got, "bytes left out") {
		t.Errorf("%d bytes: %.100q … %q", len(got), got, got[len(got)-100:])
	}
}

func TestCallsOfOneMessageRunInParallel(t *testing.T) {
	const n = 8
	r := newRig(t, allTools)
	var meet sync.WaitGroup
	meet.Add(n)
	r.host.view = func(context.Context, Caller, ViewArgs) (string, error) {
		meet.Done()
		meet.Wait()
		return "met", nil
	}
	cs := r.client("s", nil)
	var calls sync.WaitGroup
	for range n {
		calls.Go(func() { r.call(cs, "view", map[string]any{"path": "/a"}) })
	}
	done := make(chan struct{})
	go func() { calls.Wait(); close(done) }()
	await.Receive(t, "the calls to meet", done)
}

func TestCancelledCallEndsItsContextOnly(t *testing.T) {
	r := newRig(t, allTools)
	began, ended := make(chan struct{}), make(chan error, 1)
	r.host.bash = func(ctx context.Context, _ Caller, _ BashArgs, _ func(string)) (string, error) {
		close(began)
		<-ctx.Done()
		ended <- ctx.Err()
		return "", ctx.Err()
	}
	cs := r.client("s", nil)
	ctx, cancel := context.WithCancel(t.Context())
	called := make(chan error, 1)
	go func() {
		_, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": "sleep", "description": "d"}})
		called <- err
	}()
	await.Receive(t, "the call", began)
	cancel()
	if err := await.Receive(t, "the context to end", ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	await.Receive(t, "the client", called)
	if got := textOf(t, r.call(cs, "view", map[string]any{"path": "/a"})); !strings.HasPrefix(got, "view") {
		t.Errorf("after a cancel: %q", got)
	}
}

func TestProgressReachesTheAgentThatAsked(t *testing.T) {
	r := newRig(t, allTools)
	heard := make(chan string, 10)
	release := make(chan struct{})
	r.host.bash = func(_ context.Context, _ Caller, _ BashArgs, progress func(string)) (string, error) {
		progress("compiling")
		<-release
		return "ok", nil
	}
	cs := r.client("s", &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
		heard <- req.Params.Message
	}})
	params := &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": "make", "description": "d"}}
	params.SetProgressToken(7)
	answered := make(chan error, 1)
	go func() {
		_, err := cs.CallTool(t.Context(), params)
		answered <- err
	}()
	if got := await.Receive(t, "progress", heard); got != "compiling" {
		t.Errorf("progress %q", got)
	}
	close(release)
	if err := await.Receive(t, "the result", answered); err != nil {
		t.Error(err)
	}
}

func TestCloseEndsEverything(t *testing.T) {
	r := newRig(t, allTools)
	began := make(chan struct{})
	returned := false
	r.host.bash = func(ctx context.Context, _ Caller, _ BashArgs, _ func(string)) (string, error) {
		close(began)
		<-ctx.Done()
		returned = true
		return "", ctx.Err()
	}
	cs := r.client("s", nil)
	await.Receive(t, "connected", r.host.news)
	go func() {
		_, _ = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": "x"}})
	}()
	await.Receive(t, "the call", began)
	waiting := make(chan error, 1)
	go func() { waiting <- r.WaitConnected(t.Context(), "never") }()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.host.went[r.host.came[0]]; !errors.Is(err, ErrClosed) || !returned {
		t.Errorf("disconnected with %v, the call returned before: %v", err, returned)
	}
	if err := await.Receive(t, "WaitConnected", waiting); !errors.Is(err, ErrClosed) {
		t.Errorf("WaitConnected: %v", err)
	}
	if _, err := os.Stat(r.folder); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	if err := r.Mint(); err == nil {
		t.Error("a token after Close")
	}
}

func TestWaitConnectedSaysWhatItSaw(t *testing.T) {
	r := newRig(t, allTools)
	soon, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	err := r.WaitConnected(soon, "s-1")
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "session s-1, nothing tried to connect") {
		t.Errorf("nobody came: %v", err)
	}
	waiting := make(chan error, 1)
	go func() { waiting <- r.WaitConnected(t.Context(), "s-1") }()
	r.client("s-1", nil)
	if err := await.Receive(t, "WaitConnected", waiting); err != nil {
		t.Error(err)
	}
	in, _, ended := r.pipe("s-2") // no token is left
	_ = in.Close()
	if err := await.Receive(t, "a process without a token", ended); err == nil || !strings.Contains(err.Error(), "does not expect this process") {
		t.Errorf("without a token: %v", err)
	}
	for end := time.Now().Add(await.Limit); ; {
		soon, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		err := r.WaitConnected(soon, "s-2")
		cancel()
		if err != nil && strings.Contains(err.Error(), "was refused: it did not say hello") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("somebody was refused: %v", err)
		}
	}
}
