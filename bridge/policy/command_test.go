package policy

import (
	"path"
	"slices"
	"strings"
	"testing"
)

func line(text string) []string { return []string{"bash", "-c", text} }

// commandRules are rules of plain words as people write them, and broader ones.
func commandRules() (rules []Rule) {
	for _, c := range []string{
		"go test *", "go vet *", "go build *", "cargo test *", "cargo build *", "ls *", "cat *", "echo *", "pwd *", "pytest *", "tsc *", "./run.sh *", "grep *", "rg *", "eslint *",
		"cp *", "mv *", "rm *", "touch *", "tee *", "head *", "tail *", "sort *", "printf *", "test *", "rustc *", "gofmt *", "dotnet test *", "npm run lint", "git log", "make check",
		"tree *", "uniq *", "jest *", "mypy *", "pylint *", "prettier *", "cppcheck *", "wc *", "mapfile *", "ruff check *", "golangci-lint run *", "dotnet build *", "cd *", "cargo *", "go *",
		"npm *", "make *", "git *", "+x *", "foo *", "rubocop *", "black *",
	} {
		for _, tool := range []Tool{ToolShell, ToolAny} {
			if r := (Rule{Tool: tool, Command: c, Decision: Allow}); r.check() == nil {
				rules = append(rules, r)
			}
		}
	}
	return rules
}

// commandOf is a command in the folder /w with what its words name: one.txt, two.txt and the folder sub are there.
func commandOf(argv []string) Request {
	q := Request{Tool: ToolShell, Name: "bash", Cwd: "/w", CommandDir: "/w", Argv: argv}
	words, ok := PlainWords(argv)
	if !ok {
		return q
	}
	for _, w := range words[1:] {
		for i, part := range WordParts(w) {
			p := part
			if !path.IsAbs(p) {
				p = "/w/" + p
			}
			p = path.Clean(p)
			rel, inside := strings.CutPrefix(p, "/w/")
			folder := rel == "sub" || p == "/w"
			q.Named = append(q.Named, Named{Word: w, Part: i > 0, Path: Path{
				Given: p, Real: p, Rel: rel, Op: OpWrite, Outside: !inside && p != "/w", Exists: folder || rel == "one.txt" || rel == "two.txt", Folder: folder, Roots: []string{"/w"}}})
		}
	}
	return q
}

// TestKnownBypassesAskWithCommandRules: the corpus asks whatever plain words are allowed.
func TestKnownBypassesAskWithCommandRules(t *testing.T) {
	list := bypasses(t)
	rules := commandRules()
	if len(list) < 300 || len(rules) < 40 {
		t.Fatalf("%d commands, %d rules", len(list), len(rules))
	}
	e := New(rules, nil)
	for _, argv := range list {
		if d := e.Decide(commandOf(argv)); d.Verdict != Ask {
			t.Errorf("%q: %s (%s)", argv, d.Verdict, d.Reason)
		}
	}
}

// TestARuleOfPlainWords: what it covers, and what asks all the same.
func TestARuleOfPlainWords(t *testing.T) {
	for _, c := range []struct {
		rule string
		yes  []string
		no   []string
	}{
		{"go test *", []string{
			"go test", "go test ./...", "go test -race ./bridge/policy", "go test ./... -run TestX -count=1", "go test -v -timeout=5m ./a ./b", "go test /w/a", "go  test   ./...",
		}, []string{
			"go vet ./...", "go", "gotest ./...", "go test ./... && rm -rf x", "go test ./...; ls", "go test $(id)", "go test `id`", "go test $X", "go test > out", "go test 2>&1", "go test | cat",
			"A=b go test", "! go test", "go test &", "(go test)", "{ go test; }", "go test # x", "go test\nls", "go test *", "go test a?", "go test ~/x", "go test {a,b}", "go test 'a b'", `go test "a"`,
			"go test -exec ./evil ./...", "go test -exec=./evil", "go test -toolexec=x ./...", "go test -vettool x", "go test -o x ./...", "go test -c -o=.git/hooks/pre-commit", "go test -ldflags=-extld=x",
			"go test -ldflags -extld=x", "go test -overlay=x.json", "go test -modfile=x", "go test -coverprofile=a.go ./...", "go test -outputdir x", "go test ../other", "go test /etc", "go test -run=/etc/x",
			"go test .git/hooks", "go test .env", "go test bash", "go test python3 -c", "go test a=b", "time go test", "env go test", "./go test", "/usr/bin/go test", "GO test", "go test \u00a0x", "go t\\est", "if go test", "",
		}},
		{"npm test", []string{"npm test"}, []string{"npm test x", "npm", "npm run evil", "npm test; ls"}},
		{"git status *", nil, []string{"git status", "git status -s"}}, // git is told by files what to run
		{"cat *", []string{"cat a.txt", "cat sub/a.txt b.txt", "cat /w/a.txt"}, []string{"cat /etc/passwd", "cat ../x", "cat .env", "cat a/../../x", "cat .git/config", "cat C:/x", "cat /w/../etc/passwd"}},
		{"python *", nil, []string{"python -c x", "python a.py"}},
		{"bash *", nil, []string{"bash run.sh", "bash -c ls"}},
		{"env ls", nil, []string{"env ls"}},
	} {
		r := Rule{Tool: ToolShell, Command: c.rule, Decision: Allow}
		if (r.check() == nil) != (len(c.yes) > 0) {
			t.Errorf("%q: %v", c.rule, r.check())
		}
		e := New([]Rule{r}, nil)
		for want, list := range map[Verdict][]string{Allow: c.yes, Ask: c.no} {
			for _, text := range list {
				if d := e.Decide(commandOf(line(text))); d.Verdict != want {
					t.Errorf("with %q, %q: %s, want %s", c.rule, text, d.Verdict, want)
				}
				if argv := strings.Fields(text); want == Allow {
					if d := e.Decide(commandOf(argv)); d.Verdict != want {
						t.Errorf("with %q, %q: %s, want %s", c.rule, argv, d.Verdict, want)
					}
				}
			}
		}
	}
}

// TestARuleOfPlainWordsIsNarrow: beside the words all that makes it another command asks, and what always asks does.
func TestARuleOfPlainWordsIsNarrow(t *testing.T) {
	e := New([]Rule{{Tool: ToolAny, Command: "go test *", Decision: Allow}}, nil)
	ok := commandOf(line("go test ./..."))
	if d := e.Decide(ok); d.Verdict != Allow {
		t.Fatal(d)
	}
	for name, change := range map[string]func(*Request){
		"a variable":             func(q *Request) { q.Env = []EnvVar{{"GOFLAGS", "-exec=x"}} },
		"one that its shell has": func(q *Request) { q.Env, q.EnvLeft = []EnvVar{{"A", "b"}}, true },
		"a folder outside":       func(q *Request) { q.Where = []Path{outside(OpRead, "/x")} },
		"what is brought along":  func(q *Request) { q.Brought = true },
		"not understood":         func(q *Request) { q.Odd = "x" },
		"distrusted":             func(q *Request) { q.Untrusted = true },
		"an edit":                func(q *Request) { q.Tool, q.Paths = ToolEdit, []Path{at(OpWrite, "a")} },
		"another's tool":         func(q *Request) { q.Tool = ToolMCP },
		"no command":             func(q *Request) { q.Argv = nil },
		"a word with a blank":    func(q *Request) { q.Argv = []string{"go", "test", "a b"} },
		"an empty word":          func(q *Request) { q.Argv = []string{"go", "test", ""} },
		"another shell":          func(q *Request) { q.Argv[0] = "fish" },
		"read-only":              func(q *Request) { q.Level = LevelReadOnly },
		"plan mode":              func(q *Request) { q.Plan = true },
	} {
		q := ok
		q.Argv = slices.Clone(ok.Argv)
		change(&q)
		if d := e.Decide(q); d.Verdict == Allow {
			t.Errorf("%s is allowed: %s", name, d.Reason)
		}
	}
	if New([]Rule{{Tool: ToolShell, Command: "ls *", Decision: Allow}}, nil).AllowsAllCommands() {
		t.Error("a rule for some commands passes for one for all")
	}
}

// TestARuleOfPlainWordsThatDenies finds its command wherever it stands, at every level.
func TestARuleOfPlainWordsThatDenies(t *testing.T) {
	e := New([]Rule{{Tool: ToolShell, Command: "git push *", Decision: Deny}, {Tool: ToolShell, Command: "npm publish", Decision: Ask}}, nil)
	for text, want := range map[string]Verdict{
		"git push": Deny, "git push origin main": Deny, "cd x && git push": Deny, "ls | (git push --force)": Deny, "echo $(git push)": Deny, "git push 'a b' > x": Deny, "if true; then git push; fi": Deny,
		"git pull": Allow, "echo git push": Allow, "npm publish": Ask, "npm publish x": Allow, "git push ((": Deny,
	} {
		if d := e.Decide(Request{Tool: ToolShell, Cwd: "/w", CommandDir: "/w", Argv: line(text), Level: LevelAll}); d.Verdict != want {
			t.Errorf("%q: %s, want %s", text, d.Verdict, want)
		}
	}
	if d := e.Decide(Request{Tool: ToolMCP, Odd: "x", Maybe: [][]string{{"git", "push"}}}); d.Verdict != Deny {
		t.Errorf("what may be it: %+v", d)
	}
}

// TestACommandOfARuleIsPlainWords: a mistake is told when the rules are read, and no answer is kept with one.
func TestACommandOfARuleIsPlainWords(t *testing.T) {
	for _, c := range []struct{ rule, wrong string }{
		{`{"tool":"shell","command":"go test *","decision":"allow"}`, ""},
		{`{"tool":"run","command":"go test *","decision":"allow"}`, ""},
		{`{"tool":"*","command":"npm test","decision":"allow"}`, ""},
		{`{"tool":"shell","command":"git push *","decision":"deny"}`, ""},
		{`{"tool":"shell","command":"bash *","decision":"deny"}`, ""},
		{`{"tool":"edit","command":"go test","decision":"allow"}`, "shell"},
		{`{"tool":"shell","command":"go test","argv":["x"],"decision":"allow"}`, "without argv"},
		{`{"tool":"shell","command":"go test","path":"x","decision":"allow"}`, "without argv"},
		{`{"tool":"shell","command":"*","decision":"allow"}`, "the program"},
		{`{"tool":"shell","command":" ls","decision":"allow"}`, "one blank"},
		{`{"tool":"shell","command":"go * ./...","decision":"allow"}`, "stands alone at the end"},
		{`{"tool":"shell","command":"go te*","decision":"allow"}`, "stands alone at the end"},
		{`{"tool":"shell","command":"ls; rm *","decision":"allow"}`, "stands alone at the end"},
		{`{"tool":"shell","command":"echo $X","decision":"deny"}`, "stands alone at the end"},
		{`{"tool":"shell","command":"A=b ls","decision":"allow"}`, "A=b"},
		{`{"tool":"shell","command":"python3 *","decision":"allow"}`, "code"},
		{`{"tool":"shell","command":"/bin/sh run.sh","decision":"allow"}`, "code"},
		{`{"tool":"shell","command":"git *","decision":"allow"}`, "write the command out"},
		{`{"tool":"shell","command":"npm run *","decision":"allow"}`, "write the command out"},
		{`{"tool":"shell","command":"go run *","decision":"allow"}`, "write the command out"},
		{`{"tool":"shell","command":"go *","decision":"allow"}`, `write one out, such as "go test *"`},
		{`{"tool":"*","command":"cargo *","decision":"allow"}`, `write one out, such as "cargo test *"`},
		{`{"tool":"shell","command":"cargo +nightly *","decision":"allow"}`, "write one out"},
		{`{"tool":"shell","command":"/usr/bin/dotnet *","decision":"allow"}`, "write one out"},
		{`{"tool":"shell","command":"go -C sub *","decision":"allow"}`, "write one out"},
		{`{"tool":"shell","command":"golangci-lint *","decision":"allow"}`, "write one out"},
		{`{"tool":"shell","command":"cargo +nightly run *","decision":"allow"}`, "write the command out"},
		{`{"tool":"shell","command":"cargo +nightly test *","decision":"allow"}`, ""},
		{`{"tool":"shell","command":"go *","decision":"deny"}`, ""},
		{`{"tool":"shell","command":"go version","decision":"allow"}`, ""},
	} {
		_, err := ParseRules([]byte("[" + c.rule + "]"))
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %v", c.rule, err)
		}
	}
	if (Rule{Tool: ToolShell, Command: "ls *", Dir: "/w", Argv: nil, Decision: Allow}).checkRemembered() == nil {
		t.Error("an answer that was given for good has a pattern")
	}
}

// FuzzCommandRule: whatever is allowed is plain words, begins with the rule's, and runs no code that it brings.
func FuzzCommandRule(f *testing.F) {
	for _, argv := range bypasses(f) {
		f.Add(strings.Join(argv, "\x00"))
	}
	for _, argv := range harmless {
		f.Add(strings.Join(argv, "\x00"))
	}
	for _, text := range furtherWords(f) {
		f.Add("bash\x00-c\x00" + text)
	}
	f.Add("bash\x00-c\x00go test ./... -run TestX -count=1")
	rules := commandRules()
	f.Fuzz(func(t *testing.T, words string) {
		q := commandOf(strings.Split(words, "\x00"))
		d := New(rules, nil).Decide(q)
		for _, r := range rules { // the other kinds of rule take any line
			r.Decision = Deny
			r.beginsAny(q.Argv)
		}
		if d.Verdict != Allow {
			return
		}
		text := LineOf(q.Argv)
		if text == "" {
			text = strings.Join(q.Argv, " ")
		}
		if strings.ContainsAny(text, "\n\r\t;|&<>()$`\\\"'*?[]{}~!#^%") || strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 || r < ' ' }) {
			t.Fatalf("%q is allowed", q.Argv)
		}
		got := strings.Fields(text)
		if takesCode(got[0]) || slices.ContainsFunc(got, interprets) || strings.Contains(got[0], "=") {
			t.Fatalf("%q is allowed", q.Argv)
		}
		own := strings.Fields(strings.TrimSuffix(d.Rule.Command, " *"))
		if len(got) < len(own) || !slices.Equal(got[:len(own)], own) {
			t.Fatalf("%q is allowed by %q", q.Argv, d.Rule.Command)
		}
		files := 0
		for _, w := range got[len(own):] {
			name, value, has := strings.Cut(w, "=")
			switch clean := path.Clean(w); {
			case slices.Contains(strings.FieldsFunc(w, func(r rune) bool { return r == '/' || r == '=' || r == ':' }), ".."), path.IsAbs(w) && clean != "/w" && !strings.HasPrefix(clean, "/w/"):
				t.Fatalf("%q leads out", q.Argv)
			case strings.ContainsRune("+@", rune(w[0])), has && (w[0] != '-' || strings.ContainsAny(value, "./:=") || value == "sub"):
				t.Fatalf("%q is allowed", q.Argv)
			case w[0] == '-' && (len(name) > 2 && name[1] != '-' && strings.ContainsAny(name[1:2], "opcefrwx") && !slices.Contains(harmlessFlags, strings.TrimPrefix(name[1:], "test.")) && name != "-run"):
				t.Fatalf("%q is allowed", q.Argv)
			}
			if w == "one.txt" || w == "two.txt" {
				files++
			}
		}
		if files > 1 && !readsAll(got[0]) {
			t.Fatalf("%q may write a file", q.Argv)
		}
	})
}
