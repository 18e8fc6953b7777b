package policy

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// controlPaths has a file for each entry of the control list (docs/dev/security.md).
var controlPaths = []string{
	".git/config", ".git/hooks/pre-commit", ".git", "sub/.git/config", "bare.git/hooks/update", ".vscode/settings.json", ".vscode/tasks.json",
	"x.code-workspace", ".idea/workspace.xml", ".zed/settings.json", ".cursor/mcp.json", ".helix/config.toml",
	".github/workflows/ci.yml", ".github/hooks/h.json", ".github/agents/a.md", ".github/copilot/settings.json",
	".github/instructions/x.instructions.md", ".github/copilot-instructions.md", ".mcp.json", "mcp.json", "sub/mcp.json",
	".devcontainer/devcontainer.json", ".devcontainer.json", ".copilot/config.json", ".claude/settings.json", "AGENTS.md", "CLAUDE.md",
	"copilot-instructions.md", ".envrc", ".env", ".env.local", ".environment", ".npmrc", ".yarnrc", ".yarnrc.yml", ".husky/pre-commit",
	".pre-commit-config.yaml", ".exrc", ".nvim.lua", ".dir-locals.el", "x.sublime-project", ".copilot-bridge/rules.json",
	".config/copilot-bridge/config.json", ".local/state/copilot-bridge/permissions.json", ".gitmodules", ".bashrc", ".ssh/authorized_keys",
}

// everyControlPath has a file for each entry of the list besides.
func everyControlPath() []string {
	out := slices.Clone(controlPaths)
	for _, row := range controlList() {
		for _, name := range row.names {
			out = append(out, "sub/"+strings.ReplaceAll(name, "*", "x")+"/inner.json")
		}
	}
	return out
}

// spellings are names that some file system takes for name.
func spellings(name string) map[string]string {
	dir, base := path.Split(name)
	first, rest, below := strings.Cut(name, "/")
	if below {
		rest = "/" + rest
	}
	flip := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		if r >= 'A' && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, name)
	odd := strings.Builder{}
	for i, r := range name {
		if i%2 == 0 {
			odd.WriteString(strings.ToUpper(string(r)))
		} else {
			odd.WriteRune(r)
		}
	}
	return map[string]string{
		"as it is": name, "upper case": strings.ToUpper(name), "flipped": flip, "every other": odd.String(),
		"NFD": norm.NFD.String(name), "full width": strings.Replace(name, "i", "ｉ", 1), "long s": strings.Replace(name, "s", "ſ", 1),
		"kelvin": strings.Replace(name, "k", "K", 1), "dotted I": strings.Replace(name, "i", "İ", 1),
		"dot at the end": name + ".", "space at the end": name + " ", "both": name + ". . ", "folder's dot": first + "." + rest,
		"folder's space": first + " " + rest, "stream": name + "::$DATA", "folder's stream": first + "::$INDEX_ALLOCATION" + rest,
		"zero width": dir + base[:1] + "\u200c" + base[1:], "direction": dir + base[:2] + "\u202e" + base[2:], "soft hyphen": dir + base[:2] + "\u00ad" + base[2:],
		"variation": dir + base[:2] + "\ufe0f" + base[2:], "tag": dir + base[:2] + "\U000e0041" + base[2:], "mark": dir + "\ufeff" + base,
		"ignorable in the folder": first[:1] + "\u200d" + first[1:] + rest, "backslashes": strings.ReplaceAll(name, "/", `\`),
	}
}

func TestControlFilesAlwaysAsk(t *testing.T) {
	memory, _ := OpenMemory("")
	all := []Rule{
		{Tool: ToolAny, Decision: Allow}, {Tool: ToolEdit, Path: "**", Decision: Allow}, {Tool: ToolEdit, Path: "/**", Decision: Allow},
		{Tool: ToolEdit, Decision: Allow}, {Tool: ToolShell, Argv: AllCommands, Decision: Allow},
	}
	for _, name := range controlPaths {
		if _, err := memory.Add(Rule{Tool: ToolEdit, Path: "/w/" + name, Decision: Allow}, ""); err != nil {
			t.Fatal(err)
		}
	}
	e := New(all, memory)
	for _, name := range everyControlPath() {
		for how, spelt := range spellings(name) {
			for _, op := range []Op{OpWrite, OpCreate, OpDelete, OpRename} {
				for _, exists := range []bool{true, false} {
					given := "/w/" + spelt
					p := Path{Given: given, Real: given, Rel: spelt, Op: op, Exists: exists, Roots: []string{"/w"}}
					d := e.Decide(Request{Tool: ToolEdit, Name: "edit", Cwd: "/w", Paths: []Path{p}, AllowAll: true})
					if d.Verdict != Ask || d.Remember {
						t.Errorf("%s %s (%s, exists %v): %+v", op, spelt, how, exists, d)
					}
				}
			}
		}
	}
}

func TestShortNamesOfWindowsAsk(t *testing.T) {
	e := New([]Rule{{Tool: ToolAny, Decision: Allow}}, nil)
	for _, name := range []string{"GIT~1/config", "git~2", "GI7D29~1/hooks/x", "VSCODE~1/settings.json", "MCP~1.JSO", "ENV~1.LOC", "sub/DEVCON~1/x", "X~1.COD"} {
		d := e.Decide(edit("/w/" + name))
		if d.Verdict != Ask {
			t.Errorf("%s: %+v", name, d)
		}
	}
	for _, name := range []string{"a~b", "notes.txt~", "#a#", "~1", "longername~1.txt", "a.txt.~1~", "x~y~1"} {
		if d := e.Decide(edit("/w/" + name)); d.Verdict != Allow {
			t.Errorf("%s is not a short name: %+v", name, d)
		}
	}
}

func TestOrdinaryFilesAreNotControlFiles(t *testing.T) {
	for _, name := range []string{
		"a.txt", "git", "gitignore", ".gitignore", "src/main.go", "docs/agents.txt", "vscode/x", "environment.go", "env", "envrc", "mcp.go",
		".github/ISSUE_TEMPLATE.md", ".github/ISSUE_TEMPLATE/bug.md", ".github/README.md", ".github/images/logo.PNG", ".github/LICENSE", "config/git",
		".config/x", "mise/x.toml", "build.rs", "go.mod", "requirements.txt", "tsconfig.json", "Cargo.toml", "Dockerfile", ".editorconfig", "src/rules.md",
		"tools/x", "bin/x", "gradle/libs.toml", "state/x", "x.py", ".prettierrc", "a/.cargo", ".yarn/cache/x.zip", "docs/dev/security.md", "skills.md", "x.workspace", "README.md", "git/config", "workflows/ci.yml", "package.json", "Makefile",
	} {
		if what, ok := Control(Path{Given: "/w/" + name, Roots: []string{"/w"}}); ok {
			t.Errorf("%s is taken for %s", name, what)
		}
	}
}

func TestAWorkspaceInsideAControlFolderIsThePersonsChoice(t *testing.T) {
	roots := []string{"/home/u/.claude/work.git"}
	if _, ok := Control(Path{Given: roots[0] + "/main.go", Roots: roots}); ok {
		t.Error("everything asks")
	}
	if _, ok := Control(Path{Given: roots[0] + "/.git/config", Roots: roots}); !ok {
		t.Error("its own .git does not ask")
	}
	nested := append(roots, "/home/u")
	if _, ok := Control(Path{Given: roots[0] + "/main.go", Roots: nested}); !ok {
		t.Error("with the folder around it open too, .claude is not asked about")
	}
	if _, ok := Control(Path{Given: "/home/u/.claude/work.gitx/../settings.json", Roots: roots}); !ok {
		t.Error("a folder whose name begins like the session's counts as inside it")
	}
}

func TestOtherNamesOfAControlFileAsk(t *testing.T) {
	e := New([]Rule{{Tool: ToolAny, Decision: Allow}}, nil)
	base := Path{Given: "/w/a.txt", Real: "/w/a.txt", Rel: "a.txt", Op: OpWrite, Exists: true, Roots: []string{"/w"}}
	for what, change := range map[string]func(*Path){
		"symbolic link":      func(p *Path) { p.Real, p.Rel = "/w/.git/config", ".git/config" },
		"link named so":      func(p *Path) { p.Given = "/w/.envrc" },
		"hard link":          func(p *Path) { p.SameAs = []string{"/w/.git/hooks/pre-commit"} },
		"unknown hard links": func(p *Path) { p.Nameless = true },
		"link from .vscode":  func(p *Path) { p.SameAs = []string{"/w/.vscode/settings.json"} },
	} {
		p := base
		change(&p)
		if d := e.Decide(Request{Tool: ToolEdit, Cwd: "/w", Paths: []Path{p}}); d.Verdict != Ask {
			t.Errorf("%s: %+v", what, d)
		}
	}
	if d := e.Decide(Request{Tool: ToolEdit, Cwd: "/w", Paths: []Path{base}}); d.Verdict != Allow {
		t.Errorf("the file itself: %+v", d)
	}
}

func TestOwnFoldersAreControlFilesWhereverTheyAre(t *testing.T) {
	e := New([]Rule{{Tool: ToolAny, Decision: Allow}}, nil)
	e.Protect("/w/State/cb")
	for name, want := range map[string]Verdict{"/w/State/cb/permissions.json": Ask, "/w/state/CB/x": Ask, "/w/State/cb": Ask, "/w/State/cbx": Allow, "/w/State": Allow} {
		if d := e.Decide(edit(name)); d.Verdict != want {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestSecretsAskBeforeARead(t *testing.T) {
	e := New([]Rule{{Tool: ToolAny, Decision: Allow}, {Tool: ToolRead, Path: "**", Decision: Allow}}, nil)
	read := func(name string) Request {
		p := Path{Given: "/w/" + name, Real: "/w/" + name, Rel: name, Op: OpRead, Exists: true, Roots: []string{"/w"}}
		return Request{Tool: ToolRead, Name: "view", Cwd: "/w", Paths: []Path{p}, AllowAll: true}
	}
	for _, name := range []string{
		".env", ".ENV", ".env.production", "a/.env", "server.pem", "tls.KEY", "id_rsa", "id_ed25519", ".netrc", ".npmrc", "credentials", "credentials.json",
		".ssh/config", ".aws/config", ".kube/config", ".docker/config.json", ".config/gh/hosts.yml", "key.p12", ".git-credentials", "ENV~1", ".env ", ".e\u200dnv",
	} {
		if d := e.Decide(read(name)); d.Verdict != Ask || d.Remember {
			t.Errorf("%s: %+v", name, d)
		}
	}
	for _, name := range []string{"a.txt", "keys.go", "environment.ts", "pem.md", ".git/config", ".vscode/settings.json", "AGENTS.md"} {
		if d := e.Decide(read(name)); d.Verdict != Allow {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestFoldedNamesAreJudgedAlike(t *testing.T) {
	for _, name := range append(everyControlPath(), "a.txt", "ﬁle", "Straße", "İ.git", "x／.git／config", "．git/config") {
		alike(t, name)
		for _, spelt := range spellings(name + "/file") {
			alike(t, spelt)
		}
	}
}

// alike fails if a name and its folded form are not judged alike.
func alike(t *testing.T, name string) {
	t.Helper()
	p, q := Path{Given: "/w/" + name, Roots: []string{"/w"}}, Path{Given: "/w/" + Fold(name), Roots: []string{"/w"}}
	for what, judge := range map[string]func(Path) (string, bool){"control": Control, "secret": Secret} {
		_, a := judge(p)
		_, b := judge(q)
		if a != b {
			t.Errorf("%s: %q %v, folded %q %v", what, p.Given, a, q.Given, b)
		}
	}
	if f := Fold(name); Fold(f) != f {
		t.Errorf("Fold(%q) = %q, and again %q", name, f, Fold(f))
	}
}

func edit(name string) Request {
	return Request{Tool: ToolEdit, Name: "edit", Cwd: "/w", Paths: []Path{{
		Given: name, Real: name, Rel: strings.TrimPrefix(name, "/w/"), Op: OpWrite, Exists: true, Roots: []string{"/w"}}}}
}

func ExampleControl() {
	fmt.Println(Control(Path{Given: "/w/.GIT/hooks/pre-commit"}))
	// Output: .git/** true
}
