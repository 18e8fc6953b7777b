package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func equal(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// The order of images is: open, touched by the agent, named in the command, recently changed, the rest by size. With
// room for n of them, exactly the first n are known.
func TestImagesAreTakenInTheirOrder(t *testing.T) {
	order := []string{"open", "touched", "named", "newest", "newer", "small", "large"}
	for n := range len(order) + 1 {
		x, dir := folder(t)
		size := 0
		for i, name := range order {
			text := strings.Repeat("x", 100+i)
			if i < n {
				size += len(text)
			}
			write(t, filepath.Join(dir, name), text)
			age := 48 * time.Hour
			switch name {
			case "newest":
				age = time.Minute
			case "newer":
				age = time.Hour
			}
			when := time.Now().Add(-age)
			if err := os.Chtimes(filepath.Join(dir, name), when, when); err != nil {
				t.Fatal(err)
			}
		}
		x.maxBytes = int64(size)
		x.before = time.Minute
		before(t, x, Hints{Open: []string{filepath.Join(dir, "open")}, Touched: []string{filepath.Join(dir, "touched")}, Command: "sed -i s/x/y/ 'named'"})
		var got []string
		for _, name := range order {
			if x.files[filepath.Join(dir, name)].known {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, order[:n]) {
			t.Errorf("with room for %d there are %q", n, got)
		}
		if x.bytes != int64(size) {
			t.Errorf("%d bytes are counted, %d are there", x.bytes, size)
		}
	}
}

func TestIgnoredFilesAreNoChangesUnlessTheyAreNamed(t *testing.T) {
	x, dir := folder(t)
	write(t, filepath.Join(dir, ".gitignore"), "out/\n*.log\n!keep.log\n")
	for _, f := range []string{"out/a", "b.log", "keep.log", "sub/c.log", "named.log"} {
		write(t, filepath.Join(dir, f), "1")
	}
	before(t, x, Hints{Command: "echo 2 >named.log"})
	for _, f := range []string{"out/a", "b.log", "keep.log", "sub/c.log", "named.log"} {
		write(t, filepath.Join(dir, f), "22")
	}
	equal(t, told(t, x), "modified keep.log: 1 → 22", "modified named.log: 1 → 22")
}

// A command that begins while another one runs does not take what that one has changed for the state before it.
func TestALookBesideARunningCommandTakesNothingIn(t *testing.T) {
	x, dir := folder(t)
	write(t, filepath.Join(dir, "a"), "1")
	write(t, filepath.Join(dir, "b"), "1")
	before(t, x, Hints{})
	first := x.Hold()
	write(t, filepath.Join(dir, "a"), "22")
	write(t, filepath.Join(dir, "new"), "n")
	before(t, x, Hints{Open: []string{filepath.Join(dir, "a")}})
	second := x.Hold()
	write(t, filepath.Join(dir, "b"), "22")
	equal(t, told(t, x), "modified a: 1 → 22", "modified b: 1 → 22", "created new:  → n")
	second()
	first()
	first() // twice is once
	write(t, filepath.Join(dir, "a"), "333")
	before(t, x, Hints{})
	equal(t, told(t, x))
	if x.Held() {
		t.Errorf("%d commands are held", x.holds.Load())
	}
}

// A look that was cut short knows only what it came by. An image from an earlier look is no image of the state before
// the command, for somebody else may have written in between: it is not passed off as one.
func TestAnImageThatWasNotLookedAtAgainIsNotTheStateBefore(t *testing.T) {
	x, dir := folder(t)
	write(t, filepath.Join(dir, "a"), "1")
	before(t, x, Hints{})
	equal(t, told(t, x))
	write(t, filepath.Join(dir, "a"), "theirs")
	x.before, x.always = -time.Second, 0 // no time for anything
	before(t, x, Hints{})
	if x.whole {
		t.Fatal("a look without time saw everything")
	}
	write(t, filepath.Join(dir, "a"), "the command's")
	equal(t, told(t, x), "modified a: ? → the command's")
	// The look afterwards has seen it all again.
	x.before, x.always = BeforeBudget, beforeAlways
	before(t, x, Hints{})
	write(t, filepath.Join(dir, "a"), "again")
	equal(t, told(t, x), "modified a: the command's → again")
}

// A small folder is known whole although no time is left: on a busy machine a command's change would be shown without its text
// before, and could not be undone.
func TestASmallFolderIsKnownWholeOnABusyMachine(t *testing.T) {
	x, dir := folder(t)
	write(t, filepath.Join(dir, "a"), "1")
	write(t, filepath.Join(dir, "d/b"), "1")
	x.before = -time.Second
	before(t, x, Hints{})
	write(t, filepath.Join(dir, "a"), "2")
	write(t, filepath.Join(dir, "d/b"), "2")
	equal(t, told(t, x), "modified a: 1 → 2", "modified d/b: 1 → 2")
}

func TestMoves(t *testing.T) {
	x, dir := folder(t)
	write(t, filepath.Join(dir, "a"), "text of a")
	write(t, filepath.Join(dir, "d/one"), "one")
	write(t, filepath.Join(dir, "d/two"), "two")
	write(t, filepath.Join(dir, "e"), "")
	waitForTick(t, x, dir)
	before(t, x, Hints{})
	for from, to := range map[string]string{"a": "b", "d": "f"} {
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "f/one"), "one, changed")
	os.Remove(filepath.Join(dir, "e"))
	write(t, filepath.Join(dir, "empty"), "") // of no content: nobody can tell, and it does not matter
	equal(t, told(t, x), "moved b from a: text of a → text of a", "deleted e:  → ", "created empty:  → ",
		"moved f/one from d/one: one → one, changed", "moved f/two from d/two: two → two")
}

func TestFilesOverTheBoundAreFoundByTheirTimes(t *testing.T) {
	x, dir := folder(t)
	x.maxFiles = 10
	for i := range 30 {
		write(t, filepath.Join(dir, fmt.Sprintf("f%02d", i)), "1")
	}
	waitForTick(t, x, dir)
	before(t, x, Hints{})
	if len(x.files) > 10 || x.whole {
		t.Fatalf("%d files are known, all: %v", len(x.files), x.whole)
	}
	write(t, filepath.Join(dir, "f03"), "22")
	write(t, filepath.Join(dir, "f25"), "22")
	write(t, filepath.Join(dir, "new"), "n")
	equal(t, told(t, x), "modified f03: 1 → 22", "modified f25: ? → 22", "created new:  → n")
}

// waitForTick returns when the file system's clock has moved on by more than the index's slack.
func waitForTick(t *testing.T, x *Index, dir string) {
	t.Helper()
	stampOfNew := func() time.Time {
		path := filepath.Join(dir, ".tick")
		write(t, path, "")
		fi, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(path)
		return fi.ModTime()
	}
	for first := stampOfNew(); stampOfNew().Sub(first) < 2*x.slack; {
	}
}

func TestContentsAfterACommandAreBounded(t *testing.T) {
	x, dir := folder(t)
	before(t, x, Hints{})
	for i := range 20 {
		write(t, filepath.Join(dir, fmt.Sprint(i)), strings.Repeat("x", MaxImage))
	}
	list, _, err := x.After(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, c := range list {
		read += len(c.After)
	}
	if len(list) != 20 || read > AfterBudget || x.bytes > ImageBudget {
		t.Errorf("%d changes, %d bytes read, %d kept", len(list), read, x.bytes)
	}
}
