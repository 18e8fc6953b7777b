//go:build linux

package agent

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// stub is an agent inside the test, at the other end of a stream.
type stub struct {
	in *bufio.Reader
	rw io.ReadWriteCloser
}

func (f *stub) write(text string) { _, _ = io.WriteString(f.rw, text) }

// id reads the next line and returns its id, "" if it has none.
func (f *stub) id() string {
	line, _ := f.in.ReadString('\n')
	_, rest, _ := strings.Cut(line, `"id":`)
	id, _, _ := strings.Cut(rest, ",")
	return strings.TrimRight(id, "}\n ")
}

func (f *stub) answer(member string) {
	if id := f.id(); id != "" {
		f.write(fmt.Sprintf("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", id, member))
	}
}

// speak connects to a stub that does what life says after the handshake, and
// then closes the stream.
func speak(t *testing.T, life func(*stub)) (*Agent, *recorder) {
	t.Helper()
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		f := &stub{in: bufio.NewReader(theirs), rw: theirs}
		f.answer(usual)
		life(f)
	}()
	r := new(recorder)
	a, err := Connect(context.Background(), Config{Handler: r}, ours)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close(context.Background()) })
	return a, r
}

// instant is a clock on which every limit passes as soon as it is set.
type instant struct{ limits []time.Duration }

func (c *instant) after(d time.Duration, f func()) func() bool {
	c.limits = append(c.limits, d)
	go f()
	return func() bool { return false }
}

func TestCallsHaveTheirTimeLimits(t *testing.T) {
	a, _ := speak(t, func(f *stub) { _, _ = io.Copy(io.Discard, f.in) })
	clock := new(instant)
	a.after = clock.after
	ctx := context.Background()
	for i, c := range []struct {
		method string
		limit  time.Duration
		params any
	}{
		{"session/new", 120 * time.Second, &acp.NewSessionRequest{Cwd: "/"}},
		{"session/load", 120 * time.Second, &acp.LoadSessionRequest{Cwd: "/"}},
		{"session/resume", 120 * time.Second, &acp.ResumeSessionRequest{Cwd: "/"}},
		{"session/list", 30 * time.Second, &acp.ListSessionsRequest{}},
		{"session/close", 30 * time.Second, &acp.CloseSessionRequest{SessionID: "s"}},
		{"session/delete", 30 * time.Second, &acp.DeleteSessionRequest{SessionID: "s"}},
		{"session/set_mode", 30 * time.Second, &acp.SetSessionModeRequest{}},
	} {
		var late *TimeoutError
		if _, err := acp.Call[struct{}](ctx, a, c.method, c.params); !errors.As(err, &late) || late.Method != c.method || late.Limit != c.limit || clock.limits[i] != c.limit {
			t.Errorf("%s: %v after %v", c.method, err, clock.limits)
		}
	}
	if a.State() != Ready {
		t.Errorf("state %v", a.State())
	}
	ctx, cancel := context.WithCancel(ctx)
	go cancel() // nothing else ends a prompt
	if err := say(ctx, a, "x"); !errors.Is(err, context.Canceled) || len(clock.limits) != 7 {
		t.Errorf("%v after %v", err, clock.limits)
	}
}

func TestTheHandshakeHasItsTimeLimit(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	go func() { _, _ = io.Copy(io.Discard, theirs) }()
	clock := new(instant)
	cfg := Config{Handler: new(recorder)}
	a := newAgent(cfg, "mute")
	a.after = clock.after
	_, err := connect(context.Background(), a, cfg, ours)
	var e *StartError
	if !errors.As(err, &e) || e.Kind != Timeout || !strings.Contains(e.Reason, "within 30s") || clock.limits[0] != 30*time.Second {
		t.Errorf("%v after %v", err, clock.limits)
	}
}

// The request is on its way when the context ends: the agent is told that nobody waits any more.
func TestACallEndsWithItsContext(t *testing.T) {
	told := make(chan string, 1)
	a, r := speak(t, func(f *stub) {
		_ = f.id()
		line, _ := f.in.ReadString('\n')
		told <- line
	})
	ctx, cancel := context.WithCancelCause(context.Background())
	ctx = acp.WhenQueued(ctx, func() { cancel(errors.New("enough")) })
	if err := say(ctx, a, "x"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if line := await.Receive(t, "what the agent was told", told); !strings.Contains(line, "$/cancel_request") {
		t.Errorf("the agent was told %q", line)
	}
	r.got(t, a)
}

// A call whose context has ended before it was written ends as well, and the agent never hears of it.
func TestACallThatIsTooLateIsNotSent(t *testing.T) {
	told := make(chan string, 1)
	a, r := speak(t, func(f *stub) {
		line, _ := f.in.ReadString('\n')
		told <- line
	})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := say(ctx, a, "too late"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := a.Notify(context.Background(), acp.MethodSessionCancel, jsontext.Value(`{"sessionId":"next"}`)); err != nil {
		t.Error(err)
	}
	if line := await.Receive(t, "what the agent was told", told); !strings.Contains(line, `"next"`) {
		t.Errorf("the agent was told %q", line)
	}
	r.got(t, a)
}
