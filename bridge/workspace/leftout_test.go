package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

// ignoring is an index of a folder where out/ is ignored, and where .vscode, .git and .envrc count.
func ignoring(t *testing.T, files ...string) (*Index, string) {
	t.Helper()
	x, dir := folder(t)
	x.Also(func(rel string) bool {
		parts := strings.Split(rel, "/")
		return slices.Contains(parts, ".vscode") || slices.Contains(parts, ".git") || parts[len(parts)-1] == ".envrc"
	})
	write(t, filepath.Join(dir, ".gitignore"), "out/\n.vscode/\n")
	for _, f := range files {
		write(t, filepath.Join(dir, f), "old")
	}
	waitForTick(t, x, dir)
	before(t, x, Hints{})
	return x, dir
}

func TestWhatCountsIsFoundDeepInIgnoredFolders(t *testing.T) {
	x, dir := ignoring(t, "out/old/.envrc", "out/a/b/.vscode/old.json", "out/in/place/.envrc", "out/plain.o", "out/nested/.git/HEAD", "away/.vscode/tasks.json")
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	write(t, in("out/a/b/.vscode/tasks.json"), "new")
	write(t, in("out/in/place/.envrc"), "changed")
	write(t, in("out/x/plain.o"), "new")
	write(t, in("out/nested/.git/hooks/post-checkout"), "new")
	write(t, in("out/nested/.git/index"), "git's own business")
	check(t, os.MkdirAll(in("out/l"), 0o755))
	check(t, links.Make(t, "/elsewhere", in("out/l/.envrc")))
	check(t, links.Make(t, "/elsewhere", in("out/l/plain")))
	check(t, os.Rename(in("away"), in("out/moved")))
	equal(t, told(t, x),
		"deleted away/.vscode/tasks.json: old → ",
		"created out/a/b/.vscode/tasks.json:  → new",
		"modified out/in/place/.envrc: ? → changed",
		"created out/l/.envrc: ",
		"modified out/moved/.vscode/tasks.json: ? → old",
		"created out/nested/.git/hooks/post-checkout:  → new",
	)
	equal(t, told(t, x)) // told once
	before(t, x, Hints{})
	equal(t, told(t, x))
	waitForTick(t, x, dir)
	before(t, x, Hints{})
	equal(t, told(t, x))
	write(t, in("out/a/b/.vscode/tasks.json"), "newer")
	equal(t, told(t, x), "modified out/a/b/.vscode/tasks.json: ? → newer")
}

func TestManyChangesInIgnoredFoldersAreCounted(t *testing.T) {
	x, dir := ignoring(t)
	for i := range maxLeftOutTold + 7 {
		write(t, filepath.Join(dir, "out", fmt.Sprintf("package%02d", i), ".envrc"), "new")
	}
	write(t, filepath.Join(dir, "out", ".envrc"), "near the top")
	list, rest, err := x.After(t.Context())
	check(t, err)
	if len(list) != maxLeftOutTold || list[0].Path != filepath.Join(dir, "out", ".envrc") {
		t.Errorf("%d are told, first %s", len(list), list[0].Path)
	}
	if n := rest.More[filepath.Join(dir, "out")]; n != 8 || len(rest.More) != 1 || rest.Cut {
		t.Errorf("the rest is %+v", rest)
	}
	if list, rest, err = x.After(t.Context()); err != nil || len(list) != 0 || len(rest.More) != 0 {
		t.Errorf("the next look tells of %v, %+v, %v", list, rest, err)
	}
}

// A folder that counts may have more entries than are known before a command. What was there is not taken for new, whose
// undo would remove it; what is new is found all the same.
func TestALargeFolderThatCountsIsNeitherCutNorTakenForNew(t *testing.T) {
	var files []string
	for i := range maxAlso + 50 {
		files = append(files, fmt.Sprintf(".vscode/%05d", i))
	}
	x, dir := ignoring(t, files...)
	for i := range 100 { // so that others come within the bound
		check(t, os.Remove(filepath.Join(dir, ".vscode", fmt.Sprintf("%05d", i))))
	}
	write(t, filepath.Join(dir, ".vscode", "99999"), "new")
	write(t, filepath.Join(dir, ".vscode", "01045"), "changed")
	var got []string
	for _, line := range told(t, x) {
		if !strings.HasPrefix(line, "deleted ") {
			got = append(got, line)
		}
	}
	slices.Sort(got)
	equal(t, got, "created .vscode/99999:  → new", "modified .vscode/01045: ? → changed")
}

func TestASearchOfIgnoredFoldersThatIsCutShortSaysSo(t *testing.T) {
	x, dir := ignoring(t, "out/deep/er/.envrc")
	x.maxLeftOut = 2
	if _, rest, err := x.After(t.Context()); err != nil || !rest.Cut {
		t.Errorf("of 3 folders 2 were searched: %+v, %v", rest, err)
	}
	x.maxLeftOut = 3
	write(t, filepath.Join(dir, "out/deep/er/.envrc"), "new")
	if list, rest, err := x.After(t.Context()); err != nil || rest.Cut || len(list) != 1 {
		t.Errorf("with room for all: %v %+v, %v", list, rest, err)
	}
}
