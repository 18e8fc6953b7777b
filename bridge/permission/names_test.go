package permission

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

// linkedGate is the gate of a session over a folder with files, and links among them.
func linkedGate(t testing.TB, files, symlinks map[string]string) *Gate {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range symlinks {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := links.Make(t, to, path); err != nil {
			t.Fatal(err)
		}
	}
	return gateOf(t, filepath.Join(dir, "w"))
}

// gateOf is the gate of a session that nobody speaks to.
func gateOf(t testing.TB, dir string) *Gate {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	folder, err := disk.Open([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	log, err := policy.OpenAudit("")
	if err != nil {
		t.Fatal(err)
	}
	overlay := fsproxy.NewOverlay(folder)
	return New(Config{
		Rules: policy.New(nil, nil), Audit: log, Disk: folder, Overlay: overlay, FS: fsproxy.New(fsproxy.Config{Disk: folder, Overlay: overlay}),
		Folders: func() []string { return []string{dir} }, NewID: func(prefix string) string { return prefix + "-1" }, Now: time.Now,
	}).Session(Session{
		Cwd: dir, Untrusted: func() bool { return false }, StartedFrom: func(context.Context, Target) []string { return nil },
	})
}

// everythingAllowed are the broadest rules that a user can write.
var everythingAllowed = []policy.Rule{
	{Tool: policy.ToolAny, Decision: policy.Allow}, {Tool: policy.ToolEdit, Path: "**", Decision: policy.Allow},
	{Tool: policy.ToolShell, Argv: policy.AllCommands, Decision: policy.Allow},
}

func symlink(t testing.TB, to, name string) {
	t.Helper()
	_ = os.Remove(name)
	if err := links.Make(t, to, name); err != nil {
		t.Fatal(err)
	}
}

// asks says whether a change of a file asks although everything is allowed.
func (g *Gate) asks(t testing.TB, name string, op policy.Op) bool {
	t.Helper()
	target, err := g.Resolve(filepath.Join(g.Cwd, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	tool := policy.ToolEdit
	if op == policy.OpRead {
		tool = policy.ToolRead
	}
	d := policy.New(everythingAllowed, nil).Decide(policy.Request{Tool: tool, Cwd: g.Cwd, Paths: []policy.Path{g.PathOf(target, op)}, AllowAll: true})
	if d.Verdict == policy.Deny {
		t.Fatalf("%s: %+v", name, d)
	}
	return d.Verdict == policy.Ask
}

// chain is as many links, each to the next, and the last to the target.
func chain(first, target string, n int) map[string]string {
	out := map[string]string{}
	for i := range n {
		name, to := fmt.Sprintf("w/links/%d", i), fmt.Sprint(i+1)
		if i == 0 {
			name, to = first, "links/1"
		}
		if i == n-1 {
			to = "../" + target
		}
		out[name] = to
	}
	return out
}

func TestLinksToControlFilesMakeTheirTargetsControlFiles(t *testing.T) {
	type m = map[string]string
	for what, c := range map[string]struct {
		files, links m
		ask, silent  string // names of files, separated by blanks
	}{
		"a folder":                     {m{"w/cfg/tasks.json": ""}, m{"w/.vscode": "cfg"}, "cfg/tasks.json cfg/new.json cfg/deep/er/new.json cfg", "x.txt cfgx/tasks.json"},
		"by an absolute link":          {m{"w/cfg/x": ""}, m{"w/.vscode": "/proc/self/cwd/cfg"}, "cfg/x other.txt", ""},
		"hooks":                        {m{"w/.git/HEAD": "", "w/hk/pre-commit": ""}, m{"w/.git/hooks": "../hk"}, "hk/pre-commit hk/post-merge", "x.txt"},
		"workflows":                    {m{"w/ci/a.yml": ""}, m{"w/.github/workflows": "../ci"}, "ci/a.yml ci/a.md", "x.txt .github/README.md"},
		"the whole of .github":         {m{"w/gh/x": ""}, m{"w/.github": "gh"}, "gh/workflows/a.yml gh/lsp.json gh/agents/a.md", "gh/README.md"},
		"a file":                       {m{"w/data/a.json": ""}, m{"w/.zed/tasks.json": "../data/a.json"}, "data/a.json", "data/b.json"},
		"not made yet, a file":         {m{"w/later/x": ""}, m{"w/.cursor/mcp.json": "../later/mcp.json"}, "later/mcp.json", "later/x"},
		"not made yet, its folder":     {nil, m{"w/.cursor/mcp.json": "../none/here/mcp.json"}, "none/here/mcp.json", "none/x"},
		"not made yet, a folder":       {nil, m{"w/.vscode": "none/here"}, "none/here/tasks.json none/here/a/b", "none/x"},
		"not made yet, other case":     {nil, m{"w/.vscode": "Later"}, "later/tasks.json LATER/x", "late/x"},
		"a chain":                      {m{"w/cfg/x": ""}, chain("w/.vscode", "cfg", 3), "cfg/x cfg/new", "x.txt"},
		"a chain longer than ours":     {m{"w/cfg/x": ""}, chain("w/.vscode", "cfg", 20), "cfg/x cfg/new", "x.txt"},
		"a long chain to nothing":      {nil, chain("w/.vscode", "cfg", 20), "cfg/new", ""},
		"a loop":                       {nil, m{"w/.vscode": ".vscode", "w/.idea": ".idea2", "w/.idea2": ".idea"}, "", "x.txt"},
		"the folder above it all":      {m{"w/a/x": ""}, m{"w/.vscode/up": ".."}, "a/x y.txt", ""},
		"through a second link":        {m{"w/cfg/x": "", "w/g/config": ""}, m{"w/.config": "cfg", "w/cfg/git": "../g"}, "g/config g/hooks/x", "cfg/x"},
		"links within what is linked":  {m{"w/cfg/x": "", "w/d/t.json": ""}, m{"w/.vscode": "cfg", "w/cfg/tasks.json": "../d/t.json"}, "d/t.json", "d/u.json"},
		"in another folder":            {m{"w/a/b/c/x": "", "w/cfg/x": ""}, m{"w/a/b/c/.vscode": "../../../cfg"}, "cfg/x", "a/b/c/x"},
		"next to it":                   {m{"w/a/x": "", "w/b/x": ""}, m{"w/a/.envrc": "../b/x"}, "b/x", "a/x"},
		"upper case":                   {m{"w/cfg/x": ""}, m{"w/.VSCode": "cfg"}, "cfg/x", ""},
		"a folder named objects":       {m{"w/d/a.md": ""}, m{"w/.claude/skills/objects/a.md": "../../../d/a.md"}, "d/a.md", ""},
		"a .git that is a file":        {m{"w/.git": "gitdir: meta\n", "w/meta/HEAD": ""}, nil, "meta/hooks/pre-commit meta/config", "x.txt"},
		"of a submodule":               {m{"w/sub/.git": "gitdir: ../meta\n", "w/meta/HEAD": ""}, nil, "meta/config", "sub/x.txt"},
		"a .git file not made yet":     {m{"w/.git": "gitdir: meta"}, nil, "meta/config", "x.txt"},
		"a .git file through a link":   {m{"w/a/point": "gitdir: meta\n", "w/meta/HEAD": ""}, m{"w/.git": "a/point"}, "meta/config", ""},
		"a .git file that goes up":     {m{"w/.git": "gitdir: l/../meta\n", "w/a/meta/HEAD": "", "w/a/b/x": ""}, m{"w/l": "a/b"}, "a/meta/config", "meta/config"},
		"a worktree's common folder":   {m{"w/.git": "gitdir: meta/worktrees/a", "w/meta/worktrees/a/commondir": "../../../common\n", "w/common/HEAD": ""}, nil, "common/config common/hooks/x", "x.txt"},
		"a common folder of .git":      {m{"w/.git/commondir": "../common\n", "w/common/config": ""}, nil, "common/config", "x.txt"},
		"a .git file without an end":   {m{"w/.git": "gitdir: " + strings.Repeat("x/", 4000)}, nil, "x.txt", ""},
		"a folder of hooks":            {m{"w/.git/config": "[core]\n\thooksPath = build/hooks\n"}, nil, "build/hooks/pre-commit", "build/x"},
		"an included configuration":    {m{"w/.git/config": "[include] path = \"../team.conf\"\n[core]\nfsmonitor = true\n"}, nil, "team.conf", "x.conf"},
		"hooks, oddly quoted":          {m{"w/.git/config": "[core] hooksPath = \\\nbu\"ild\"/h\\\nks\n"}, nil, "build/hks/pre-commit", "build/x"},
		"hooks by an include":          {m{"w/.git/config": "[include]\npath = ../team.conf\n", "w/team.conf": "[include] path = team.conf\n[includeIf \"gitdir:/a]b\"]\npath = \"more.conf\"\n", "w/more.conf": "[core]\nhooksPath = hk"}, nil, "hk/x more.conf team.conf", "x.conf"},
		"programs in settings":         {m{"w/.git/config": "[filter \"f\"]\nclean = sh tools/clean.sh %f\n[alias] a = !\"run.sh\" x\n[core] pager = src/\n[branch \"x\"] merge = refs/heads/x\n[hook \"h\"] command = not/yet.sh\n", "w/tools/clean.sh": "", "w/run.sh": "", "w/src/x": ""}, nil, "tools/clean.sh run.sh not/yet.sh", "tools/x src/x refs/heads/x"},
		"a configuration too large":    {m{"w/.git/config": "[core]\n" + strings.Repeat("# much\n", 200_000)}, nil, "x.txt", ""},
		"a repository without a .git":  {m{"w/d/HEAD": "", "w/d/objects/x": "", "w/d/refs/x": ""}, nil, "d/config d/hooks/pre-commit d/HEAD", "x.txt"},
		"almost one, which it becomes": {m{"w/d/config": "", "w/d/objects/x": "", "w/d/refs/x": "", "w/e/HEAD": "", "w/e/objects/x": ""}, nil, "d/HEAD e/refs/heads/main e/commondir", "d/x e/x e/config"},
		"a repository above":           {m{".git/HEAD": "", "w/hk/x": ""}, m{".git/hooks": "../w/hk"}, "hk/x", "x.txt"},
		"a file above":                 {m{".git/HEAD": "", "w/hk/x": ""}, m{".envrc": "w/hk/x"}, "hk/x", "x.txt"},
		"no repository above":          {m{"w/hk/x": ""}, m{"hooks": "w/hk"}, "", "hk/x"},
		"ordinary links":               {m{"w/a/x": ""}, m{"w/b": "a", "w/node_modules/p": "../a"}, "", "a/x b/x"},
		"prose of .github":             {m{"w/docs/a.md": "", "w/docs/a.yml": ""}, m{"w/.github/docs": "../docs"}, "docs/a.yml", "docs/a.md"},
		"prose by one name, not other": {m{"w/docs/a.md": ""}, m{"w/.github/docs": "../docs", "w/.claude": "docs"}, "docs/a.md", ""},
	} {
		t.Run(what, func(t *testing.T) {
			g := linkedGate(t, c.files, c.links)
			for name := range strings.FieldsSeq(c.ask) {
				if !g.asks(t, name, policy.OpWrite) || !g.asks(t, name, policy.OpDelete) {
					t.Errorf("%s is taken for an ordinary file", name)
				}
			}
			for name := range strings.FieldsSeq(c.silent) {
				if g.asks(t, name, policy.OpWrite) {
					t.Errorf("%s asks", name)
				}
			}
		})
	}
}

// TestEachControlNameMayBeALink goes through the list: a folder, or a file not made yet, behind a link of each name asks.
func TestEachControlNameMayBeALink(t *testing.T) {
	for _, name := range policy.ControlNames() {
		name = strings.ReplaceAll(name, "*", "x")
		up := strings.Repeat("../", strings.Count(name, "/"))
		g := linkedGate(t, map[string]string{"w/ordinary/x": ""}, map[string]string{"w/" + name: up + "ordinary"})
		for _, file := range []string{"ordinary/x", "ordinary/new/y.json"} {
			if !g.asks(t, file, policy.OpWrite) {
				t.Errorf("%s behind the link %s", file, name)
			}
		}
		if g.asks(t, "other/x", policy.OpCreate) {
			t.Errorf("%s makes everything ask", name)
		}
	}
}

func TestSecretsBehindLinksAsk(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/data/one": "", "w/data/two": "", "w/keys/a": "", "w/a/.env": ""}, map[string]string{"w/b/.env": "../data/one", "w/.ssh": "keys"})
	if err := os.Link(filepath.Join(g.Cwd, "a/.env"), filepath.Join(g.Cwd, "data/linked")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"data/one": true, "keys/a": true, "data/linked": true, "data/two": false} {
		if g.asks(t, name, policy.OpRead) != want {
			t.Errorf("reading %s: want a question %v", name, want)
		}
		if held := g.NewReading("grep").Twin(filepath.Join(g.Cwd, name)); held != want {
			t.Errorf("a search takes %s for a secret: %v", name, held)
		}
	}
}

func TestNoNumberOfEntriesHidesALink(t *testing.T) {
	files := map[string]string{"w/cfg/x": "", "w/d/t.json": "", "w/.git/HEAD": "", "w/.vscode/a": ""}
	for i := range 2_500 {
		files[fmt.Sprintf("w/.git/logs/refs/%04d", i)] = ""
		files[fmt.Sprintf("w/.vscode/%04d.json", i)] = ""
		files[fmt.Sprintf("w/a/%d/%d/x", i%50, i)] = ""
	}
	g := linkedGate(t, files, map[string]string{"w/zzz/zzz/.envrc": "../../cfg/x", "w/.vscode/zzz.json": "../d/t.json"})
	for _, name := range []string{"cfg/x", "d/t.json"} {
		if !g.asks(t, name, policy.OpWrite) {
			t.Errorf("%s is taken for an ordinary file", name)
		}
	}
	if g.asks(t, "a/1/1/x", policy.OpWrite) {
		t.Error("an ordinary file asks")
	}
	g.all = New(g.all.Config)
	g.all.nameBudget = 0
	if !g.asks(t, "a/1/1/x", policy.OpWrite) {
		t.Error("a search that has not come to its end takes the file for an ordinary one")
	}
}

func TestALinkThatComesLaterCounts(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/cfg/x": "", "w/other/x": ""}, nil)
	vscode := filepath.Join(g.Cwd, ".vscode")
	for _, step := range []struct{ link, asks, silent string }{{"cfg", "cfg/x", "other/x"}, {"other", "other/x", "cfg/x"}, {"", "", "cfg/x"}} {
		os.Remove(vscode)
		if step.link != "" {
			symlink(t, step.link, vscode)
		}
		if step.asks != "" && !g.asks(t, step.asks, policy.OpWrite) {
			t.Errorf(".vscode leads to %s: %s is taken for an ordinary file", step.link, step.asks)
		}
		if g.asks(t, step.silent, policy.OpWrite) {
			t.Errorf(".vscode leads to %q: %s asks", step.link, step.silent)
		}
	}
}

// FuzzLinkedControlFolders guards the rule: what is a control file by the name of a link is one by where it leads.
func FuzzLinkedControlFolders(f *testing.F) {
	names := policy.ControlNames()
	for i := range 40 {
		f.Add(i*11, "cfg", "a/b.json")
	}
	f.Add(0, "Cfg", "../cfg/x")
	f.Add(3, "a/b/c", "README.md")
	f.Add(17, "c f g", "hooks/pre-commit")
	f.Fuzz(func(t *testing.T, i int, target, rest string) {
		name := strings.ReplaceAll(names[(i%len(names)+len(names))%len(names)], "*", "x")
		target, rest = filepath.Clean("/" + target)[1:], filepath.Clean("/" + rest)[1:]
		if target == "" || rest == "" || len(target)+len(rest) > 200 || strings.ContainsRune(target+rest, 0) {
			return
		}
		g := gateOf(t, t.TempDir())
		link := filepath.Join(g.Cwd, filepath.FromSlash(name))
		if os.MkdirAll(filepath.Dir(link), 0o755) != nil || links.Make(t, filepath.Join(g.Cwd, target), link) != nil {
			return
		}
		given := make([]policy.Path, 2)
		for i, path := range []string{filepath.Join(link, rest), filepath.Join(g.Cwd, target, rest)} {
			r, err := g.Resolve(path)
			if err != nil {
				return // a name that cannot be one, or that leads in a circle
			}
			given[i] = g.PathOf(r, policy.OpWrite)
		}
		_, byLink := policy.Control(given[0])
		_, byTarget := policy.Control(given[1])
		if byLink && !byTarget && !given[1].Nameless {
			t.Errorf("%s -> %s: %s asks by the link only; its names are %q", name, target, rest, given[1].SameAs)
		}
	})
}

func TestAFolderThatAControlLinkLeadsIntoAsksBeforeItGoes(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/a/cfg/x": ""}, map[string]string{"w/.vscode": "a/cfg"})
	for op, want := range map[policy.Op]bool{policy.OpDelete: true, policy.OpRename: true} {
		if g.asks(t, "a", op) != want {
			t.Errorf("%s: want a question %v", op, want)
		}
	}
}

// TestAFolderAsksBeforeItGoes: there may be anything in it, also what a rule denies.
func TestAFolderAsksBeforeItGoes(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/a/deep/.vscode/tasks.json": "", "w/b/x": ""}, nil)
	for _, name := range []string{"a", "a/deep", "b", "."} {
		for _, op := range []policy.Op{policy.OpDelete, policy.OpRename, policy.OpWrite} {
			if !g.asks(t, name, op) {
				t.Errorf("%s of the folder %s does not ask", op, name)
			}
		}
		if g.asks(t, name, policy.OpRead) {
			t.Errorf("reading %s asks", name)
		}
	}
	if g.asks(t, "b/x", policy.OpDelete) || g.asks(t, "none", policy.OpDelete) {
		t.Error("a file asks")
	}
}

// TestTheUsersOwnHooksFolderCounts: a relative one is in each workspace.
func TestTheUsersOwnHooksFolderCounts(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[core]\nhooksPath = hk\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := linkedGate(t, map[string]string{"w/.git/HEAD": "", "w/hk/x": ""}, nil)
	if !g.asks(t, "hk/pre-commit", policy.OpCreate) || g.asks(t, "x", policy.OpCreate) {
		t.Error("the folder of hooks is taken for an ordinary one")
	}
}

func BenchmarkNames(b *testing.B) {
	for _, folders := range []int{10, 1_000, 10_000} {
		b.Run(fmt.Sprint(folders), func(b *testing.B) {
			files := map[string]string{"w/.git/HEAD": "", "w/.git/config": "[core]\n"}
			for i := range folders {
				files[fmt.Sprintf("w/src/%d/%d/x.go", i%100, i)] = ""
				files[fmt.Sprintf("w/src/%d/%d/y.go", i%100, i)] = ""
			}
			g := linkedGate(b, files, map[string]string{"w/.vscode": "src/1"})
			target, err := g.Resolve(filepath.Join(g.Cwd, "src/5/5/x.go"))
			if err != nil {
				b.Fatal(err)
			}
			g.all.nameBudget = time.Minute
			for at := time.Now(); time.Since(at) < 3*time.Second; { // a folder that has just changed is read each time
				g.PathOf(target, policy.OpWrite)
			}
			b.ReportAllocs()
			for b.Loop() {
				if p := g.PathOf(target, policy.OpWrite); p.Nameless || slices.Contains(p.SameAs, "x") {
					b.Fatal(p)
				}
			}
		})
	}
}
