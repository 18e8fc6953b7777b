package policy

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/further.txt
var furtherFile string

// furtherWords are the commands of the corpus.
func furtherWords(t testing.TB) (out []string) {
	for text := range strings.Lines(furtherFile) {
		if text = strings.TrimSpace(text); text != "" && text[0] != '#' {
			out = append(out, text)
		}
	}
	if len(out) < 300 {
		t.Fatalf("the corpus has %d commands", len(out))
	}
	return out
}

// TestWhatStandsForAStarIsBareWordsAndPaths: flags that write, run or move what is read, files that are written, and what is outside
// ask, whichever program the rule is for.
func TestWhatStandsForAStarIsBareWordsAndPaths(t *testing.T) {
	rules := commandRules()
	e := New(rules, nil)
	for _, text := range furtherWords(t) {
		for _, argv := range [][]string{line(text), strings.Fields(text)} {
			if d := e.Decide(commandOf(argv)); d.Verdict != Ask {
				t.Errorf("%q: %s (%s)", argv, d.Verdict, d.Reason)
			}
		}
	}
	for _, text := range []string{ // and what people want such rules for
		"go test ./...", "go test -v -race -count=1 ./bridge/...", "go test -run TestX/sub ./x", "go test -test.v", "go test -short -timeout 5m one.txt two.txt", "go test -bench=Foo -benchmem",
		"go vet ./...", "go build ./cmd/x", "cargo test --release --all-features -- --nocapture name", "cargo build --no-default-features --lib", "pytest tests -v -k name", "pytest tests/test_a.py::test_b",
		"eslint sub --max-warnings=0 --quiet", "tsc --noEmit", "jest -t name --verbose", "ls -la sub", "ls", "cat one.txt two.txt", "head -n 5 one.txt", "head -5 one.txt", "wc -l one.txt two.txt",
		"grep -n TODO one.txt two.txt", "rg -n TODO sub", "rg TODO --max-count 3", "uniq one.txt", "uniq -k one.txt", "tree sub", "golangci-lint run ./...", "ruff check sub", "foo bar", "cd sub",
	} {
		if d := e.Decide(commandOf(line(text))); d.Verdict != Allow {
			t.Errorf("%q: %s (%s)", text, d.Verdict, d.Reason)
		}
	}
}

// TestWhatStandsForAStarWasLookedAt: each word is resolved by who asks, and a file that asks for what it is does so here.
func TestWhatStandsForAStarWasLookedAt(t *testing.T) {
	e := New([]Rule{{Tool: ToolShell, Command: "cat *", Decision: Allow}, {Tool: ToolRead, Path: "private/**", Decision: Deny}, {Tool: ToolEdit, Path: "infra/**", Decision: Ask}}, nil)
	e.Protect("/w/own")
	ok := func() Request { return commandOf([]string{"cat", "aa:bb", "two.txt"}) }
	if d := e.Decide(ok()); d.Verdict != Allow {
		t.Fatal(d)
	}
	for what, change := range map[string]func(*Request){
		"nobody looked":             func(q *Request) { q.Named = nil },
		"one word is missing":       func(q *Request) { q.Named = q.Named[:len(q.Named)-1] },
		"it leads outside":          func(q *Request) { q.Named[3].Path.Outside = true },
		"a part leads outside":      func(q *Request) { q.Named[1].Path.Outside = true },
		"it is really a secret":     func(q *Request) { q.Named[3].Path.Real = "/w/.env" },
		"it is one by a hard link":  func(q *Request) { q.Named[3].Path.SameAs = []string{"/w/id_rsa"} },
		"it is a control file":      func(q *Request) { q.Named[3].Path.SameAs = []string{"/w/.git/config"} },
		"its names are not known":   func(q *Request) { q.Named[3].Path.Nameless = true },
		"it is the bridge's own":    func(q *Request) { q.Named[3].Path.Real = "/w/own/x" },
		"a rule denies its reading": func(q *Request) { q.Named[3].Path.Rel, q.Named[3].Path.Real = "private/x", "/w/private/x" },
		"a rule asks about changes": func(q *Request) { q.Named[3].Path.Rel, q.Named[3].Path.Real = "infra/x", "/w/infra/x" },
	} {
		q := ok()
		change(&q)
		if d := e.Decide(q); d.Verdict != Ask {
			t.Errorf("%s: %s (%s)", what, d.Verdict, d.Reason)
		}
	}
}

// TestFlagNamesAreTakenApart into the words that people made them of.
func TestFlagNamesAreTakenApart(t *testing.T) {
	for name, want := range map[string]string{
		"max-warnings": "max warnings", "maxWarnings": "max warnings", "output.json.path": "output json path", "no_color": "no color", "tsBuildInfoFile": "ts build info file", "--": "", "JSON": "json",
		"a1": "a1", "p:X": "p x",
	} {
		if got := flagParts(name); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
