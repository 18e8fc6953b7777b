//go:build linux

package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
	"github.com/copilot-bridge/copilot-bridge/internal/twin"
)

const patience = await.Limit // what has not happened by then never will

// recorder is a Handler that keeps what it gets, in order.
type recorder struct {
	mu     sync.Mutex
	texts  []string
	others []string
	exits  []*ExitError
	after  int // calls after Exited
}

func (r *recorder) note(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.exits) > 0 {
		r.after++
	}
	f()
}

func (r *recorder) Message(m *acp.Message) {
	if chunk, ok := m.Update().(*acp.AgentMessageChunk); ok {
		r.note(func() { r.texts = append(r.texts, chunk.Content.(*acp.TextContent).Text) })
		return
	}
	r.note(func() { r.others = append(r.others, m.Method) })
	if m.Request != nil {
		m.Request.Reply(nil, acp.Errorf(acp.CodeMethodNotFound, "no"))
	}
}

func (r *recorder) Drained() {}

func (r *recorder) Exited(err *ExitError) {
	r.note(func() { r.exits = append(r.exits, err) })
}

// got waits for the end of the agent and returns what came.
func (r *recorder) got(t *testing.T, a *Agent) ([]string, *ExitError) {
	t.Helper()
	select {
	case <-a.Done():
	case <-time.After(patience):
		t.Fatal("the end never came")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.exits) != 1 || r.after != 0 {
		t.Fatalf("Exited came %d times, and %d calls after it", len(r.exits), r.after)
	}
	return r.texts, r.exits[0]
}

func config(r Handler, act string, args ...string) Config {
	exe, _ := twin.Executable()
	return Config{
		Command: append([]string{exe}, args...),
		Env:     append(os.Environ(), actVar+"="+act),
		Guard:   []string{exe, "guard"},
		Handler: r,
	}
}

func run(t *testing.T, act string, args ...string) (*Agent, *recorder) {
	t.Helper()
	r := new(recorder)
	a, err := Start(context.Background(), config(r, act, args...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close(context.Background()) })
	return a, r
}

func say(ctx context.Context, a *Agent, script string) error {
	_, err := acp.Call[acp.PromptResponse](ctx, a, acp.MethodSessionPrompt, &acp.PromptRequest{SessionID: "s", Prompt: []acp.ContentBlock{acp.Text(script)}})
	return err
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprint(&b, i, " ")
	}
	return strings.TrimSpace(b.String())
}

func TestATurnAndAnOrderlyEnd(t *testing.T) {
	a, r := run(t, "agent")
	info := a.Info()
	if info.Name != "fake" || info.Title != "Fake" || info.Version != "1.2" || info.Protocol != 1 || info.PID == 0 || !info.Capabilities.LoadSession {
		t.Errorf("info %+v", info)
	}
	if a.State() != Ready {
		t.Errorf("state %v", a.State())
	}
	ctx := context.Background()
	s, err := acp.Call[acp.NewSessionResponse](ctx, a, acp.MethodSessionNew, &acp.NewSessionRequest{Cwd: "/"})
	if err != nil || s.SessionID != "s" {
		t.Fatal(s, err)
	}
	if err := say(ctx, a, "updates 500"); err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	if got := strings.Join(r.texts, " "); got != numbers(500) {
		t.Errorf("updates before the result: %.100s", got)
	}
	r.mu.Unlock()

	from := time.Now()
	if err := a.Close(ctx); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(from); took > await.Promptly {
		t.Errorf("took %v", took)
	}
	_, e := r.got(t, a)
	if !e.Asked || e.Code != 0 || e.Signal != "" || a.State() != Stopped {
		t.Errorf("%+v, state %v", e, a.State())
	}
	if err := say(ctx, a, ""); !errors.As(err, &e) || !e.Asked {
		t.Errorf("a call after the end: %v", err)
	}
}

// What the agent has sent before it ends is never lost, whenever that is.
func TestEveryUpdateBeforeACrashArrives(t *testing.T) {
	counts := []int{64, 2048}
	for n := range 16 {
		counts = append(counts, n)
	}
	for _, n := range counts {
		for script, want := range map[string]ExitError{
			"exit 0": {}, "exit 1": {Code: 1}, "kill": {Code: -1, Signal: "SIGKILL"},
		} {
			a, r := run(t, "agent")
			err := say(context.Background(), a, fmt.Sprintf("updates %d;%s", n, script))
			texts, e := r.got(t, a)
			if got := strings.Join(texts, " "); got != numbers(n) {
				t.Errorf("%d updates, %s: %d arrived", n, script, len(texts))
			}
			if e.Code != want.Code || e.Signal != want.Signal || e.Asked || a.State() != Crashed {
				t.Errorf("%s: %+v, %v", script, e, a.State())
			}
			var ended *ExitError
			if !errors.As(err, &ended) || ended.Code != want.Code || ended.Signal != want.Signal {
				t.Errorf("%s: the prompt ended with %v", script, err)
			}
		}
	}
}

func TestACutLineIsNotAMessage(t *testing.T) {
	line := update("x")
	for cut := range len(line) {
		a, r := speak(t, func(f *stub) {
			_ = f.id()
			f.write(update("whole") + "\n" + line[:cut])
		})
		_ = say(context.Background(), a, "go")
		if texts, e := r.got(t, a); len(texts) != 1 || e.Asked {
			t.Errorf("cut at %d: %q, %v", cut, texts, e)
		}
	}
	a, r := run(t, "agent")
	_ = say(context.Background(), a, "updates 1;raw "+line[:len(line)/2]+";exit 1")
	if texts, _ := r.got(t, a); len(texts) != 1 {
		t.Errorf("a process that crashed in a line: %q", texts)
	}
	// Only the newline is missing: the message is whole, and counts.
	a, r = run(t, "agent")
	_ = say(context.Background(), a, "raw "+line+";exit 1")
	if texts, _ := r.got(t, a); len(texts) != 1 || texts[0] != "x" {
		t.Errorf("last line without newline: %q", texts)
	}
}

func TestACrashTakesItsBackgroundProcessesAlong(t *testing.T) {
	a, r := run(t, "agent")
	from := time.Now()
	_ = say(context.Background(), a, "updates 3;leave;exit 4")
	texts, e := r.got(t, a)
	t.Logf("told after %v", time.Since(from))
	if len(texts) != 3 || e.Code != 4 {
		t.Errorf("%q, %+v", texts, e)
	}
	if left := children("left-behind"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

func TestAnAgentThatDoesNotEndIsEnded(t *testing.T) {
	t.Parallel()
	a, r := run(t, "tree")
	from := time.Now()
	if err := a.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	took := time.Since(from)
	t.Logf("ended after %v", took)
	if took > eofGrace+guard.KillGrace+await.Promptly {
		t.Errorf("took %v", took)
	}
	if _, e := r.got(t, a); e.Signal != "SIGKILL" || !e.Asked {
		t.Errorf("%+v", e)
	}
	if left := append(children("in-group"), children("in-session")...); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

func TestCloseInAHurryKillsAtOnce(t *testing.T) {
	a, r := run(t, "stubborn")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	from := time.Now()
	if err := a.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if took := time.Since(from); took > eofGrace+guard.KillGrace { // which it takes without hurry
		t.Errorf("took %v", took)
	}
	if _, e := r.got(t, a); e.Signal != "SIGKILL" || !e.Asked {
		t.Errorf("%+v", e)
	}
}

func TestAnAgentMayTalkOnItsWayOut(t *testing.T) {
	a, r := run(t, "polite")
	if err := a.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, e := r.got(t, a); e.Code != 5 || e.Signal != "" {
		t.Errorf("it could not finish: %+v", e)
	}
}

func TestAKilledGuardianIsAKilledAgent(t *testing.T) {
	a, r := run(t, "agent")
	var guardian int
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", a.Info().PID))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(string(stat[strings.LastIndex(string(stat), ")")+4:]), "%d", &guardian); err != nil {
		t.Fatal(err)
	}
	from := time.Now()
	_ = syscall.Kill(guardian, syscall.SIGKILL)
	_, e := r.got(t, a)
	if took := time.Since(from); took > await.Promptly || e.Signal != "SIGKILL" || e.Asked {
		t.Errorf("%+v after %v", e, took)
	}
}

// It still talks, but nothing can be said to it: useless, and noticed when we do. Something is said until then: a process that this one
// starts at the same moment may hold the other end a little longer.
func TestAnAgentThatClosedItsInputIsEnded(t *testing.T) {
	t.Parallel()
	a, r := run(t, "stdin-shut")
	await.Until(t, "the one update", func() bool { r.mu.Lock(); defer r.mu.Unlock(); return len(r.texts) == 1 })
	said := make(chan error, 1)
	go func() { said <- say(context.Background(), a, "hello") }()
	await.Until(t, "the agent to be ended", func() bool {
		_ = a.Notify(context.Background(), acp.MethodSessionCancel, jsontext.Value(`{"sessionId":"s"}`))
		select {
		case <-a.Done():
			return true
		default:
			return false
		}
	})
	var ended *ExitError
	if err := <-said; !errors.As(err, &ended) {
		t.Errorf("got %v", err)
	}
	texts, e := r.got(t, a)
	if len(texts) != 1 || e.Asked {
		t.Errorf("%q %+v", texts, e)
	}
}

func TestSignedOutIsAStateThatPasses(t *testing.T) {
	a, _ := run(t, "agent")
	ctx := context.Background()
	_, err := acp.Call[acp.ListSessionsResponse](ctx, a, acp.MethodSessionList, &acp.ListSessionsRequest{}) // the fake wants a login for it
	var answer *acp.Error
	if !errors.Is(err, ErrSignedOut) || !errors.As(err, &answer) || answer.Code != acp.CodeAuthRequired || a.State() != SignedOut {
		t.Errorf("%v, %v", err, a.State())
	}
	if _, err := acp.Call[struct{}](ctx, a, acp.MethodAuthenticate, &acp.AuthenticateRequest{MethodID: "x"}); err != nil || a.State() != Ready {
		t.Errorf("%v, %v", err, a.State())
	}
}

func TestStandardErrorIsReadAndKept(t *testing.T) {
	a, r := run(t, "late")
	_ = say(context.Background(), a, "exit 9")
	_, e := r.got(t, a)
	if len(e.Stderr) != stderrLines {
		t.Fatalf("%d lines", len(e.Stderr))
	}
	for i, line := range e.Stderr {
		if !strings.HasPrefix(line, fmt.Sprintf("line %d z", 20_000-stderrLines+i)) {
			t.Errorf("line %d: %.20s", i, line)
		}
	}
	if !strings.Contains(e.Error(), "exit status 9") || !strings.Contains(e.Error(), "line 19999") {
		t.Error(e)
	}
}

func TestEveryStateHasASentence(t *testing.T) {
	for s := Starting; s <= Stopped; s++ {
		if text := s.Sentence(); !strings.HasSuffix(text, ".") || s.String() == "unknown" {
			t.Errorf("%d: %q", s, text)
		}
	}
}
