//go:build linux

package terminalproxy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// fake is a process that ends when the test says so, or when it is told to.
type fake struct {
	once sync.Once
	done chan struct{}
	how  Exit
	out  *os.File
	held bool // the output stays open after the end
}

func newFake(p plan) *fake {
	out, _ := os.OpenFile("/proc/self/fd/"+fmt.Sprint(p.output.Fd()), os.O_WRONLY, 0)
	f := &fake{done: make(chan struct{}), out: out}
	_, _ = f.out.WriteString("said\n")
	return f
}

func (f *fake) end(how Exit) {
	f.once.Do(func() {
		f.how = how
		if !f.held {
			f.out.Close()
		}
		close(f.done)
	})
}

func (f *fake) PID() int              { return 1 }
func (f *fake) Done() <-chan struct{} { return f.done }
func (f *fake) Terminate()            { f.end(signalled("SIGTERM")) }
func (f *fake) Close() error          { f.end(signalled("SIGKILL")); return nil }
func (f *fake) exit() Exit            { return f.how }

// world is one terminal with two waiters, and what was answered.
type world struct {
	t       *testing.T
	r       *Runner
	p       *fake
	term    *Terminal
	ctx     context.Context
	cancel  context.CancelFunc
	calls   sync.WaitGroup
	mu      sync.Mutex
	answers map[string][]string
}

// answer notes what a call of name returned. Each call must come here exactly once.
func (w *world) answer(name, what string) {
	w.mu.Lock()
	w.answers[name] = append(w.answers[name], what)
	w.mu.Unlock()
}

func (w *world) call(name string, f func() string) {
	w.calls.Go(func() { w.answer(name, f()) })
}

func outcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, ErrReleased), errors.Is(err, ErrUnknownTerminal):
		return "released"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return err.Error()
}

// The steps are what may happen to a running terminal. An agent that crashes and an editor that goes are both
// "session": all of the session's terminals end.
var steps = map[string]func(w *world) string{
	"exit":   func(w *world) string { w.p.end(code(7)); return "ok" },
	"kill":   func(w *world) string { return outcome(w.term.Kill(context.Background())) },
	"cancel": func(w *world) string { w.cancel(); return "ok" },
	"release": func(w *world) string {
		return outcome(w.term.Release(context.Background()))
	},
	"output": func(w *world) string {
		if o := w.term.Output(); o.Text != "" && o.Text != "said\n" {
			return "output " + o.Text
		}
		return "ok"
	},
	"session": func(w *world) string { w.r.CloseSession("s"); return "ok" },
	"bridge":  func(w *world) string { w.r.Close(); return "ok" },
}

// wait_for_exit twice, and everything that can happen to it, in every order: one after the other, and all at
// once. Each call gets exactly one answer, and one that fits.
func TestExactlyOneAnswerInEveryOrder(t *testing.T) {
	names := []string{"exit", "kill", "cancel", "release", "output", "session"}
	orders := permutations(names)
	for _, last := range permutations([]string{"kill", "release", "release", "bridge"}) {
		orders = append(orders, append([]string{"cancel"}, last...))
	}
	for _, together := range []bool{false, true} {
		for _, order := range orders {
			explore(t, order, together)
		}
	}
	t.Logf("%d orders, each in turn and at once", len(orders))
}

func explore(t *testing.T, order []string, together bool) {
	var events []OutputEvent
	r := New(Config{OnOutput: func(e OutputEvent) { events = append(events, e) }})
	w := &world{t: t, r: r, answers: make(map[string][]string)}
	r.start = func(p plan) (process, error) { w.p = newFake(p); return w.p, nil }
	w.ctx, w.cancel = context.WithCancel(context.Background())
	var err error
	if w.term, err = r.Create(context.Background(), Spec{Session: "s", Command: "x", Cwd: "/"}); err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("%s, together %v", strings.Join(order, " "), together)
	for _, waiter := range []string{"wait with a context", "wait"} {
		ctx := context.Background()
		if waiter != "wait" {
			ctx = w.ctx
		}
		w.call(waiter, func() string {
			e, err := w.term.Wait(ctx)
			if err != nil {
				return outcome(err)
			}
			return e.String()
		})
	}
	for i, step := range order {
		f := steps[step]
		key := fmt.Sprintf("%d %s", i, step)
		if together {
			w.call(key, func() string { return f(w) })
		} else {
			w.answer(key, f(w))
		}
	}
	w.calls.Wait()
	r.Close()
	w.cancel()

	if len(w.answers) != len(order)+2 {
		t.Errorf("%s: %d calls were answered", name, len(w.answers))
	}
	for call, got := range w.answers {
		if len(got) != 1 {
			t.Errorf("%s: %s was answered %q", name, call, got)
			continue
		}
		_, step, _ := strings.Cut(call, " ")
		ok := got[0] == "ok"
		switch {
		case call == "wait":
			ok = got[0] == "exit code 7" || got[0] == "SIGTERM"
		case call == "wait with a context":
			ok = got[0] == "exit code 7" || got[0] == "SIGTERM" || got[0] == "cancelled"
		case step == "kill", step == "release":
			ok = ok || got[0] == "released"
		}
		if !ok {
			t.Errorf("%s: %s was answered %q", name, call, got[0])
		}
	}
	if !together && order[0] == "exit" && w.answers["wait"][0] != "exit code 7" {
		t.Errorf("%s: the exit came first, and a waiter was told %q", name, w.answers["wait"][0])
	}
	data, exits := "", 0
	for _, e := range events {
		data += e.Data
		if e.Exit != nil {
			exits++
		}
	}
	if data != "said\n" || exits != 1 || events[len(events)-1].Exit == nil {
		t.Errorf("%s: shown %q with %d exits", name, data, exits)
	}
	if r.held != 0 || len(r.List("")) != 0 {
		t.Errorf("%s: %d places are still taken", name, r.held)
	}
}

func permutations(of []string) [][]string {
	if len(of) == 0 {
		return [][]string{{}}
	}
	var all [][]string
	for i, first := range of {
		rest := append(append([]string{}, of[:i]...), of[i+1:]...)
		for _, p := range permutations(rest) {
			all = append(all, append([]string{first}, p...))
		}
	}
	return all
}

// A start that is under way when its session, the bridge or its caller goes away ends without a terminal.
func TestStartThatIsOvertakenLeavesNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(r *Runner, cancel func())
		want string
	}{
		{"session", func(r *Runner, _ func()) { go r.CloseSession("s") }, ErrClosed.Error()},
		{"bridge", func(r *Runner, _ func()) { go r.Close() }, ErrClosed.Error()},
		{"caller", func(_ *Runner, cancel func()) { cancel() }, context.Canceled.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := New(Config{})
			ctx, cancel := context.WithCancel(t.Context())
			var p *fake
			r.start = func(pl plan) (process, error) {
				p = newFake(pl)
				c.end(r, cancel)
				until(t, "the end", func() bool {
					r.mu.Lock()
					defer r.mu.Unlock()
					return r.closed || len(r.closing) > 0 || ctx.Err() != nil
				})
				return p, nil
			}
			if _, err := r.Create(ctx, Spec{Session: "s", Command: "x", Cwd: "/"}); err == nil || err.Error() != c.want {
				t.Errorf("create: %v", err)
			}
			r.Close()
			select {
			case <-p.done:
			default:
				t.Error("the process was left running")
			}
			if r.held != 0 {
				t.Errorf("%d places are still taken", r.held)
			}
		})
	}
}
