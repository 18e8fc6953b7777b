package host

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// fault is an error on a line.
func (r *langRig) fault(name string, line int, message string) FileDiagnostics {
	return FileDiagnostics{Path: r.path(name), Items: []Diagnostic{{Line: line, Severity: "error", Message: message}}}
}

func (r *langRig) edit(name, old, text string) string {
	r.t.Helper()
	got, err := r.s.Edit(r.t.Context(), tools.EditArgs{Path: r.path(name), Old: old, New: text}, r)
	if err != nil {
		r.t.Fatal(err)
	}
	return got
}

// speaks has the servers say these diagnostics, from the second call after now on those after the edit.
func (r *langRig) speaks(before, after []FileDiagnostics, state ServerState) {
	asked := 0
	r.diagnosed = func(_ context.Context, path string) (Diagnosed, error) {
		asked++
		if asked == 1 {
			return Diagnosed{before, state}, nil
		}
		return Diagnosed{after, state}, nil
	}
}

// TestAnEditTellsTheErrorsThatAreNew: in the file and in others, and only those: what was there before is not said again, wherever the
// edit has moved it to.
func TestAnEditTellsTheErrorsThatAreNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newLangRig(t, map[string]string{"lib.txt": "one\ntwo\nthree\n", "use.txt": "x\n", ".env": "x\n"}, policy.Rule{Tool: policy.ToolEdit, Path: "**", Decision: policy.Allow})
		done := "File " + r.path("lib.txt") + " updated with changes."
		old := []FileDiagnostics{r.fault("lib.txt", 3, "undefined: three"), r.fault("use.txt", 1, "old"), {Path: r.path("use.txt"), Items: []Diagnostic{{Line: 1, Severity: "warning", Message: "unused"}}}}
		for _, c := range []struct {
			after []FileDiagnostics
			want  string
		}{
			{[]FileDiagnostics{r.fault("lib.txt", 4, "undefined: three"), r.fault("use.txt", 1, "old")}, ""},
			{nil, ""},
			{[]FileDiagnostics{r.fault("lib.txt", 4, "undefined: three"), r.fault("use.txt", 1, "new"), r.fault(".env", 1, "secret")}, "\n\n1 new error:\nuse.txt:1: new"},
			{[]FileDiagnostics{r.fault("use.txt", 1, "also"), r.fault("lib.txt", 2, "undefined: three"), r.fault("lib.txt", 4, "undefined: three")}, "\n\n2 new errors:\nlib.txt:2: undefined: three\nuse.txt:1: also"},
			{[]FileDiagnostics{{Path: r.path("use.txt"), Items: []Diagnostic{{Line: 9, Severity: "warning", Message: "w"}}}}, ""},
		} {
			r.put("lib.txt", "one\ntwo\nthree\n")
			r.speaks(old, c.after, ServersSpoken)
			if got := r.edit("lib.txt", "two\n", "two\nand\n"); got != done+c.want {
				t.Errorf("%q, want %q", got, done+c.want)
			}
		}
	})
}

// TestFeedbackWaitsForTheServersAndNotForLong: a server that is silent is waited for 2 s, one that has spoken for what it says of other
// files, and an editor without one not at all.
func TestFeedbackWaitsForTheServersAndNotForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newLangRig(t, map[string]string{"lib.txt": "a\n"}, policy.Rule{Tool: policy.ToolEdit, Path: "**", Decision: policy.Allow})
		n := 0
		took := func() (time.Duration, string) {
			begun := time.Now()
			got := r.edit("lib.txt", fmt.Sprint(n, "\n"), fmt.Sprint(n+1, "\n"))
			n++
			return time.Since(begun), got
		}
		r.put("lib.txt", "0\n")
		for state, want := range map[ServerState]time.Duration{ServersNone: 0, ServersSilent: feedbackLimit, ServersUnknown: feedbackLimit, ServersSpoken: feedbackOthers} {
			r.speaks(nil, nil, state)
			if d, _ := took(); d < want || d > want+feedbackPoll {
				t.Errorf("%q: %v, want %v", state, d, want)
			}
		}
		begun := time.Now()
		r.diagnosed = func(ctx context.Context, _ string) (Diagnosed, error) {
			if time.Since(begun) < time.Second {
				return Diagnosed{Servers: ServersSpoken}, nil
			}
			return Diagnosed{[]FileDiagnostics{r.fault("use.txt", 1, "late")}, ServersSpoken}, nil
		}
		if d, got := took(); d > feedbackOthers || got == "" || !strings.HasSuffix(got, "late") {
			t.Errorf("an error of another file, a second later: %v %q", d, got)
		}
		r.diagnosed = func(ctx context.Context, _ string) (Diagnosed, error) { <-ctx.Done(); return Diagnosed{}, ctx.Err() }
		if d, _ := took(); d > feedbackLimit {
			t.Errorf("an editor that hangs: %v", d)
		}
		r.host.Feedback = false
		r.diagnosed = func(context.Context, string) (Diagnosed, error) { panic("asked") }
		if d, _ := took(); d != 0 {
			t.Errorf("switched off: %v", d)
		}
	})
}

// TestAnErrorIsToldOnce: of two edits side by side that both see it, one tells it; one that has gone and comes again is new again.
func TestAnErrorIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newLangRig(t, map[string]string{"a.txt": "a\n"})
		list := []newFault{{fault{path: r.path("a.txt"), message: "m"}, 1}}
		w := &watched{s: r.s, path: r.path("a.txt")}
		if got := w.tell(list); got != "\n\n1 new error:\na.txt:1: m" {
			t.Errorf("%q", got)
		}
		if got := w.tell(list); got != "" {
			t.Errorf("the second tells it too: %q", got)
		}
		r.diagnosed = func(context.Context, string) (Diagnosed, error) { return Diagnosed{nil, ServersSpoken}, nil }
		if got := r.s.watchErrors(t.Context(), r.path("a.txt")).tell(list); got == "" {
			t.Error("it has gone and come again, and nothing is told")
		}
		var many []newFault
		for i := range 50 {
			many = append(many, newFault{fault{path: r.path("a.txt"), message: fmt.Sprint("e", i)}, i + 1})
		}
		if got := w.tell(many); len(got) > 1000 || !strings.HasSuffix(got, "… and 30 more; the diagnostics tool lists them") {
			t.Errorf("%q", got)
		}
	})
}
