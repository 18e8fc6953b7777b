package policy

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

func FuzzDecide(f *testing.F) {
	for _, argv := range bypasses(f)[:40] {
		f.Add("shell", strings.Join(argv, "\x00"), ".git/config", "write", "", false)
	}
	for _, name := range controlPaths {
		f.Add("edit", "", name, "delete", "", true)
	}
	rules := []Rule{{Tool: ToolAny, Decision: Allow}, {Tool: ToolEdit, Path: "**", Decision: Allow}, {Tool: ToolShell, Argv: []string{"go", "vet"}, Decision: Allow}}
	memory, _ := OpenMemory("")
	memory.Add(Rule{Tool: ToolShell, Argv: []string{"ls", "-la"}, Dir: "/w", Decision: Allow}, "")
	e := New(rules, memory)
	f.Fuzz(func(t *testing.T, tool, words, name, op, env string, plan bool) {
		q := Request{Tool: Tool(tool), Cwd: "/w", CommandDir: "/w", Plan: plan}
		if words != "" {
			q.Argv = strings.Split(words, "\x00")
		}
		if env != "" {
			q.Env = []EnvVar{{env, env}}
		}
		if name != "" {
			q.Paths = []Path{{Given: "/w/" + name, Real: "/w/" + name, Rel: name, Op: Op(op), Roots: []string{"/w"}}}
		}
		d := e.Decide(q)
		if strings.Contains(d.Reason, "bug") && !strings.Contains(words+name+tool+op, "bug") {
			t.Fatalf("panicked: %s", d.Reason)
		}
		if d.Reason == "" || d.Remember && d.Verdict != Ask {
			t.Fatalf("%+v", d)
		}
		if d.Verdict == Allow {
			allowed(t, q, d)
		}
		if d.Remember && d.RememberAs.checkRemembered() != nil {
			t.Fatalf("offers what cannot be remembered: %+v", d.RememberAs)
		}
	})
}

// allowed fails if a request was allowed that no rule may allow.
func allowed(t *testing.T, q Request, d Decision) {
	if q.Tool == ToolShell {
		granted := slices.Equal(q.Argv, []string{"ls", "-la"}) || slices.Equal(q.Argv, []string{"go", "vet"})
		if !granted || len(q.Env) > 0 {
			t.Fatalf("%q is allowed: %+v", q.Argv, d)
		}
	}
	for _, p := range q.Paths {
		_, control := Control(p)
		_, secret := Secret(p)
		if control && p.Op != OpRead || secret {
			t.Fatalf("%s of %q is allowed: %+v", p.Op, p.Given, d)
		}
	}
	if q.Plan && (q.Tool == ToolEdit || q.Tool == ToolShell) {
		t.Fatalf("%+v is allowed in plan mode", q)
	}
}

func FuzzFold(f *testing.F) {
	for _, name := range controlPaths {
		for _, spelt := range spellings(name) {
			f.Add(spelt)
		}
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !utf8.ValidString(name) {
			return // such a path is refused before it gets here
		}
		alike(t, name)
	})
}

// The offer of "always" is for commands that do nothing but what their words say.
func FuzzPlainCommand(f *testing.F) {
	for _, argv := range bypasses(f) {
		f.Add(strings.Join(argv, "\x00"))
	}
	for _, argv := range harmless {
		f.Add(strings.Join(argv, "\x00"))
	}
	f.Fuzz(func(t *testing.T, words string) {
		argv := strings.Split(words, "\x00")
		if !plainCommand(argv) {
			return
		}
		for _, w := range argv {
			if strings.ContainsAny(w, "\n\r\t;|&<>()$`\\\"'*?[]{}~=!#^%") || strings.ContainsFunc(w, func(r rune) bool { return r >= 0x80 || r < ' ' }) {
				t.Fatalf("%q is offered", argv)
			}
		}
		q := Request{Tool: ToolShell, Argv: argv, CommandDir: "/w"}
		r, ok := rememberable(q)
		if !ok || !r.matches(q, true) || !slices.Equal(r.Argv, argv) {
			t.Fatalf("%q is kept as %+v", argv, r)
		}
		q.Argv = append(slices.Clone(argv), "x")
		if r.matches(q, true) {
			t.Fatalf("%q covers %q", r.Argv, q.Argv)
		}
	})
}

func FuzzParseRules(f *testing.F) {
	f.Add([]byte(`[{"tool":"edit","path":"src/**","decision":"allow"},{"tool":"shell","argv":["*"],"decision":"ask"}]`))
	f.Add([]byte(`[{"tool":"edit","tool":"read","decision":"allow"}]`))
	f.Add([]byte(`[{"tool":"read","path":"[a","decision":"deny"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rules, err := ParseRules(data)
		if err != nil {
			return
		}
		for _, r := range rules {
			if r.check() != nil {
				t.Fatalf("%s got through", r)
			}
			var back Rule
			if err := json.Unmarshal([]byte(r.String()), &back); err != nil || back.Tool != r.Tool || back.Path != r.Path {
				t.Fatalf("%s does not read back: %v", r, err)
			}
		}
		New(rules, nil).Decide(edit("/w/a"))
	})
}

func FuzzGlob(f *testing.F) {
	f.Add("src/**/*.go", "src/a/b.go")
	f.Add("**/**/a", "a/a/a")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern)+len(name) > 1000 {
			return
		}
		Glob(pattern, name)
		if !Glob(globQuote(name), name) {
			t.Fatalf("%q does not match itself as %q", name, globQuote(name))
		}
	})
}

func FuzzRemembered(f *testing.F) {
	f.Add([]byte(`[{"id":"p1","rule":{"tool":"edit","path":"/w/a","decision":"allow"},"what":"","when":"2026-01-01T00:00:00Z"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := parseRemembered(data)
		if err != nil {
			return
		}
		for _, x := range all {
			if x.Rule.checkRemembered() != nil || x.ID == "" {
				t.Fatalf("%+v got through", x)
			}
		}
	})
}
