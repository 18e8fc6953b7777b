package policy

import (
	"strings"
	"testing"
)

// TestALevelDecidesWhereNoRuleDoes is the table of docs/permissions.md.
func TestALevelDecidesWhereNoRuleDoes(t *testing.T) {
	edit := func(p Path) Request { return Request{Tool: ToolEdit, Cwd: "/w", Paths: []Path{p}} }
	read := func(p Path) Request { return Request{Tool: ToolRead, Cwd: "/w", Paths: []Path{p}} }
	ls := Request{Tool: ToolShell, Cwd: "/w", CommandDir: "/w", Argv: []string{"ls", "-la"}}
	with := func(q Request, change func(*Request)) Request { change(&q); return q }
	for name, c := range map[string]struct {
		q    Request
		want [4]Verdict // at read-only, ask, edits, all
	}{
		"a read":                       {read(at(OpRead, "a")), [4]Verdict{Allow, Allow, Allow, Allow}},
		"a change":                     {edit(at(OpWrite, "a")), [4]Verdict{Deny, Ask, Allow, Allow}},
		"a new file":                   {edit(at(OpCreate, "a")), [4]Verdict{Deny, Ask, Allow, Allow}},
		"a deletion":                   {edit(at(OpDelete, "a")), [4]Verdict{Deny, Ask, Allow, Allow}},
		"a command":                    {ls, [4]Verdict{Deny, Ask, Ask, Allow}},
		"a control file is read":       {read(at(OpRead, ".git/config")), [4]Verdict{Allow, Allow, Allow, Allow}},
		"a control file is changed":    {edit(at(OpWrite, ".git/config")), [4]Verdict{Deny, Ask, Ask, Ask}},
		"a secret is read":             {read(at(OpRead, ".env")), [4]Verdict{Ask, Ask, Ask, Ask}},
		"a secret is changed":          {edit(at(OpWrite, ".env")), [4]Verdict{Deny, Ask, Ask, Ask}},
		"outside is read":              {read(outside(OpRead, "/x")), [4]Verdict{Ask, Ask, Ask, Ask}},
		"outside is changed":           {edit(outside(OpWrite, "/x")), [4]Verdict{Deny, Ask, Ask, Ask}},
		"one of two is outside":        {with(edit(at(OpWrite, "a")), func(q *Request) { q.Paths = append(q.Paths, outside(OpWrite, "/x")) }), [4]Verdict{Deny, Ask, Ask, Ask}},
		"a folder goes":                {edit(Path{Given: "/w/d", Real: "/w/d", Rel: "d", Op: OpDelete, Exists: true, Folder: true}), [4]Verdict{Deny, Ask, Ask, Ask}},
		"a command elsewhere":          {with(ls, func(q *Request) { q.Where = []Path{outside(OpRead, "/x")} }), [4]Verdict{Deny, Ask, Ask, Ask}},
		"a command with a variable":    {with(ls, func(q *Request) { q.Env = []EnvVar{{"PATH", "."}} }), [4]Verdict{Deny, Ask, Ask, Ask}},
		"what is brought along":        {with(ls, func(q *Request) { q.Brought = true }), [4]Verdict{Ask, Ask, Ask, Ask}},
		"what is not understood":       {with(edit(at(OpWrite, "a")), func(q *Request) { q.Odd = "x" }), [4]Verdict{Deny, Ask, Ask, Ask}},
		"a command not understood":     {with(ls, func(q *Request) { q.Odd = "x" }), [4]Verdict{Deny, Ask, Ask, Ask}},
		"another's tool":               {Request{Tool: ToolMCP, Name: "x"}, [4]Verdict{Ask, Ask, Ask, Allow}},
		"a change in plan mode":        {with(edit(at(OpWrite, "a")), func(q *Request) { q.Plan = true }), [4]Verdict{Deny, Deny, Deny, Deny}},
		"a command in plan mode":       {with(ls, func(q *Request) { q.Plan = true }), [4]Verdict{Deny, Deny, Deny, Deny}},
		"a change, distrusted":         {with(edit(at(OpWrite, "a")), func(q *Request) { q.Untrusted = true }), [4]Verdict{Deny, Ask, Ask, Ask}},
		"a command, distrusted":        {with(ls, func(q *Request) { q.Untrusted = true }), [4]Verdict{Deny, Ask, Ask, Ask}},
		"another's tool, distrusted":   {Request{Tool: ToolMCP, Name: "x", Untrusted: true}, [4]Verdict{Ask, Ask, Ask, Ask}},
		"a command with allow_all":     {with(ls, func(q *Request) { q.AllowAll = true }), [4]Verdict{Deny, Allow, Allow, Allow}},
		"a change that a rule denies":  {edit(at(OpWrite, "infra/a")), [4]Verdict{Deny, Deny, Deny, Deny}},
		"a change that a rule allows":  {edit(at(OpWrite, "src/a")), [4]Verdict{Deny, Allow, Allow, Allow}},
		"a change that a rule asks of": {edit(at(OpWrite, "docs/a")), [4]Verdict{Deny, Ask, Ask, Ask}},
	} {
		e := New([]Rule{
			{Tool: ToolEdit, Path: "infra/**", Decision: Deny}, {Tool: ToolEdit, Path: "src/**", Decision: Allow}, {Tool: ToolEdit, Path: "docs/**", Decision: Ask},
		}, nil)
		for i, level := range LevelIDs() {
			q := c.q
			q.Level = level
			if d := e.Decide(q); d.Verdict != c.want[i] || d.Reason == "" {
				t.Errorf("%s, at %s: %s (%s), want %s", name, level, d.Verdict, d.Reason, c.want[i])
			}
		}
		q := c.q
		if d := e.Decide(q); d.Verdict != c.want[1] {
			t.Errorf("%s, without a level: %s", name, d.Verdict)
		}
	}
}

// TestAReasonIsOneThatTheUserNeeds: what asks because all of its kind does has none to be shown.
func TestAReasonIsOneThatTheUserNeeds(t *testing.T) {
	e := New([]Rule{{Tool: ToolEdit, Path: "docs/**", Decision: Ask}}, nil)
	for _, c := range []struct {
		q     Request
		usual bool
	}{
		{Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, "a")}}, true},
		{Request{Tool: ToolShell, Argv: []string{"ls"}}, true},
		{Request{Tool: ToolMCP, Name: "x"}, true},
		{Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, "docs/a")}}, false},
		{Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, ".git/config")}}, false},
		{Request{Tool: ToolRead, Paths: []Path{outside(OpRead, "/x")}}, false},
		{Request{Tool: ToolShell, Argv: []string{"ls"}, Odd: "x"}, false},
		{Request{Tool: ToolEdit, Paths: []Path{at(OpWrite, "a")}, Level: LevelEdits, Untrusted: true}, false},
	} {
		if d := e.Decide(c.q); d.Verdict != Ask || d.Usual != c.usual {
			t.Errorf("%+v: %+v", c.q, d)
		}
	}
}

func TestALevelIsOneOfFour(t *testing.T) {
	for _, l := range Levels() {
		if got, err := ParseLevel(string(l.ID)); err != nil || got != l.ID || l.Name == "" || l.Description == "" {
			t.Errorf("%+v: %q %v", l, got, err)
		}
	}
	for _, word := range []string{"", "everything", "ALL", "edits "} {
		if _, err := ParseLevel(word); err == nil || !strings.Contains(err.Error(), "read-only, ask, edits, all") {
			t.Errorf("%q: %v", word, err)
		}
	}
	for _, c := range [][3]Level{{LevelAll, LevelEdits, LevelEdits}, {LevelReadOnly, LevelAll, LevelReadOnly}, {"", LevelAll, LevelAsk}, {LevelEdits, "", LevelAsk}, {"odd", LevelAll, LevelReadOnly}} {
		if got := c[0].Narrower(c[1]); got != c[2] {
			t.Errorf("of %q and %q the narrower is %q", c[0], c[1], got)
		}
	}
}
