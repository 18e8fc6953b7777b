package policy

import (
	"strings"
	"testing"
)

func at(op Op, name string) Path {
	return Path{Given: "/w/" + name, Real: "/w/" + name, Rel: name, Op: op, Exists: true, Roots: []string{"/w"}}
}

func outside(op Op, name string) Path {
	return Path{Given: name, Real: name, Rel: "../" + strings.TrimPrefix(name, "/"), Op: op, Outside: true, Exists: true, Roots: []string{"/w"}}
}

func TestDecide(t *testing.T) {
	allow := func(tool Tool) Rule { return Rule{Tool: tool, Decision: Allow} }
	every := Rule{Tool: ToolShell, Argv: AllCommands, Decision: Allow}
	ls := []string{"ls", "-la"}
	tests := []struct {
		name  string
		rules []Rule
		q     Request
		want  Verdict
	}{
		{"a read inside needs no rule", nil, Request{Tool: ToolRead, Paths: []Path{at(OpRead, "a")}}, Allow},
		{"a read outside asks", []Rule{allow(ToolAny), {Tool: ToolRead, Path: "/**", Decision: Allow}}, Request{Tool: ToolRead, Paths: []Path{outside(OpRead, "/etc/passwd")}}, Ask},
		{"one of two outside asks", []Rule{allow(ToolAny)}, Request{Tool: ToolRead, Paths: []Path{at(OpRead, "a"), outside(OpRead, "/x")}}, Ask},
		{"a read of nothing known asks", []Rule{allow(ToolAny)}, Request{Tool: ToolRead}, Ask},
		{"an edit asks", nil, Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, "a")}}, Ask},
		{"an edit of nothing known asks", []Rule{allow(ToolAny)}, Request{Tool: ToolEdit}, Ask},
		{"an edit with a rule", []Rule{allow(ToolEdit)}, Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, "a")}}, Allow},
		{"a rule for other paths", []Rule{{Tool: ToolEdit, Path: "src/**", Decision: Allow}}, Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, "a")}}, Ask},
		{"a rule that covers one path of two", []Rule{{Tool: ToolEdit, Path: "src/**", Decision: Allow}}, Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, "src/a"), at(OpWrite, "b")}}, Ask},
		{"a denial that covers one path of two", []Rule{{Tool: ToolEdit, Path: "src/**", Decision: Deny}, allow(ToolAny)}, Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, "src/a"), at(OpWrite, "b")}}, Deny},
		{"a link does not lead out of a rule", []Rule{{Tool: ToolEdit, Path: "src/**", Decision: Allow}}, Request{Tool: ToolEdit, Paths: []Path{{Given: "/w/src/l", Real: "/w/lib/x", Rel: "lib/x", Op: OpWrite}}}, Ask},
		{"a link does not lead around a denial", []Rule{{Tool: ToolEdit, Path: "src/**", Decision: Deny}, allow(ToolAny)}, Request{Tool: ToolEdit, Cwd: "/w", Paths: []Path{{Given: "/w/src/l", Real: "/w/lib/x", Rel: "lib/x", Op: OpWrite}}}, Deny},
		{"a denial knows no case", []Rule{{Tool: ToolAny, Path: "secret/**", Decision: Deny}, allow(ToolAny)}, Request{Tool: ToolEdit, Cwd: "/w", Paths: []Path{at(OpWrite, "SECRET/x")}}, Deny},
		{"an allow rule does", []Rule{{Tool: ToolEdit, Path: "src/**", Decision: Allow}}, Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, "SRC/x")}}, Ask},
		{"the first rule decides", []Rule{{Tool: ToolEdit, Path: "a", Decision: Ask}, allow(ToolEdit)}, Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, "a")}}, Ask},
		{"a control file may be denied", []Rule{{Tool: ToolEdit, Decision: Deny}}, Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, ".git/config")}}, Deny},
		{"a rule of the home folder", []Rule{{Tool: ToolEdit, Path: "~/w/**", Decision: Allow}}, Request{Tool: ToolEdit, Home: "/", Paths: []Path{at(OpWrite, "a")}}, Ask},
		{"a rule of the home folder that fits", []Rule{{Tool: ToolEdit, Path: "~/x/**", Decision: Allow}}, Request{Tool: ToolEdit, Home: "/w", Paths: []Path{at(OpWrite, "x/a")}}, Allow},

		{"a command asks", nil, Request{Tool: ToolShell, Argv: ls}, Ask},
		{"rules without argv cover no command", []Rule{allow(ToolAny), allow(ToolShell)}, Request{Tool: ToolShell, Argv: ls}, Ask},
		{"they deny all the same", []Rule{{Tool: ToolAny, Decision: Deny}}, Request{Tool: ToolShell, Argv: ls}, Deny},
		{"the exact argv", []Rule{{Tool: ToolShell, Argv: ls, Decision: Allow}}, Request{Tool: ToolShell, Argv: ls}, Allow},
		{"a prefix is not the argv", []Rule{{Tool: ToolShell, Argv: []string{"ls"}, Decision: Allow}}, Request{Tool: ToolShell, Argv: ls}, Ask},
		{"the environment is part of it", []Rule{{Tool: ToolShell, Argv: ls, Decision: Allow}}, Request{Tool: ToolShell, Argv: ls, Env: []EnvVar{{"PATH", "."}}}, Ask},
		{"but not of a denial", []Rule{{Tool: ToolShell, Argv: ls, Decision: Deny}, every}, Request{Tool: ToolShell, Argv: ls, Env: []EnvVar{{"A", "b"}}}, Deny},
		{"all commands", []Rule{every}, Request{Tool: ToolShell, Argv: ls, Env: []EnvVar{{"A", "b"}}}, Allow},
		{"all commands, but not outside", []Rule{every}, Request{Tool: ToolShell, Argv: ls, Paths: []Path{outside(OpRead, "/x")}}, Ask},
		{"all commands, but not one that is not shown", []Rule{every}, Request{Tool: ToolShell}, Ask},
		{"a rule of commands is none of edits", []Rule{{Tool: ToolAny, Argv: AllCommands, Decision: Allow}}, Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, "a")}}, Ask},

		{"another's tool asks", nil, Request{Tool: ToolMCP, Name: "x"}, Ask},
		{"another's tool with a rule", []Rule{allow(ToolMCP)}, Request{Tool: ToolMCP, Name: "x"}, Allow},
		{"another's tool at a control file", []Rule{allow(ToolAny)}, Request{Tool: ToolMCP, Name: "x", Paths: []Path{at(OpWrite, ".envrc")}}, Ask},

		{"plan mode edits nothing", []Rule{allow(ToolAny)}, Request{Tool: ToolEdit, Plan: true, AllowAll: true, Paths: []Path{at(OpWrite, "a")}}, Deny},
		{"plan mode runs nothing", []Rule{every}, Request{Tool: ToolShell, Plan: true, Argv: ls}, Deny},
		{"plan mode reads", nil, Request{Tool: ToolRead, Plan: true, Paths: []Path{at(OpRead, "a")}}, Allow},
		{"plan mode asks about another's tool, also the one that leaves it", []Rule{allow(ToolAny)}, Request{Tool: ToolMCP, Plan: true, AllowAll: true, Name: "exit_plan_mode"}, Ask},

		{"allow_all allows an edit", nil, Request{Tool: ToolEdit, AllowAll: true, Paths: []Path{at(OpWrite, "a")}}, Allow},
		{"allow_all allows a command", nil, Request{Tool: ToolShell, AllowAll: true, Argv: ls}, Allow},
		{"allow_all does not change the environment", nil, Request{Tool: ToolShell, AllowAll: true, Argv: ls, Env: []EnvVar{{"LD_PRELOAD", "x"}}}, Ask},
		{"allow_all and a control file", nil, Request{Tool: ToolEdit, AllowAll: true, Paths: []Path{at(OpWrite, ".git/config")}}, Ask},
		{"allow_all and a secret", nil, Request{Tool: ToolRead, AllowAll: true, Paths: []Path{at(OpRead, ".env")}}, Ask},
		{"allow_all and the outside", nil, Request{Tool: ToolEdit, AllowAll: true, Paths: []Path{outside(OpWrite, "/x")}}, Ask},
		{"allow_all and a rule that asks", []Rule{{Tool: ToolEdit, Decision: Ask}}, Request{Tool: ToolEdit, AllowAll: true, Paths: []Path{at(OpWrite, "a")}}, Ask},

		{"a path that has no name", []Rule{allow(ToolAny)}, Request{Tool: ToolEdit, Paths: []Path{{Op: OpWrite}}}, Deny},
		{"an unknown tool", []Rule{allow(ToolAny)}, Request{Tool: "x", Paths: []Path{at(OpWrite, "a")}}, Deny},
		{"an unknown operation", []Rule{allow(ToolAny)}, Request{Tool: ToolEdit, Paths: []Path{at("", "a")}}, Deny},
		{"nothing at all", []Rule{allow(ToolAny)}, Request{}, Deny},
	}
	for _, tt := range tests {
		d := New(tt.rules, nil).Decide(tt.q)
		if d.Verdict != tt.want || d.Reason == "" {
			t.Errorf("%s: %+v, want %s", tt.name, d, tt.want)
		}
		if d.Remember && d.Verdict != Ask {
			t.Errorf("%s: offers to remember without asking", tt.name)
		}
	}
}

func TestAPanicIsANo(t *testing.T) {
	var e *Engine // whatever goes wrong inside
	if d := e.Decide(edit("/w/a")); d.Verdict != Deny || !strings.Contains(d.Reason, "bug") {
		t.Errorf("%+v", d)
	}
}

func TestRememberedEditIsForThatFileOnly(t *testing.T) {
	memory, _ := OpenMemory("")
	e := New(nil, memory)
	name := "/w/a[1]*?.txt"
	d := e.Decide(edit(name))
	if !d.Remember {
		t.Fatalf("%+v", d)
	}
	if err := e.Remember(d.RememberAs, "Edit a"); err != nil {
		t.Fatal(err)
	}
	for other, want := range map[string]Verdict{name: Allow, "/w/a1x.txt": Ask, "/w/a[1]xx.txt": Ask, "/w/A[1]*?.txt": Ask} {
		if d := e.Decide(edit(other)); d.Verdict != want {
			t.Errorf("%s: %+v", other, d)
		}
	}
}

// TestAnAlwaysForChangesDoesNotCoverTheEndOfAFile: deleting or moving it is more than any change of its text.
func TestAnAlwaysForChangesDoesNotCoverTheEndOfAFile(t *testing.T) {
	memory, _ := OpenMemory("")
	e := New(nil, memory)
	if err := e.Remember(e.Decide(edit("/w/a.txt")).RememberAs, "Edit a"); err != nil {
		t.Fatal(err)
	}
	for op, want := range map[Op]Verdict{OpWrite: Allow, OpCreate: Allow, OpDelete: Ask, OpRename: Ask} {
		r := edit("/w/a.txt")
		r.Paths[0].Op = op
		if d := e.Decide(r); d.Verdict != want || d.Remember {
			t.Errorf("%s: %+v", op, d)
		}
	}
}

func TestACommandIsKeptWithTheContentItRuns(t *testing.T) {
	memory, _ := OpenMemory("")
	e := New(nil, memory)
	q := Request{Tool: ToolShell, Name: "bash", Cwd: "/w", CommandDir: "/w", Argv: []string{"./run.sh"}, Content: "sha256:1"}
	if err := e.Remember(e.Decide(q).RememberAs, "Run ./run.sh"); err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]Verdict{"sha256:1": Allow, "sha256:2": Ask, "": Ask} {
		q.Content = content
		if d := e.Decide(q); d.Verdict != want {
			t.Errorf("content %q: %+v", content, d)
		}
	}
}
