package policy

import (
	_ "embed"
	"encoding/json"
	"strings"
	"testing"
)

//go:embed testdata/bypasses.txt
var bypassFile string

// bypasses are the argvs of the corpus. A line for the shell is what the bash tool makes of it.
func bypasses(t testing.TB) (out [][]string) {
	for line := range strings.Lines(bypassFile) {
		var argv []string
		var text string
		switch {
		case strings.TrimSpace(line) == "", line[0] == '#':
			continue
		case line[0] == '[':
			if err := json.Unmarshal([]byte(line), &argv); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		default:
			if err := json.Unmarshal([]byte(line), &text); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			argv = []string{"bash", "-c", text}
		}
		out = append(out, argv)
	}
	return out
}

// harmless are commands that the user may well allow for good, and that the bypasses imitate.
var harmless = [][]string{
	{"ls"}, {"ls", "-la"}, {"bash", "-c", "ls -la"}, {"go", "test", "./..."}, {"bash", "-c", "go test ./..."}, {"go", "vet", "./..."},
	{"go", "build", "./cmd/x"}, {"cargo", "test"}, {"cat", "a.txt"}, {"./run.sh"}, {"bash", "-c", "./run.sh fast"}, {"pytest", "tests"},
	{"tsc", "--noEmit"}, {"bash", "-c", "echo start"}, {"sh", "-c", "pwd"},
}

func TestKnownBypassesAskAndAreNeverOfferedForGood(t *testing.T) {
	list := bypasses(t)
	if len(list) < 150 {
		t.Fatalf("the corpus has %d commands", len(list))
	}
	rules := []Rule{{Tool: ToolAny, Decision: Allow}, {Tool: ToolShell, Decision: Allow}, {Tool: ToolShell, Path: "**", Decision: Allow}}
	memory, _ := OpenMemory("")
	for _, argv := range harmless {
		rules = append(rules, Rule{Tool: ToolShell, Argv: argv, Decision: Allow})
		if _, err := memory.Add(Rule{Tool: ToolShell, Argv: argv, Dir: "/w", Decision: Allow}, ""); err != nil {
			t.Fatal(err)
		}
	}
	e := New(rules, memory)
	for _, argv := range list {
		d := e.Decide(Request{Tool: ToolShell, Name: "bash", Cwd: "/w", CommandDir: "/w", Argv: argv})
		if d.Verdict != Ask || d.Remember {
			t.Errorf("%q: %s, always offered: %v (%s)", argv, d.Verdict, d.Remember, d.Reason)
		}
	}
}

func TestHarmlessCommandsCanBeAllowedForGood(t *testing.T) {
	for _, argv := range harmless {
		memory, _ := OpenMemory("")
		e := New(nil, memory)
		q := Request{Tool: ToolShell, Name: "bash", Cwd: "/w", CommandDir: "/w", Argv: argv}
		d := e.Decide(q)
		if d.Verdict != Ask || !d.Remember {
			t.Errorf("%q: %+v", argv, d)
			continue
		}
		if err := e.Remember(d.RememberAs, "x"); err != nil {
			t.Fatal(err)
		}
		if d := e.Decide(q); d.Verdict != Allow {
			t.Errorf("%q asks again: %+v", argv, d)
		}
		for what, other := range map[string]func(*Request){
			"one word more":     func(q *Request) { q.Argv = append(q.Argv[:len(q.Argv):len(q.Argv)], "x") },
			"another folder":    func(q *Request) { q.CommandDir = "/w/sub" },
			"other content":     func(q *Request) { q.Content = "sha256:1" },
			"more environment":  func(q *Request) { q.Env = []EnvVar{{"A", "b"}} },
			"a folder outside":  func(q *Request) { q.Paths = []Path{{Given: "/x", Real: "/x", Op: OpRead, Outside: true}} },
			"a cut first word":  func(q *Request) { q.Argv = append([]string{q.Argv[0] + "x"}, q.Argv[1:]...) },
			"a line of a shell": func(q *Request) { q.Argv = []string{"bash", "-c", strings.Join(q.Argv, " ") + " "} },
		} {
			q := q
			other(&q)
			if d := e.Decide(q); d.Verdict != Ask {
				t.Errorf("%q allowed for good, then %s: %+v", argv, what, d)
			}
		}
	}
}
