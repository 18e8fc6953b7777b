package workspace

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

// An indexed folder, with what a command does to it.
func indexed(t testing.TB, archive string) (*Index, string) {
	t.Helper()
	dir := tree(t, archive)
	x, err := NewIndex(dir)
	if err != nil {
		t.Fatal(err)
	}
	x.before = time.Minute // budgets of time have a test of their own
	return x, dir
}

func (x *Index) lookBefore(t testing.TB, h Hints) {
	t.Helper()
	if err := x.Before(context.Background(), h); err != nil {
		t.Fatal(err)
	}
}

// changes are told as "modified a: old → new", by path.
func changes(t testing.TB, x *Index) (out []string) {
	t.Helper()
	list, _, err := x.After(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	side := func(b []byte, known bool) string {
		if !known {
			return "?"
		}
		return strings.TrimSpace(string(b))
	}
	for _, c := range list {
		rel, err := filepath.Rel(x.dir, c.Path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(c.Kind)+" "+filepath.ToSlash(rel)+": "+side(c.Before, c.HasBefore)+" → "+side(c.After, c.HasAfter))
	}
	slices.Sort(out)
	return out
}

func TestWhatACommandChangedIsTold(t *testing.T) {
	const archive = "-- .gitignore --\n*.o\n-- a --\none\n-- b --\ntwo\n-- c/d --\nthree\n-- x.o --\nbinary\n"
	cases := map[string]struct {
		command func(dir string)
		want    []string
	}{
		"nothing":  {func(string) {}, nil},
		"in place": {func(dir string) { put(t, dir, "a", "ONE\n") }, []string{"modified a: one → ONE"}},
		"replaced, as sed -i does": {func(dir string) {
			put(t, dir, "tmp", "ONE\n")
			check(t, os.Rename(filepath.Join(dir, "tmp"), filepath.Join(dir, "a")))
		}, []string{"modified a: one → ONE"}},
		"same size and time": {func(dir string) {
			fi, err := os.Stat(filepath.Join(dir, "a"))
			check(t, err)
			put(t, dir, "a", "ONE\n")
			check(t, os.Chtimes(filepath.Join(dir, "a"), fi.ModTime(), fi.ModTime()))
		}, []string{"modified a: one → ONE"}},
		"only touched": {func(dir string) {
			check(t, os.Chtimes(filepath.Join(dir, "a"), time.Now(), time.Now().Add(time.Hour)))
		}, nil},
		"new":     {func(dir string) { put(t, dir, "new/deep/n", "n\n") }, []string{"created new/deep/n:  → n"}},
		"gone":    {func(dir string) { check(t, os.Remove(filepath.Join(dir, "b"))) }, []string{"deleted b: two → "}},
		"ignored": {func(dir string) { put(t, dir, "y.o", "x"); put(t, dir, "x.o", "y") }, nil},
		"moved": {func(dir string) { check(t, os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "z"))) },
			[]string{"moved z: one → one"}},
		"a formatter over all": {func(dir string) {
			for _, n := range []string{"a", "b", "c/d"} {
				b, err := os.ReadFile(filepath.Join(dir, n))
				check(t, err)
				put(t, dir, n, "  "+string(b)+"!")
			}
		}, []string{"modified a: one → one\n!", "modified b: two → two\n!", "modified c/d: three → three\n!"}},
		"a link instead of a file": {func(dir string) {
			check(t, os.Remove(filepath.Join(dir, "b")))
			check(t, links.Make(t, "a", filepath.Join(dir, "b")))
		}, []string{"modified b: two → ?"}},
		"a huge file": {func(dir string) { put(t, dir, "huge", strings.Repeat("x", MaxImage+1)) }, []string{"created huge:  → ?"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			x, dir := indexed(t, archive)
			x.lookBefore(t, Hints{})
			c.command(dir)
			if got := changes(t, x); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("told %q, want %q", got, c.want)
			}
			if got := changes(t, x); len(got) > 0 {
				t.Errorf("told again: %q", got)
			}
		})
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestASecondCommandStartsFromTheFirst(t *testing.T) {
	x, dir := indexed(t, "-- a --\none\n")
	x.lookBefore(t, Hints{})
	put(t, dir, "a", "two\n")
	changes(t, x)
	x.lookBefore(t, Hints{})
	put(t, dir, "a", "three\n")
	put(t, dir, "b", "new\n")
	if got := strings.Join(changes(t, x), ", "); got != "created b:  → new, modified a: two → three" {
		t.Errorf("told %s", got)
	}
	x.lookBefore(t, Hints{})
	put(t, dir, "c", "not by a command\n")
	x.lookBefore(t, Hints{}) // no matter who did that, it was before
	if got := changes(t, x); len(got) > 0 {
		t.Errorf("told %q", got)
	}
}

func TestIgnoredFilesCountWhenTheyAreHinted(t *testing.T) {
	x, dir := indexed(t, "-- .gitignore --\ndist/\n*.o\n-- dist/app.js --\none\n-- a.o --\ntwo\n-- b.o --\nthree\n")
	x.lookBefore(t, Hints{Open: []string{filepath.Join(dir, "dist/app.js"), "/elsewhere"}, Touched: []string{filepath.Join(dir, "b.o")}, Command: "cc -o a.o"})
	for _, n := range []string{"dist/app.js", "a.o", "b.o"} {
		put(t, dir, n, "changed\n")
	}
	if got := strings.Join(changes(t, x), ", "); got != "modified a.o: two → changed, modified b.o: three → changed, modified dist/app.js: one → changed" {
		t.Errorf("told %s", got)
	}
}

func TestWhatIsOverTheBudgetIsToldWithoutItsText(t *testing.T) {
	x, dir := indexed(t, "-- a --\naaaa\n-- b --\nbbbb\n-- c --\ncccc\n")
	x.maxBytes = 5
	x.lookBefore(t, Hints{Command: "sed -i s/b/x/ b"})
	for _, n := range []string{"a", "b", "c"} {
		put(t, dir, n, "changed\n")
	}
	if got := strings.Join(changes(t, x), ", "); got != "modified a: ? → changed, modified b: bbbb → changed, modified c: ? → changed" {
		t.Errorf("told %s: the file the command names comes first", got)
	}
	if x.bytes > x.maxBytes {
		t.Errorf("%d bytes are kept, %d are allowed", x.bytes, x.maxBytes)
	}
}

func TestFilesThatNoLookSawAreJudgedByTheirTimes(t *testing.T) {
	x, dir := indexed(t, "-- a/1 --\none\n-- a/2 --\ntwo\n-- b/3 --\nthree\n")
	old := time.Now().Add(-time.Hour)
	for _, n := range []string{"a/1", "a/2", "b/3"} {
		check(t, os.Chtimes(filepath.Join(dir, n), old, old))
	}
	// The times of files lag behind the clock by up to slack; the files are to be older than that.
	for made := time.Now(); time.Since(made) < 2*x.slack; {
		runtime.Gosched()
	}
	x.before, x.always = -1, 0 // out of time before the first file
	x.lookBefore(t, Hints{})
	if x.whole {
		t.Fatal("all was seen")
	}
	put(t, dir, "b/3", "THREE\n")
	put(t, dir, "new", "n\n")
	if got := strings.Join(changes(t, x), ", "); got != "created new:  → n, modified b/3: ? → THREE" {
		t.Errorf("told %s", got)
	}
}

func TestWhatWeWriteOurselvesIsNoChangeOfACommand(t *testing.T) {
	x, dir := indexed(t, "-- a --\none\n-- b --\ntwo\n")
	x.Wrote(filepath.Join(dir, "a")) // before any look
	x.lookBefore(t, Hints{})
	put(t, dir, "a", "ours\n")
	x.Wrote(filepath.Join(dir, "a"))
	put(t, dir, "new", "ours\n")
	x.Wrote(filepath.Join(dir, "new"))
	check(t, os.Remove(filepath.Join(dir, "b")))
	x.Wrote(filepath.Join(dir, "b"))
	x.Wrote("/elsewhere")
	if got := changes(t, x); len(got) > 0 {
		t.Errorf("told %q", got)
	}
	x.lookBefore(t, Hints{})
	put(t, dir, "a", "theirs\n")
	if got := strings.Join(changes(t, x), ", "); got != "modified a: ours → theirs" {
		t.Errorf("told %s", got)
	}
}

func TestALookIsCutShortByItsContext(t *testing.T) {
	x, _ := indexed(t, "-- a --\n")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := x.Before(ctx, Hints{}); err == nil {
		t.Error("no error")
	}
	if _, err := NewIndex(filepath.Join(x.dir, "a")); err == nil {
		t.Error("a file has an index")
	}
	if _, err := NewIndex(filepath.Join(x.dir, "none")); err == nil {
		t.Error("a folder that is not there has an index")
	}
}

func TestNothingIsToldBeforeTheFirstLook(t *testing.T) {
	x, _ := indexed(t, "-- a --\n")
	if got := changes(t, x); got != nil {
		t.Errorf("told %q", got)
	}
}

// One file may be looked at before the others: what it was told of is not told again, and the rest is left for After.
func TestOneFileIsLookedAtBeforeTheOthers(t *testing.T) {
	x, dir := indexed(t, "-- a --\nold\n-- b --\nold\n-- c --\nold\n")
	a, b, c := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")
	x.lookBefore(t, Hints{})
	for _, path := range []string{a, b, c} {
		write(t, path, "newer\n")
	}
	is := func(want string) func([]byte) bool { return func(got []byte) bool { return string(got) == want } }
	if got := x.AfterFile(a, is("other\n")); got != nil {
		t.Errorf("a is told with a text that it does not have: %+v", got)
	}
	if got := x.AfterFile(a, is("newer\n")); got == nil || string(got.Before) != "old\n" || string(got.After) != "newer\n" {
		t.Errorf("a: %+v", got)
	}
	if got := x.AfterFile(a, nil); got != nil {
		t.Errorf("a is told twice: %+v", got)
	}
	if got := x.AfterFile(dir+"x", nil); got != nil {
		t.Errorf("a file elsewhere: %+v", got)
	}
	x.Saved(b, is("newer\n"))
	x.Saved(c, is("other\n")) // written again since
	write(t, a, "newest\n")
	if got, want := changes(t, x), []string{"modified a: newer → newest", "modified c: old → newer"}; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}
