package policy

import (
	"flag"
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/dev/control-files.md")

const listPage = "../../docs/dev/control-files.md"

// page is the list as docs/dev/control-files.md shows it.
func page() string {
	var b strings.Builder
	b.WriteString(`# Control files

<!-- Made from bridge/policy/control_list.txt: go test ./bridge/policy -run TestThePageShowsTheList -update -->

Files and folders that are run, or that change what is run or what is asked, although you run nothing of the project: by opening the
folder, by entering it in a shell, by a git command, by an agent that starts, by a push. Every change of them asks ([security.md](security.md),
rule 3). A name counts wherever it is, with all that is below it; ` + "`a/b`" + ` is b directly in a folder a. Case does not matter.
Build files and source are not among them (Makefile, package.json, build.rs): they are what you run.

`)
	fmt.Fprintf(&b, "Below %s prose and pictures are ordinary files, unless another entry names them: %s.\n", code(proseIn), code(prose))
	last := ""
	for _, row := range controlList() {
		if row.kind != last {
			fmt.Fprintf(&b, "\n## %s\n\n| names | source |\n|---|---|\n", strings.ToUpper(row.kind[:1])+row.kind[1:])
			last = row.kind
		}
		fmt.Fprintf(&b, "| %s | %s |\n", code(row.names), row.source)
	}
	return b.String()
}

func code(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func TestThePageShowsTheList(t *testing.T) {
	if *update {
		if err := os.WriteFile(listPage, []byte(page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(listPage); err != nil || string(b) != page() {
		t.Errorf("docs/dev/control-files.md is not the list of control_list.txt (%v): run this test with -update", err)
	}
}

// TestTheRuleNamesControlFiles guards rule 3 of docs/dev/security.md: what it calls a control file is one.
func TestTheRuleNamesControlFiles(t *testing.T) {
	b, err := os.ReadFile("../../docs/dev/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rule, _ := strings.Cut(string(b), "\n3. **Control files always ask**")
	rule, _, ok := strings.Cut(rule, "The whole list is in")
	names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(rule, -1)
	if !ok || len(names) < 20 {
		t.Fatalf("rule 3 is not where it was: %q", names)
	}
	for _, n := range names {
		name := strings.NewReplacer("*", "x", "/", "/").Replace(n[1])
		if n[1] == "allow_all" {
			continue
		}
		if _, ok := Control(Path{Given: "/w/" + name, Roots: []string{"/w"}}); !ok {
			t.Errorf("rule 3 names %s, which is no control file", n[1])
		}
	}
}

// address is the name of a site, or of a page of ours.
var address = regexp.MustCompile(`[a-z0-9-]+\.(?:[a-z]{2,}\b)`)

func TestEachEntryIsWellFormed(t *testing.T) {
	seen := map[string]string{}
	for _, row := range controlList() {
		if row.kind == "" || row.source == "" || len(row.names) == 0 {
			t.Errorf("%+v lacks something", row)
		}
		if !address.MatchString(row.source) {
			t.Errorf("the source %q has no address to look it up at", row.source)
		}
		if at := address.FindStringIndex(row.source); at != nil && at[0] == 0 {
			t.Errorf("the source %q does not say what the program does", row.source)
		}
		for _, name := range row.names {
			if was, ok := seen[name]; ok {
				t.Errorf("%s is there twice: %s and %s", name, was, row.source)
			}
			seen[name] = row.source
			if Fold(name) != name || strings.HasPrefix(name, "/") || strings.HasSuffix(name, "/") {
				t.Errorf("%s is not written as names are compared", name)
			}
			if strings.Count(name, "/") > 1 {
				t.Errorf("%s has more than two parts, which the search for links does not look for", name)
			}
			for part := range strings.SplitSeq(name, "/") {
				if _, err := path.Match(part, ""); err != nil || strings.Trim(part, "*.?") == "" {
					t.Errorf("%s: %q matches nothing, or everything", name, part)
				}
			}
		}
	}
}

func TestBelowDotGithubOnlyProseIsOrdinary(t *testing.T) {
	for name, want := range map[string]bool{
		".github": true, ".github/lsp.json": true, ".github/extensions/x/extension.mjs": true, ".github/plugin/plugin.json": true, ".github/dependabot.yml": true,
		".github/CODEOWNERS": true, ".github/x.svg": true, ".github/docs": true, ".github/new/x.json": true, ".github/README.md.sh": true,
		".github/copilot-instructions.md": true, ".github/agents/a.md": true, ".github/agents/deep/a.MD": true, ".github/instructions/x.md": true,
		".github/prompts/x.md": true, ".github/chatmodes/x.md": true, ".github/skills/s/notes.txt": true, ".github/workflows/w.md": true, ".github/hooks/x.png": true,
		".github/AGENTS.md": true, ".github/docs/CLAUDE.md": true, ".github/x.prompt.md": true, ".github/docs/x.instructions.md": true, ".github/a.agent.md": true,
		".GitHub/lsp.json": true, ".github./lsp.json": true, ".github/.github/x.json": true,
		".github/CONTRIBUTING.md": false, ".github/PULL_REQUEST_TEMPLATE/a.md": false, ".github/a.png": false, ".github/docs/b.txt": false, ".github/LICENSE.md": false,
	} {
		if what, ok := Control(Path{Given: "/w/" + name, Roots: []string{"/w"}}); ok != want {
			t.Errorf("%s: %q, %v", name, what, ok)
		}
	}
}

func TestWhereControlFilesMayBe(t *testing.T) {
	for name, want := range map[string]bool{
		".config": true, "a/.config": true, ".yarn": true, "gradle": true, ".vscode": true, "x/.env": true, "id_rsa": true, ".docker": true,
		"src": false, "config": false, ".yarn/cache": false, "a.txt": false,
	} {
		if got := MayHold(Path{Given: "/w/" + name, Roots: []string{"/w"}}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func BenchmarkControl(b *testing.B) {
	p := Path{Given: "/home/u/w/src/internal/server/handler_test.go", Real: "/home/u/w/src/internal/server/handler_test.go", Roots: []string{"/home/u/w"}}
	for b.Loop() {
		if _, ok := Control(p); ok {
			b.Fatal("it is a control file")
		}
	}
}
