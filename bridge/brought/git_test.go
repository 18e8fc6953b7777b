package brought

import (
	"strings"
	"testing"
)

// TestAPartialCloneThatNamesProgramsIsFound guards what a git before 2.45 starts when it misses an object: a partial clone that
// names a program, or an address that stands for one, is asked about by whatever file names it, and others are not.
func TestAPartialCloneThatNamesProgramsIsFound(t *testing.T) {
	const partial = "[extensions]\n\tpartialClone = origin\n"
	const promisor = "[remote \"origin\"]\n\tpromisor = true\n\tpartialclonefilter = blob:none\n"
	origin := func(url string) string { return "[remote \"origin\"]\n\turl = " + url + "\n" }
	const ssh = "[core]\n\tsshCommand = ./run\n"
	for name, c := range map[string]struct {
		cwd   string
		files map[string]string
		want  string
	}{
		"sshCommand":                  {"r", map[string]string{"r/.git/config": partial + ssh}, "r/.git/config"},
		"sshCommand, by its promisor": {"r", map[string]string{"r/.git/config": promisor + ssh}, "r/.git/config"},
		"an odd spelling":             {"r", map[string]string{"r/.git/config": "[EXTENSIONS]partialclone=origin\n[CORE]SSHCOMMAND=./run\n"}, "r/.git/config"},
		"an old subsection":           {"r", map[string]string{"r/.git/config": "[remote.origin]promisor\n[remote.origin]uploadpack=./run\n"}, "r/.git/config"},
		"uploadpack":                  {"r", map[string]string{"r/.git/config": promisor + "uploadpack = ./run\n"}, "r/.git/config"},
		"vcs":                         {"r", map[string]string{"r/.git/config": promisor + "vcs = run\n"}, "r/.git/config"},
		"ext::":                       {"r", map[string]string{"r/.git/config": promisor + origin("ext::sh -c run")}, "r/.git/config"},
		"another helper":              {"r", map[string]string{"r/.git/config": promisor + origin("foo::https://example.org/x")}, "r/.git/config"},
		"another scheme":              {"r", map[string]string{"r/.git/config": promisor + origin("foo://example.org/x")}, "r/.git/config"},
		"a folder":                    {"r", map[string]string{"r/.git/config": promisor + origin("../other")}, "r/.git/config"},
		"a host that is an option":    {"r", map[string]string{"r/.git/config": promisor + origin("ssh://-oProxyCommand=run/x")}, "r/.git/config"},
		"instead of":                  {"r", map[string]string{"r/.git/config": promisor + origin("https://example.org/x") + "[url \"ext::sh -c run \"]\n\tinsteadOf = https://example.org/\n"}, "r/.git/config"},
		"a helper for credentials":    {"r", map[string]string{"r/.git/config": promisor + "[credential \"https://example.org\"]\n\thelper = !run\n"}, "r/.git/config"},
		"a proxy":                     {"r", map[string]string{"r/.git/config": promisor + "[core]\n\tgitProxy = run\n"}, "r/.git/config"},
		"an included program":         {"r", map[string]string{"r/.git/config": promisor + "[include]\n\tpath = ../x\n", "r/x": ssh}, "r/x"},
		"an included mark":            {"r", map[string]string{"r/.git/config": ssh + "[includeIf \"gitdir:/nowhere\"]\n\tpath = ../x\n", "r/x": promisor}, "r/.git/config"},
		"the work tree's":             {"r", map[string]string{"r/.git/config": promisor, "r/.git/config.worktree": ssh}, "r/.git/config.worktree"},
		"a .git file":                 {"r", map[string]string{"r/.git": "gitdir: ../g\n", "g/config": promisor + ssh}, "r/../g/config"},
		"a .git file and more":        {"r", map[string]string{"r/.git": "gitdir: ../g/w\n", "g/w/commondir": "..\n", "g/config": promisor + ssh}, "g/config"},
		"a linked .git":               {"r", map[string]string{"r/.git@": "../g", "g/config": promisor + ssh}, "r/.git/config"},
		"above":                       {"r/s/d", map[string]string{"r/s/d/a": "", "r/.git/config": promisor + ssh}, "r/.git/config"},
		"a bare one":                  {"r/s", map[string]string{"r/HEAD": "", "r/objects/a": "", "r/refs/a": "", "r/s/a": "", "r/config": promisor + ssh}, "r/config"},
		"what cannot be read":         {"r", map[string]string{"r/.git/config": "[include]\n\tpath = x\n", "r/.git/x@": "/dev/null"}, "r/.git/config"},

		"no partial clone":            {"r", map[string]string{"r/.git/config": ssh + origin("ext::sh")}, ""},
		"an ordinary one over https":  {"r", map[string]string{"r/.git/config": partial + promisor + origin("https://example.org/x.git")}, ""},
		"an ordinary one over ssh":    {"r", map[string]string{"r/.git/config": promisor + origin("git@example.org:x/y.git")}, ""},
		"an ordinary one with a port": {"r", map[string]string{"r/.git/config": promisor + origin("ssh://git@example.org:22/x/y.git")}, ""},
		"nothing":                     {"r", map[string]string{"r/a": ""}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f, names := find(tree(t, c.files), c.cwd)
			if got := strings.Join(names, " "); strings.ReplaceAll(c.want, "r/../", "") != got {
				t.Errorf("found %q, want %q: %q", got, c.want, f.Notes)
			}
			if c.want == "" && f.State != "" {
				t.Errorf("a state of nothing: %s", f.State)
			}
		})
	}
}

// TestAYesToAPartialCloneIsForWhatItNames: another program is another question, a new branch is not.
func TestAYesToAPartialCloneIsForWhatItNames(t *testing.T) {
	state := func(config string) string {
		f, _ := find(tree(t, map[string]string{"r/.git/config": config}), "r")
		return strings.Join(f.Notes, "\n")
	}
	const one = "[extensions]\n\tpartialClone = origin\n[core]\n\tsshCommand = ./run\n"
	if a, b := state(one), state(one+"[branch \"x\"]\n\tremote = origin\n"); a != b || !strings.Contains(a, "core.sshcommand = ./run") {
		t.Errorf("%s\nthen\n%s", a, b)
	}
	if a, b := state(one), state(strings.Replace(one, "./run", "./other", 1)); a == b {
		t.Errorf("another program gives the same: %s", a)
	}
}
