package brought

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

const hook = `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"touch x"}]}}`

const servedBy = "---\nname: x\ndescription: d\nmcp-servers:\n  s: {type: local, command: sh}\n---\nHi\n"

// tree makes files; a name that ends in @ is a symbolic link to its text.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		name, link := strings.CutSuffix(name, "@")
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if link {
			err = links.Make(t, filepath.FromSlash(text), path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return top
}

// find lists what a session in a folder of top has, with names below top.
func find(top, cwd string) (Found, []string) {
	p := Place{Cwd: filepath.Join(top, filepath.FromSlash(cwd))}
	real, _ := filepath.EvalSymlinks(p.Cwd)
	p.Roots = []string{p.Cwd, real}
	p.Home = filepath.Join(top, "home")
	p.Secret = func(path string) bool { return filepath.Base(path) == ".env" }
	f := Find(p)
	var names []string
	for _, path := range f.Files {
		rel, err := filepath.Rel(top, path)
		if err != nil {
			rel = path
		}
		names = append(names, filepath.ToSlash(rel))
	}
	return f, names
}

func TestEveryPlaceThatCopilotLooksAtIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		cwd   string
		files map[string]string
		want  string // "" for nothing
	}{
		"hooks":                           {"r", map[string]string{"r/.github/hooks/x.json": hook}, "r/.github/hooks/x.json"},
		"hooks at any depth":              {"r", map[string]string{"r/.github/hooks/a/b/c/d/e/f/x.json": hook}, "r/.github/hooks/a/b/c/d/e/f/x.json"},
		"hidden hooks":                    {"r", map[string]string{"r/.github/hooks/.a/.x.json": hook}, "r/.github/hooks/.a/.x.json"},
		"hooks in node_modules":           {"r", map[string]string{"r/.github/hooks/node_modules/x.json": hook}, "r/.github/hooks/node_modules/x.json"},
		"hooks in capitals":               {"r", map[string]string{"r/.github/hooks/x.JSON": hook}, "r/.github/hooks/x.JSON"},
		"hooks without sense":             {"r", map[string]string{"r/.github/hooks/x.json": "{"}, "r/.github/hooks/x.json"},
		"a linked file":                   {"r", map[string]string{"r/e/x": hook, "r/.github/hooks/x.json@": "../../e/x"}, "r/.github/hooks/x.json"},
		"a linked folder":                 {"r", map[string]string{"r/e/x.json": hook, "r/.github/hooks/l@": "../../e"}, "r/.github/hooks/l/x.json"},
		"a linked folder of hooks":        {"r", map[string]string{"e/x.json": hook, "r/.github/hooks@": "../../e"}, "r/.github/hooks/x.json"},
		"a linked .github":                {"r", map[string]string{"e/hooks/x.json": hook, "r/.github@": "../e"}, "r/.github/hooks/x.json"},
		"a link in a linked folder":       {"r", map[string]string{"f/x.json": hook, "e/l@": "../f", "r/.github/hooks@": "../../e"}, "r/.github/hooks/l/x.json"},
		"above the folder":                {"r/s/d", map[string]string{"r/s/d/a": "", "r/.git/HEAD": "", "r/.github/hooks/x.json": hook}, "r/.github/hooks/x.json"},
		"above a repository":              {"r/s", map[string]string{"r/s/.git/HEAD": "", "r/.claude/agents/x.md": servedBy}, "r/.claude/agents/x.md"},
		"above a .git that leads nowhere": {"r/s", map[string]string{"r/s/.git@": "/nowhere", ".github/hooks/x.json": hook}, ".github/hooks/x.json"},
		"above a .git file of nothing":    {"r/s", map[string]string{"r/s/.git": "gitdir: /nowhere\n", ".github/agents/x.md": servedBy}, ".github/agents/x.md"},
		"where the folder's link leads":   {"q/l", map[string]string{"r/s/a": "", "q/l@": "../r/s", "r/.github/hooks/x.json": hook}, "r/.github/hooks/x.json"},
		"where the folder's link is":      {"q/l", map[string]string{"r/s/a": "", "q/l@": "../r/s", "q/.github/agents/x.md": servedBy}, "q/.github/agents/x.md"},
		"servers of agents":               {"r", map[string]string{"r/.github/agents/x.agent.md": servedBy}, "r/.github/agents/x.agent.md"},
		"servers of agents in folders":    {"r", map[string]string{"r/.github/agents/a/b/x.md": servedBy}, "r/.github/agents/a/b/x.md"},
		"servers of Claude's agents":      {"r", map[string]string{"r/.claude/agents/x.md": servedBy}, "r/.claude/agents/x.md"},
		"of those in linked folders":      {"r", map[string]string{"e/a/x.md": servedBy, "r/.claude@": "../f", "f/agents@": "../e"}, "r/.claude/agents/a/x.md"},
		"hooks of agents":                 {"r", map[string]string{"r/.github/agents/x.md": "---\nname: x\nhooks:\n  preToolUse: []\n---\n"}, "r/.github/agents/x.md"},
		"settings":                        {"r", map[string]string{"r/.github/copilot/settings.json": hook}, "r/.github/copilot/settings.json"},
		"plugins by settings":             {"r", map[string]string{"r/.github/copilot/settings.local.json": `{"enabledPlugins":{"p@m":true}}`}, "r/.github/copilot/settings.local.json"},
		"settings of Claude":              {"r", map[string]string{"r/.claude/settings.local.json": hook}, "r/.claude/settings.local.json"},
		"servers of the workspace":        {"r", map[string]string{"r/.mcp.json": `{"mcpServers":{"s":{"command":"sh"}}}`}, "r/.mcp.json"},
		"servers of .github, above":       {"r/s", map[string]string{"r/s/a": "", "r/.github/mcp.json": `{"mcpServers":{"s":{"url":"http://x"}}}`}, "r/.github/mcp.json"},
		"language servers":                {"r", map[string]string{"r/.github/lsp.json": `{"lspServers":{"s":{"command":"sh"}}}`}, "r/.github/lsp.json"},
		"the home folder's hooks":         {"home/r", map[string]string{"home/r/a": "", "home/.github/hooks/x.json": hook}, "home/.github/hooks/x.json"},

		"the user's own of Claude":       {"home/r", map[string]string{"home/r/a": "", "home/.claude/agents/x.md": servedBy, "home/.claude/settings.json": hook}, ""},
		"plain agents":                   {"r", map[string]string{"r/.github/agents/x.md": "---\nname: x\ndescription: >\n  a\n  b\ntools: ['*']\nmodel: m\n---\nHi\n---\nmcp\n", "r/.github/agents/README.md": "# Agents\n"}, ""},
		"other files":                    {"r", map[string]string{"r/.github/hooks/x.sh": "", "r/.github/workflows/x.json": hook, "r/.github/x.json": hook, "r/.claude/hooks/x.json": hook, "r/.github/copilot/x.md": ""}, ""},
		"files of that name":             {"r", map[string]string{"r/.github": "", "r/.claude": "", "r/.agents": ""}, ""},
		"harmless settings":              {"r", map[string]string{"r/.github/copilot/settings.json": `{"model":"x"}`, "r/.claude/settings.json": "{}", "r/.mcp.json": `{"mcpServers":{}}`}, ""},
		"below the folder":               {"r", map[string]string{"r/s/.github/hooks/x.json": hook}, ""},
		"texts":                          {"r", map[string]string{"r/AGENTS.md": "x", "r/.github/copilot-instructions.md": "x", "r/.claude/rules/a.md": "x"}, ""},
		"a text by two names":            {"r/s", map[string]string{"r/s/a": "", "r/AGENTS.md": "x", "r/CLAUDE.md@": "AGENTS.md"}, ""},
		"a text in the folder by a link": {"r", map[string]string{"r/docs/a.md": "x", "r/AGENTS.md@": "docs/a.md"}, ""},
		"a text that leads nowhere":      {"r", map[string]string{"r/AGENTS.md@": "/nowhere"}, ""},

		"AGENTS.md from outside":           {"r", map[string]string{"o": "x", "r/AGENTS.md@": "../o"}, "r/AGENTS.md"},
		"by a chain of links":              {"r", map[string]string{"o": "x", "r/in@": "../o", "r/AGENTS.md@": "in"}, "r/AGENTS.md"},
		"a text of a folder above":         {"r/s", map[string]string{"AGENTS.md": "x", "r/s/AGENTS.md@": "../../AGENTS.md"}, "r/s/AGENTS.md"},
		"in small letters":                 {"r", map[string]string{"o": "x", "r/Agents.md@": "../o"}, "r/Agents.md"},
		"CLAUDE.md above":                  {"r/s", map[string]string{"r/s/a": "", "o": "x", "r/CLAUDE.md@": "../o"}, "r/CLAUDE.md"},
		"GEMINI.md":                        {"r", map[string]string{"o": "x", "r/GEMINI.md@": "../o"}, "r/GEMINI.md"},
		"instructions":                     {"r", map[string]string{"o": "x", "r/.github/copilot-instructions.md@": "../../o"}, "r/.github/copilot-instructions.md"},
		"instructions in a linked .github": {"r", map[string]string{"o/copilot-instructions.md": "x", "r/.github@": "../o"}, "r/.github/copilot-instructions.md"},
		"instructions by path":             {"r", map[string]string{"o": "x", "r/.github/instructions/a/b.instructions.md@": "../../../../o"}, "r/.github/instructions/a/b.instructions.md"},
		"rules of Claude":                  {"r", map[string]string{"o": "x", "r/.claude/rules/a.md@": "../../../o"}, "r/.claude/rules/a.md"},
		".claude/CLAUDE.md":                {"r", map[string]string{"o": "x", "r/.claude/CLAUDE.md@": "../../o"}, "r/.claude/CLAUDE.md"},
		"an agent's description":           {"r", map[string]string{"o/x.md": "---\nname: x\n---\n", "r/.github/agents@": "../../o"}, "r/.github/agents/x.md"},
		"a skill":                          {"r", map[string]string{"o/SKILL.md": "x", "r/.agents/skills/s@": "../../../o"}, "r/.agents/skills/s/SKILL.md"},
		"a secret of the folder":           {"r", map[string]string{"r/.env": "x", "r/AGENTS.md@": ".env"}, "r/AGENTS.md"},
	} {
		t.Run(name, func(t *testing.T) {
			found, names := find(tree(t, c.files), c.cwd)
			if got := strings.Join(names, " "); got != c.want || !found.Whole || (found.State == "") != (c.want == "") || (len(found.Notes) == 0) != (c.want == "") {
				t.Errorf("found %q %+v", got, found)
			}
		})
	}
}

func TestWhatIsNotUnderstoodIsFoundAndNamed(t *testing.T) {
	many := map[string]string{"r/a": ""}
	for i := range maxFiles + 1 {
		many[fmt.Sprintf("r/.github/hooks/%03d.json", i)] = hook
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string // in the notes
	}{
		"a large file":                {map[string]string{"r/.github/hooks/x.json": strings.Repeat(" ", maxFile+1)}, ".github/hooks/x.json has more than"},
		"a large agent":               {map[string]string{"r/.claude/agents/x.md": strings.Repeat(" ", maxFile+1)}, ".claude/agents/x.md has more than"},
		"many files":                  {many, ".github/hooks/100.json and what follows is more"},
		"a loop":                      {map[string]string{"r/.github/hooks/a/l@": ".."}, ".github/hooks/a/l is a link to a folder that it is in"},
		"a link to itself":            {map[string]string{"r/.github/hooks/l.json@": "l.json"}, "l.json cannot be read"},
		"hooks that lead away":        {map[string]string{"r/.github/hooks/l.json@": "/nowhere"}, "l.json cannot be read"},
		"a folder as a file":          {map[string]string{"r/.mcp.json/x": ""}, ".mcp.json is no regular file"},
		"a deep folder":               {map[string]string{"r/.github/hooks/" + strings.Repeat("d/", maxDepth) + "x.json": hook}, fmt.Sprintf("lies more than %d folders deep", maxDepth)},
		"a linked folder in a circle": {map[string]string{"r/.github/agents/l@": "l"}, ".github/agents/l cannot be read"},
		"a circle of such folders":    {map[string]string{"r/.github/agents@": "agents"}, ".github/agents cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			found, _ := find(tree(t, c.files), "r")
			if found.Whole || len(found.Files) == 0 || !strings.Contains(strings.Join(found.Notes, "\n"), c.want) {
				t.Errorf("found %+v", found)
			}
		})
	}
}

func TestTheStateIsThatOfTheContent(t *testing.T) {
	top := tree(t, map[string]string{"r/.github/hooks/l.json@": "../../x", "r/x": hook, "r/y": hook})
	first, _ := find(top, "r")
	if again, _ := find(top, "r"); again.State != first.State || !strings.HasPrefix(first.State, "sha256:") {
		t.Errorf("%s, then %s", first.State, again.State)
	}
	if err := os.WriteFile(filepath.Join(top, "r", "x"), []byte(hook+" "), 0o600); err != nil {
		t.Fatal(err)
	}
	changed, _ := find(top, "r")
	link := filepath.Join(top, "r", ".github", "hooks", "l.json")
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := links.Make(t, "../../y", link); err != nil {
		t.Fatal(err)
	}
	turned, _ := find(top, "r")
	if changed.State == first.State || turned.State == first.State || turned.State == changed.State {
		t.Errorf("%s, %s, %s", first.State, changed.State, turned.State)
	}
}

func TestManyLinksAreNotFollowedForEver(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		for _, l := range "abcd" {
			files[fmt.Sprintf("r/.github/hooks/d%02d/%c@", i, l)] = fmt.Sprintf("../d%02d", i+1)
		}
	}
	found, _ := find(tree(t, files), "r")
	if found.Whole || !strings.Contains(strings.Join(found.Notes, "\n"), "more than is looked at") {
		t.Errorf("found %+v", found)
	}
}

func TestTheQuestionShowsWhatRuns(t *testing.T) {
	for text, want := range map[string]string{
		hook: "sessionStart: touch x",
		`{"hooks":{"preToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"a"},{"type":"command","exec":"b","args":["c d","e"]}]}]}}`: "preToolUse.hooks: a|preToolUse.hooks.args: \"c d\" \"e\"|preToolUse.hooks.exec: b|preToolUse.matcher: *",
		`{"hooks":{},"hooks":{"x":1}}`: `not understood, so it is shown as it is|{"hooks":{},"hooks":{"x":1}}`,
	} {
		lines, counts := hooks([]byte(text))
		if got := strings.Join(lines, "|"); got != want || !counts {
			t.Errorf("%s: shown %q", text, got)
		}
	}
	lines, counts := servers([]byte(`{"mcpServers":{"s":{"type":"local","command":"sh","args":["-c","x"],"env":{"A":"b"}}}}`))
	if got := strings.Join(lines, "|"); !counts || got != `mcpServers.s.args: "-c" "x"|mcpServers.s: sh|mcpServers.s.env.A: b|mcpServers.s.type: local` {
		t.Errorf("shown %q", got)
	}
	long := tree(t, map[string]string{"r/.github/hooks/x.json": `{"hooks":{"e":[{"bash":"` + strings.Repeat("x", 2*maxLine) + `; evil"}]}}`})
	if found, _ := find(long, "r"); !strings.HasSuffix(found.Notes[0], "; evil") || !strings.Contains(found.Notes[0], "characters left out") {
		t.Errorf("shown %q", found.Notes)
	}
}

// TestAnAgentIsHarmlessOnlyIfItReadsInOneWay has the ways in which Copilot 1.0.102 found servers (✓) and some in which it did
// not.
func TestAnAgentIsHarmlessOnlyIfItReadsInOneWay(t *testing.T) {
	for name, text := range map[string]string{
		"plainly ✓":              servedBy,
		"line ends of Windows ✓": strings.ReplaceAll(servedBy, "\n", "\r\n"),
		"a mark of its order ✓":  "\ufeff" + servedBy,
		"blanks after ✓":         strings.Replace(servedBy, "---\n", "---  \n", 1),
		"escapes ✓":              "---\n\"mcp\\x2dservers\": {}\n---\n",
		"a complex key ✓":        "---\n? mcp-servers\n: {}\n---\n",
		"a tag ✓":                "---\n!!str mcp-servers: {}\n---\n",
		"an old line end ✓":      "---\r\nname: v\rhooks: {}\r\n---\n",
		"a line separator ✓":     "---\nname: v\u2028hooks: {}\n---\n",
		"a next line ✓":          "---\nname: v\u0085hooks: {}\n---\n",
		"moved in ✓":             "---\n  name: v\n  hooks: {}\n---\n",
		"merged":                 "---\nname: &a {hooks: {}}\n<<: *a\n---\n",
		"an alias":               "---\n*a : b\n---\n",
		"another name":           "---\nmcpServers: {}\n---\n",
		"a blank line first":     "\n---\nhooks: {}\n---\n",
		"no end":                 "---\nname: x\n",
		"unknown members":        "---\nstartup: sh\n---\n",
		"no text":                "\xff\xfe",
	} {
		if _, counts := agent([]byte(text)); !counts {
			t.Errorf("%s: taken for harmless: %q", name, text)
		}
	}
	for name, text := range map[string]string{
		"without a head": "# Title\n\nText\n---\n",
		"empty":          "",
		"a head":         "---\nname: x\n# hooks: none\ndescription: |\n  hooks: are told of here\n\ntools:\n- a\n- b\n---\nhooks: in the text\n",
	} {
		if lines, counts := agent([]byte(text)); counts {
			t.Errorf("%s: %q", name, lines)
		}
	}
}
