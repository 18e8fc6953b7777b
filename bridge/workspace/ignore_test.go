package workspace

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// git runs git in dir, with no configuration but the one that the test has made.
func git(t *testing.T, dir, home, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && !(args[0] == "check-ignore" && errs.Len() == 0) {
		t.Fatalf("git %v: %v\n%s", args, err, errs.String())
	}
	return out.String()
}

// needGit ends the test where the machine has no git: README's test command wants nothing but Go.
func needGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Log("no git on this machine: the table of known answers stands alone")
		t.SkipNow()
	}
}

// home gives the code under test the same configuration as git.
func newHome(t *testing.T) string {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	return home
}

// The grid: each pattern, and pairs of a pattern and a negated one, about each path.
var (
	gridPatterns = []string{
		"a", "a/", "/a", "/a/", "*.o", "*", "*/", "build/*", "build/", "foo/*", "/foo/*", "foo/**", "**/foo", "**/b/**", "**/b", "a/**/b", "a/**", "/**",
		"**", "**/", "foo**", "foo**bar", "a/foo**", "?", "??", "a?b", "foo/?", "[ab]", "[!ab]", "[^ab]", "[a-c]", "[]a]", "[!]a]", "[a", "[a-", "[]", "[[:alpha:]]", "[[:digit:][:upper:]]",
		"[[:none:]]", "[[:alpha:]", `\*`, `\a`, `a\`, `\#x`, `\!x`, "#x", "!x", "a ", `a\ `, "a\t", " a", "a/b", "a/b/", "a/*/b", "a/*b", "*/b", "*a*", "*a*b*", "a//b", "//a", "a//",
		".env", "*.*", ".*", "x/../a", "./a", "[/]", "a[/]b", "foo[!/]bar", "*.O", "[A-B]", "A", "ü", "?ü", "*[!o]", "b/**/", "**/*.o", "a/**/**/b", "**/**", "a\r", "node_modules", "[a\\]b]", "[\\a-c]", "[--0]", "[a-]",
	}
	gridPaths = []string{
		"c", "]", "-", "*", "ab", "axb", "ba", "!x", "#x", "a ", " a", "a\t", "a\\", ".env", "a.o", "a.O", "A", "ü", "xü", "a/a", "a/b", "a/foo/b", "y/a", "y/b", "a/foo/foobar/x", "a/x/b", "a/x/y/b", "x/a/b",
		"b/a", "b/c/d", "x/b/c", "x/y/b/z", "build/keep.go", "build/x/keep.go", "x/build/keep.go", "foo/x", "foo/b", "foobar", "fooxbar/y", "foo/xbar", "x/foo", "x/y/foo/z", "x/.env", "x/a.o",
		"node_modules/a/b", "1", "B", "[a", "[a]", "x/1",
	}
)

func TestIgnoredSaysWhatGitSays(t *testing.T) {
	needGit(t)
	home := newHome(t)
	repo := t.TempDir()
	git(t, repo, home, "", "init", "-q")
	for _, p := range gridPaths {
		put(t, repo, p, "x")
	}
	texts := slices.Clone(gridPatterns)
	for i, p := range gridPatterns {
		for _, not := range []string{"!build/keep.go", "!a/b", "!*.o", "!x/", "!" + gridPatterns[(i*7+3)%len(gridPatterns)]} {
			texts = append(texts, p+"\n"+not)
		}
	}
	asked := 0
	for i, text := range texts {
		where, in := ".gitignore", ""
		if i%3 == 1 {
			where, in = "x/.gitignore", "a\n*.o\n"
		}
		put(t, repo, where, text+"\n")
		if in != "" {
			put(t, repo, ".gitignore", in)
		}
		sameAsGit(t, repo, home, fmt.Sprintf("%s holds %q", where, text), gridPaths)
		asked += len(gridPaths)
		os.Remove(filepath.Join(repo, "x/.gitignore"))
	}
	t.Logf("%d questions", asked)
}

// sameAsGit has git and Ignored say which of the paths are ignored.
func sameAsGit(t *testing.T, repo, home, what string, paths []string) {
	t.Helper()
	out := git(t, repo, home, strings.Join(paths, "\x00"), "check-ignore", "-z", "--stdin")
	says := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for _, p := range paths {
		if got, want := Ignored(repo, filepath.Join(repo, filepath.FromSlash(p))), slices.Contains(says, p); got != want {
			t.Errorf("%s: ignored %q: %v, git says %v", what, p, got, want)
		}
	}
}

// Patterns nobody would write, of the characters that mean something.
func TestIgnoredSaysWhatGitSaysOfRandomPatterns(t *testing.T) {
	needGit(t)
	home := newHome(t)
	repo := t.TempDir()
	git(t, repo, home, "", "init", "-q")
	paths := []string{"a/a", "a/b", "b/a/b", "b/b/a", "ab", "ba/a", "a-b", "b/-", "b/]", "b/[", "b/^a", "aab/abb", "b/!", `b/\`}
	for _, p := range paths {
		put(t, repo, p, "x")
	}
	random := rand.New(rand.NewPCG(1, uint64(len(paths))))
	const letters = `aabb**?/[]!^-\:`
	for range 600 {
		var text strings.Builder
		for range 1 + random.IntN(3) {
			for range 1 + random.IntN(8) {
				text.WriteByte(letters[random.IntN(len(letters))])
			}
			text.WriteByte('\n')
		}
		put(t, repo, ".gitignore", text.String())
		sameAsGit(t, repo, home, fmt.Sprintf("%q", text.String()), paths)
	}
}

func TestIgnoredReadsAllThatGitReads(t *testing.T) {
	needGit(t)
	paths := []string{"a.log", "sub/a.log", "sub/b.tmp", "c.tmp", "local", "sub/local", "KEEP.TXT", "keep.txt", "deep/er/x", "spaced name"}
	for name, set := range map[string]func(t *testing.T, repo, home string){
		"exclude": func(t *testing.T, repo, home string) {
			put(t, repo, ".git/info/exclude", "# mine\n*.log\n/local\n")
			put(t, repo, ".gitignore", "!sub/a.log\n")
		},
		"the default excludesFile": func(t *testing.T, repo, home string) { put(t, home, ".config/git/ignore", "*.tmp\n!c.tmp\n") },
		"exclude counts more than excludesFile": func(t *testing.T, repo, home string) {
			put(t, home, ".config/git/ignore", "*.tmp\n")
			put(t, repo, ".git/info/exclude", "!c.tmp\n")
		},
		"core.excludesFile of the user": func(t *testing.T, repo, home string) {
			put(t, home, ".gitconfig", "[user]\n\tname = x ; y\n[Core]\n\tExcludesFile = \"~/my ignores\" # here\n")
			put(t, home, "my ignores", "/deep\n*.tmp\n")
			put(t, home, ".config/git/ignore", "*.log\n")
		},
		"core.excludesFile of the repository": func(t *testing.T, repo, home string) {
			put(t, home, ".gitconfig", "[core] excludesfile = /nowhere\n")
			put(t, home, "its", "*.log\n")
			git(t, repo, home, "", "config", "core.excludesFile", filepath.Join(home, "its"))
		},
		"by an include, over two lines": func(t *testing.T, repo, home string) {
			put(t, home, ".config/git/config", "[include]\n\tpath = more\n")
			put(t, home, ".config/git/more", "[core]\n\texcludesFile = \\\n~/it\\\ns\n")
			put(t, home, "its", "*.tmp\n")
		},
		"core.ignoreCase": func(t *testing.T, repo, home string) {
			git(t, repo, home, "", "config", "core.ignoreCase", "true")
			put(t, repo, ".gitignore", "Keep.*\nSUB/[A-B].l?g\nDEEP/\n[[:upper:]].TMP\n")
		},
		"nothing": func(*testing.T, string, string) {},
	} {
		t.Run(name, func(t *testing.T) {
			home, repo := newHome(t), t.TempDir()
			git(t, repo, home, "", "init", "-q")
			for _, p := range paths {
				put(t, repo, p, "x")
			}
			set(t, repo, home)
			sameAsGit(t, repo, home, name, paths)

			work := filepath.Join(t.TempDir(), "tree")
			git(t, repo, home, "", "commit", "-q", "--allow-empty", "-m", "x")
			git(t, repo, home, "", "worktree", "add", "-q", work)
			for _, p := range paths {
				put(t, work, p, "x")
			}
			sameAsGit(t, work, home, name+", in a worktree", paths)
		})
	}
}

// TestATrackedFileIsNeverLeftOut guards the review: a command's change to a file that git tracks shows, whatever the
// ignore files say, in every form that git's index has.
func TestATrackedFileIsNeverLeftOut(t *testing.T) {
	needGit(t)
	for name, form := range map[string][]string{
		"version 2":     {"update-index", "--index-version", "2"},
		"version 3":     {"add", "-f", "-N", "out/later"},
		"version 4":     {"update-index", "--index-version", "4"},
		"split":         {"update-index", "--split-index"},
		"no extensions": {"read-tree", "HEAD"},
	} {
		for _, hash := range []string{"sha1", "sha256"} {
			t.Run(name+" "+hash, func(t *testing.T) {
				home, repo := newHome(t), t.TempDir()
				git(t, repo, home, "", "init", "-q", "--object-format="+hash)
				tracked := []string{".gitignore", "out/keep", "out/a/b/keep", "out-more", "x.log", "sub/x.log", "sub/y/z.log"}
				for _, p := range append(slices.Clone(tracked), "out/not", "out/a/not", "other.log", "sub/y/other.log", "out/later") {
					put(t, repo, p, "x")
				}
				put(t, repo, ".gitignore", "out*\n*.log\n")
				git(t, repo, home, "", append([]string{"add", "-f"}, tracked...)...)
				git(t, repo, home, "", "commit", "-q", "-m", "x")
				git(t, repo, home, "", form...)
				if form[0] == "add" {
					tracked = append(tracked, "out/later")
				}
				slices.Sort(tracked)
				if got := walked(t, repo); !slices.Equal(got, tracked) {
					t.Errorf("a walk sees %q, git tracks %q", got, tracked)
				}
				for _, p := range tracked {
					if Ignored(repo, filepath.Join(repo, p)) {
						t.Errorf("%s is left out", p)
					}
				}
			})
		}
	}
}

func TestARepositoryInsideAnotherHasItsOwnRules(t *testing.T) {
	newHome(t)
	dir := tree(t, `
-- .git/HEAD --
ref: refs/heads/main
-- .gitignore --
*.log
-- a.log --
-- b.txt --
-- inner/.git/HEAD --
ref: refs/heads/main
-- inner/.gitignore --
*.txt
-- inner/a.log --
-- inner/b.txt --
`)
	if got, want := walked(t, dir), []string{".gitignore", "b.txt", "inner/.gitignore", "inner/a.log"}; !slices.Equal(got, want) {
		t.Errorf("a walk sees %q, want %q", got, want)
	}
}

func TestAHostilePatternCostsNoTime(t *testing.T) {
	g := glob{pattern: strings.Repeat("*a", 30) + strings.Repeat("**/", 30) + "b", path: true}
	if g.match(strings.Repeat("a/", 1000)) { // would take years without memory
		t.Error("it matches")
	}
}

func FuzzGlob(f *testing.F) {
	for _, p := range gridPatterns {
		f.Add(p, "a/b")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		for _, path := range []bool{false, true} {
			g := glob{pattern: pattern, path: path}
			if g.match(text) && path && !strings.Contains(pattern, "**") && strings.Count(text, "/") != strings.Count(pattern, "/")-strings.Count(pattern, "[/]") && !strings.Contains(pattern, "[") {
				t.Errorf("%q matches %q over a slash", pattern, text)
			}
		}
		p, ok := newPattern(pattern)
		if ok {
			p.match(text, true, true)
		}
	})
}

func FuzzGitIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"))
	f.Add(append([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"), make([]byte, 200)...))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, hash := range []int{20, 32} {
			names, _, ok := indexNames(text, hash)
			if !ok && names != nil {
				t.Error("names of an index that does not add up")
			}
		}
	})
}

func FuzzGitConfig(f *testing.F) {
	f.Add("[core]\n\texcludesFile = \"a\\\"b\" ; c\n")
	f.Fuzz(func(t *testing.T, text string) {
		eachSetting(text, func(name, value string) {
			if !strings.Contains(name, ".") {
				t.Errorf("setting %q without a section", name)
			}
		})
	})
}

// As git 2.39.5 reads it (git config -l).
func TestACommentEndsAValueAndNoSubsection(t *testing.T) {
	const text = "[remote \"a#b;c=d\"]\n\tpromisor\n\turl = x#y\n[core] bare = \"#\" ; c\n"
	var got []string
	eachSetting(text, func(name, value string) { got = append(got, name+"="+value) })
	want := []string{"remote.a#b;c=d.promisor=", "remote.a#b;c=d.url=x", "core.bare=#"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBytecodeIsLeftOut: what Python makes beside what it runs is not compared, unless the project's patterns want it.
func TestBytecodeIsLeftOut(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "pkg/__pycache__/a.cpython-313.pyc", "x")
	put(t, dir, "pkg/a.py", "x")
	pyc := filepath.Join(dir, "pkg", "__pycache__", "a.cpython-313.pyc")
	if !Ignored(dir, pyc) || Ignored(dir, filepath.Join(dir, "pkg", "a.py")) {
		t.Error("bytecode counts, or the program does not")
	}
	put(t, dir, ".gitignore", "!__pycache__/\n")
	if Ignored(dir, pyc) {
		t.Error("the pattern does not count")
	}
}
