package permission

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/links"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// bareFiles are what git takes a folder for a repository by, with a program in its configuration.
var bareFiles = []string{"docs/config", "docs/objects/README", "docs/refs/README", "docs/HEAD"}

// denyAll is a rule that comes later than a decision.
var denyAll = []policy.Rule{{Tool: policy.ToolAny, Decision: policy.Deny}}

// permitted has a gate decide about a change of a.txt; answer is the user's where they are asked.
func permitted(t *testing.T, g *Gate, answer acp.PermissionOptionID) Grant {
	t.Helper()
	g.AskUser = func(context.Context, *Question) (Answer, bool, error) { return Answer{OptionID: answer}, false, nil }
	target := here(t, g, "a.txt")
	old := "one\n"
	c := ChangeGrant(target, 0, &old, "two\n")
	if _, err := g.PermitWrite(t.Context(), "edit", target, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestWhatWasAllowedIsDecidedAgainWhenItIsDone: what a level or a rule allowed holds as long as they do, a user's yes until there is a no.
func TestWhatWasAllowedIsDecidedAgainWhenItIsDone(t *testing.T) {
	const asks, refused = "asks", "refused"
	link := func(g *Gate, to, name string) {
		if err := links.Make(t, filepath.Join(g.Cwd, to), filepath.Join(g.Cwd, name)); err != nil {
			t.Fatal(err)
		}
	}
	allow := []policy.Rule{{Tool: policy.ToolEdit, Path: "**", Decision: policy.Allow}}
	for name, c := range map[string]struct {
		level policy.Level
		rules []policy.Rule
		then  func(*Gate)
		level2,
		yes string // what becomes of what the level or the rule allowed, and of what the user did; "" if it is done
	}{
		"nothing happens":          {policy.LevelEdits, nil, func(*Gate) {}, "", ""},
		"the level is narrowed":    {policy.LevelAll, nil, func(g *Gate) { g.SetLevel(policy.LevelEdits) }, "", ""},
		"and narrowed again":       {policy.LevelEdits, nil, func(g *Gate) { g.SetLevel(policy.LevelAsk) }, asks, ""},
		"to read-only":             {policy.LevelEdits, nil, func(g *Gate) { g.SetLevel(policy.LevelReadOnly) }, refused, refused},
		"plan mode":                {policy.LevelAll, nil, func(g *Gate) { g.plan = true }, refused, refused},
		"a rule that denies":       {policy.LevelEdits, nil, func(g *Gate) { g.all.Rules.SetRules(denyAll) }, refused, refused},
		"a rule that is gone":      {policy.LevelAsk, allow, func(g *Gate) { g.all.Rules.SetRules(nil) }, asks, ""},
		"a version is distrusted":  {policy.LevelAll, nil, func(g *Gate) { g.Untrusted = func() bool { return true } }, asks, ""},
		"a link makes it a hook":   {policy.LevelEdits, nil, func(g *Gate) { link(g, "a.txt", ".envrc") }, asks, asks},
		"its name leads elsewhere": {policy.LevelEdits, nil, func(g *Gate) { _ = os.Remove(filepath.Join(g.Cwd, "a.txt")); link(g, "b.txt", "a.txt") }, refused, refused},
	} {
		for _, byUser := range []bool{false, true} {
			g := linkedGate(t, map[string]string{"w/a.txt": "one\n", "w/b.txt": "one\n"}, nil)
			if !byUser {
				g.SetLevel(c.level)
				g.all.Rules.SetRules(c.rules)
			}
			grant := permitted(t, g, OptOnce)
			if (grant.yes != nil) != byUser {
				t.Fatalf("%s: a yes of the user's: %v", name, grant.yes != nil)
			}
			c.then(g)
			got, want := "", map[bool]string{false: c.level2, true: c.yes}[byUser]
			switch err := g.Still(grant); {
			case errors.As(err, new(*Refusal)):
				got = refused
			case errors.Is(err, ErrShownOtherwise):
				got = asks
			case err != nil:
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%s, by the user %v: %q, want %q", name, byUser, got, want)
			}
		}
	}
}

// TestWhatALevelRefusesLateIsSaidInItsWords to the model and to the user.
func TestWhatALevelRefusesLateIsSaidInItsWords(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/a.txt": "one\n"}, nil)
	c := permitted(t, g, OptOnce)
	for what, set := range map[*Refusal]func(){errReadOnly: func() { g.SetLevel(policy.LevelReadOnly) }, errPlan: func() { g.plan = true }} {
		set()
		if err := g.Still(c); err != error(what) {
			t.Errorf("it says %v", err)
		}
		g.plan = false
	}
}

// TestOnlyTheUsersYesIsKept: what a level or a rule answers to the agent's own question is good for nothing that comes later.
func TestOnlyTheUsersYesIsKept(t *testing.T) {
	call := []byte(`{"toolCallId":"c","kind":"execute","rawInput":{"command":["touch","x"]}}`)
	for name, c := range map[string]struct {
		level policy.Level
		rules []policy.Rule
		kept  bool
	}{
		"the level": {policy.LevelAll, nil, false},
		"a rule":    {policy.LevelAsk, []policy.Rule{{Tool: policy.ToolShell, Command: "touch x", Decision: policy.Allow}}, false},
		"the user":  {policy.LevelAsk, nil, true},
	} {
		g := linkedGate(t, map[string]string{"w/a.txt": "one\n"}, nil)
		g.SetLevel(c.level)
		g.all.Rules.SetRules(c.rules)
		g.BeginTurn("1")
		g.AskUser = func(context.Context, *Question) (Answer, bool, error) { return Answer{OptionID: OptOnce}, false, nil }
		var q acp.ToolCallUpdate
		if err := acp.Unmarshal(call, &q); err != nil {
			t.Fatal(err)
		}
		a := g.AgentQuestion(t.Context(), &q, nil, nil, false)
		if err := g.PermitAsked(t.Context(), a); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if g.Issue("1", a); (len(g.grants) > 0) != c.kept {
			t.Errorf("%s: %d grants", name, len(g.grants))
		}
	}
}

// TestAYesIsForTheReasonThatWasShown: one to an ordinary file is none once the file decides what runs.
func TestAYesIsForTheReasonThatWasShown(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/a.txt": "one\n"}, nil)
	g.BeginTurn("1")
	head := here(t, g, "docs/HEAD")
	c := ChangeGrant(head, 0, nil, "ref: refs/heads/main\n")
	g.Issue("1", &Asked{covers: []Grant{c}, yes: &yes{}, musts: map[string]string{}})
	for _, name := range []string{"docs/objects", "docs/refs"} {
		if err := os.MkdirAll(filepath.Join(g.Cwd, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if g.Use("x", c) != nil {
		t.Error("the yes to a text is one to a repository")
	}
	must := g.musts([]policy.Request{{Tool: policy.ToolEdit, Paths: []policy.Path{g.PathOf(head, policy.OpCreate)}}})[0]
	if !strings.Contains(must, "HEAD") {
		t.Fatalf("it asks because %q", must)
	}
	g.Issue("1", &Asked{covers: []Grant{c}, yes: &yes{}, musts: map[string]string{head.Real: must}})
	if g.Use("x", c) == nil {
		t.Error("a yes to the repository is none")
	}
}

// TestFilesOfOneQuestionAreJudgedTogether: each as if the others were there already, whichever comes last.
func TestFilesOfOneQuestionAreJudgedTogether(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/a.txt": "one\n"}, map[string]string{"w/.vscode": "new/folder/../cfg"})
	g.SetLevel(policy.LevelAll)
	asked := 0
	g.AskUser = func(context.Context, *Question) (Answer, bool, error) {
		asked++
		return Answer{OptionID: OptReject}, false, nil
	}
	for _, files := range [][]string{
		bareFiles, {bareFiles[3], bareFiles[2], bareFiles[1], bareFiles[0]}, {"docs/HEAD", "docs/commondir"}, {"HEAD", "objects/x", "refs/x", "config"},
		{"docs/head", "docs/Objects/x", "docs/REFS/x"}, {"new/folder/x", "new/cfg/settings.json"},
	} {
		content := ""
		list := []FileChange{}
		text := "x\n"
		for _, f := range files {
			content += `,{"type":"diff","path":"` + filepath.ToSlash(filepath.Join(g.Cwd, f)) + `","oldText":null,"newText":"x\n"}`
			list = append(list, FileChange{Target: here(t, g, f), New: &text})
		}
		var q acp.ToolCallUpdate
		if err := acp.Unmarshal([]byte(`{"toolCallId":"c","kind":"edit","content":[`+content[1:]+`]}`), &q); err != nil {
			t.Fatal(err)
		}
		asked = 0
		if err := g.PermitAsked(t.Context(), g.AgentQuestion(t.Context(), &q, nil, nil, false)); err == nil || asked != 1 {
			t.Errorf("%v: asked %d times, %v", files, asked, err)
		}
		asked = 0
		if err := g.PermitChanges(t.Context(), "rename", "it", list); err == nil || asked != 1 {
			t.Errorf("%v in one change: asked %d times, %v", files, asked, err)
		}
	}
	for _, files := range [][]string{{"docs/HEAD", "docs/objects/x"}, {"docs/a", "docs/refs/x", "docs/objects/x"}} {
		text, list := "x\n", []FileChange{}
		for _, f := range files {
			list = append(list, FileChange{Target: here(t, g, f), New: &text})
		}
		asked = 0
		if err := g.PermitChanges(t.Context(), "rename", "it", list); err != nil || asked != 0 {
			t.Errorf("%v is no repository: asked %d times, %v", files, asked, err)
		}
	}
}

// TestASavedFileDoesNotHideAnother: what a command names may change by the save that comes first, and by nobody else then.
func TestASavedFileDoesNotHideAnother(t *testing.T) {
	for name, c := range map[string]struct {
		before, during string
		good           bool
	}{
		"the save":                 {"", "a.sh", true},
		"another one meanwhile":    {"", "b.sh", false},
		"one before":               {"b.sh", "", false},
		"the one that is saved":    {"a.sh", "", false},
		"a file that is not named": {"", "c.sh", true},
	} {
		g := linkedGate(t, map[string]string{"w/a.sh": "one\n", "w/b.sh": "one\n", "w/c.sh": "one\n"}, nil)
		g.SetLevel(policy.LevelAll)
		grant, err := g.PermitCommand(t.Context(), Command{Tool: "bash", Argv: []string{"sh", "a.sh", "b.sh"}, Cwd: g.Cwd})
		if err != nil {
			t.Fatal(err)
		}
		change := func(name string) {
			if name != "" {
				if err := os.WriteFile(filepath.Join(g.Cwd, name), []byte("two\n"), 0o644); err != nil {
					t.Error(err)
				}
			}
		}
		change(c.before)
		err = g.Ready(&grant, []string{filepath.Join(g.Cwd, "a.sh")}, func() error { change(c.during); return nil })
		if err == nil {
			err = g.StillRuns(grant)
		}
		if (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
		if change("b.sh"); err == nil && g.StillRuns(grant) == nil && c.during != "b.sh" {
			t.Errorf("%s: it runs what was changed at the last moment", name)
		}
	}
}

// TestTheMarkOfAnAgentIsNoVariable: claude-code-acp adds it to all that it runs, so that a level and a rule for a command are for it too.
func TestTheMarkOfAnAgentIsNoVariable(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/a.txt": "one\n"}, nil)
	g.SetLevel(policy.LevelAll)
	g.AskUser = func(context.Context, *Question) (Answer, bool, error) { return Answer{OptionID: OptReject}, false, nil }
	for value, good := range map[string]bool{"1": true, "2": false} {
		_, err := g.PermitCommand(t.Context(), Command{Tool: "terminal/create", Argv: []string{"ls"}, Cwd: g.Cwd, Env: []terminalproxy.EnvVar{{Name: "CLAUDECODE", Value: value}}})
		if (err == nil) != good {
			t.Errorf("CLAUDECODE=%s: %v", value, err)
		}
	}
}

// TestChangesAtTheSameTimeSeeEachOther: each of the files of a repository is allowed while none of the others is there, and the last one
// asks before any is. What is over, or has failed, counts no more.
func TestChangesAtTheSameTimeSeeEachOther(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/a.txt": "one\n"}, nil)
	g.SetLevel(policy.LevelEdits)
	var all []Grant
	for _, name := range bareFiles {
		target := here(t, g, name)
		c := ChangeGrant(target, 0, nil, "x\n")
		if _, err := g.PermitWrite(t.Context(), "create", target, &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	var over []func()
	for _, c := range all[:3] {
		done, err := g.Starts(c)
		if err != nil {
			t.Fatal(err)
		}
		over = append(over, done)
	}
	other := g.all.Session(g.Session) // of another session in the same folder
	other.SetLevel(policy.LevelEdits)
	for _, gate := range []*Gate{g, other} {
		if _, err := gate.Starts(all[3]); !errors.Is(err, ErrShownOtherwise) {
			t.Errorf("the last one: %v", err)
		}
	}
	over[1]()
	over[1]()
	done, err := g.Starts(all[3])
	if err != nil {
		t.Errorf("without one of the others: %v", err)
	}
	for _, f := range append(over, done) {
		f()
	}
	if len(g.all.coming) > 0 {
		t.Errorf("left: %v", g.all.coming)
	}
}

// TestWhatAnAgentMayMakeItselfCountsForItsTurn: it is told yes to each file of a repository before it has made any.
func TestWhatAnAgentMayMakeItselfCountsForItsTurn(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/a.txt": "one\n"}, nil)
	g.SetLevel(policy.LevelEdits)
	g.AskUser = func(context.Context, *Question) (Answer, bool, error) { return Answer{OptionID: OptReject}, false, nil }
	asked := func(name string) error {
		var q acp.ToolCallUpdate
		path := filepath.ToSlash(filepath.Join(g.Cwd, name))
		if err := acp.Unmarshal([]byte(`{"toolCallId":"c","kind":"edit","content":[{"type":"diff","path":"`+path+`","oldText":null,"newText":"x"}]}`), &q); err != nil {
			t.Fatal(err)
		}
		a := g.AgentQuestion(t.Context(), &q, nil, nil, false)
		if err := g.PermitAsked(t.Context(), a); err != nil {
			return err
		}
		return g.StartsAsked(a)
	}
	for _, turn := range []string{"1", "2"} {
		g.BeginTurn(turn)
		for i, name := range bareFiles {
			if err := asked(name); (err != nil) != (i == 3) {
				t.Errorf("turn %s, %s: %v", turn, name, err)
			}
		}
		g.EndTurn()
		if len(g.all.coming) > 0 {
			t.Errorf("left: %v", g.all.coming)
		}
	}
}
