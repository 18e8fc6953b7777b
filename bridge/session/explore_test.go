package session

import (
	"slices"
	"strings"
	"testing"
)

// deepest is how many inputs a path of the explorer has at most.
const deepest = 11

// explorer walks through every order in which a user's inputs and the agent's answers to them can meet.
type explorer struct {
	t      *testing.T
	person []string
	paths  int
}

// TestEveryOrderOfPromptsCancelsAndAnswersEndsWell enumerates the interleavings. A failed one is printed as the words of
// its path, which a case of TestAStepAnswersWithWhatHasToBeDone can repeat.
func TestEveryOrderOfPromptsCancelsAndAnswersEndsWell(t *testing.T) {
	for _, person := range [][]string{
		{"prompt a", "cancel a"},
		{"prompt a", "cancel", "cancel"},
		{"prompt a", "prompt b", "cancel"},
		{"prompt a", "prompt b", "cancel b"},
		{"prompt a", "prompt b", "cancel a"},
		{"prompt a", "close"},
		{"prompt a", "prompt b", "close"},
		{"prompt a", "cancel a", "close"},
		{"prompt a", "close", "prompt b"},
		{"prompt a", "asking", "cancel a", "asked"},
	} {
		t.Run(strings.Join(person, ", "), func(t *testing.T) {
			x := &explorer{t: t, person: person}
			x.walk(nil)
			if x.paths < 2 {
				t.Fatalf("%d paths: nothing was explored", x.paths)
			}
		})
	}
}

// walk replays a path and goes on from its end in every way.
func (x *explorer) walk(path []string) {
	enabled, out := x.replay(path)
	if len(enabled) == 0 || len(path) >= deepest {
		x.paths++
		x.check(path, out)
		return
	}
	for _, in := range enabled {
		x.walk(append(path[:len(path):len(path)], in))
	}
}

// replay plays a path from the start. enabled are the inputs that may come next: the user's next one, what the agent
// does in a turn it was given, and the end of a comparison.
func (x *explorer) replay(path []string) (enabled, out []string) {
	l := newLane()
	person := x.person
	var agent []string   // what the agent is going to send, for the turn it has
	var settles []string // comparisons under way
	for _, in := range path {
		switch {
		case len(person) > 0 && in == person[0]:
			person = person[1:]
		case len(agent) > 0 && in == agent[0]:
			agent = agent[1:]
		default:
			settles = slices.DeleteFunc(settles, func(s string) bool { return s == in })
		}
		for _, e := range l.step(in) {
			out = append(out, e)
			what, name, _ := strings.Cut(strings.TrimPrefix(e, "→ "), " ")
			switch {
			case what == "start":
				agent = []string{"call c" + name, "say x", "ended " + name}
			case what == "cancel" && len(agent) > 0: // the agent heeds it, and leaves its call open
				agent = []string{"ended " + name + " cancelled"}
			case what == "kill" && len(agent) > 0:
				agent = []string{"failed a"}
			case what == "settle":
				settles = append(settles, "settled "+name)
			}
		}
	}
	if len(person) > 0 {
		enabled = append(enabled, person[0])
	}
	if len(agent) > 0 {
		enabled = append(enabled, agent[0])
	}
	return append(enabled, settles...), out
}

// check holds the output of a whole path against the rules.
func (x *explorer) check(path, out []string) {
	fail := func(format string, args ...any) {
		x.t.Helper()
		x.t.Fatalf(format+"\npath: %s\nout:\n\t%s", append(args, strings.Join(path, ", "), strings.Join(out, "\n\t"))...)
	}
	running, status := "", ""
	ended, calls := map[string]string{}, map[string]int{}
	for _, e := range out {
		w := strings.Fields(e)
		switch w[0] {
		case "started":
			if running != "" {
				fail("%s starts while %s runs", w[1], running)
			}
			running = w[1]
		case "refused":
			ended[w[1]] = w[0]
		case "ended":
			if ended[w[1]] != "" {
				fail("%s ends twice", w[1])
			}
			if ended[w[1]] = w[2]; running == w[1] {
				running = ""
			}
		case "tool_call":
			calls[w[1]] = 1
		case "tool_call_update":
			if calls[w[1]]--; calls[w[1]] != 0 {
				fail("%s is closed twice", w[1])
			}
		case "status":
			status = w[1]
		}
	}
	for _, in := range path {
		if name, ok := strings.CutPrefix(in, "prompt "); ok && ended[name] == "" {
			fail("%s has no end", name)
		}
	}
	for call, n := range calls {
		if n != 0 {
			fail("the call %s stays open", call)
		}
	}
	if at := slices.IndexFunc(path, func(s string) bool { return strings.HasPrefix(s, "cancel") && s != "cancel b" }); at >= 0 {
		if end := slices.Index(path, "ended a"); (end < 0 || end > at) && ended["a"] != "cancelled" {
			fail("a was cancelled and ended as %s", ended["a"])
		}
	}
	if running != "" || status != "ok" && !slices.Contains(path, "close") {
		fail("in the end %q runs and the status is %s", running, status)
	}
}
