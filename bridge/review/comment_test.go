package review

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestACommentMovesWithItsLines: what is typed above pushes it down, what is typed into its lines is quoted, and nothing else moves it.
func TestACommentMovesWithItsLines(t *testing.T) {
	const text = "1\n2\n3\n4\n5\n6\n"
	for name, c := range map[string]struct {
		to     string
		lo, hi int
	}{
		"nothing":                      {text, 2, 4},
		"lines above":                  {"0\n1\n2\n3\n4\n5\n6\n", 3, 5},
		"a line above is gone":         {"2\n3\n4\n5\n6\n", 1, 3},
		"directly above":               {"1\n2\nx\n3\n4\n5\n6\n", 3, 5},
		"directly below":               {"1\n2\n3\n4\nx\n5\n6\n", 2, 4},
		"below":                        {"1\n2\n3\n4\n5\n", 2, 4},
		"a line of it is another":      {"1\n2\n3!\n4\n5\n6\n", 2, 4},
		"a line between":               {"1\n2\n3\nx\ny\n4\n5\n6\n", 2, 6},
		"one of its lines is gone":     {"1\n2\n4\n5\n6\n", 2, 3},
		"all its lines are gone":       {"1\n2\n5\n6\n", 2, 2},
		"it and the lines above":       {"1\nx\ny\nz\n4\n5\n6\n", 1, 5},
		"above and within at one time": {"0\n1\n2\n3!\n4\n5\n6\n", 3, 5},
	} {
		b := newBook(Config{})
		got, err := b.Comment(Comment{Path: "/a", StartLine: 2, EndLine: 4, Text: "why?"}, text)
		if err != nil || got.Quoted != "3\n4\n" || got.ID == "" {
			t.Fatalf("%v, %v", got, err)
		}
		b.CommentsFollow("/a", c.to)
		now := b.Comments("/a")[0]
		want := strings.Join(strings.SplitAfter(c.to, "\n")[c.lo:c.hi], "")
		if now.StartLine != c.lo || now.EndLine != c.hi || now.Quoted != want {
			t.Errorf("%s: lines %d to %d, %q, want %d to %d, %q", name, now.StartLine, now.EndLine, now.Quoted, c.lo, c.hi, want)
		}
	}
}

// TestCommentsOutliveTheirBook: those that wait are in the journal, also where nobody closed it, and find their lines in a text of
// which nobody saw how it came to be.
func TestCommentsOutliveTheirBook(t *testing.T) {
	cfg := Config{Dir: t.TempDir(), Workspace: "/w"}
	open := func() *Book {
		b, err := Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := open()
	one, err := b.Comment(Comment{Path: "/w/a", StartLine: 1, EndLine: 2, Text: "one"}, "a\nb\nc\n")
	two, err2 := b.Comment(Comment{Path: "/w/a", StartLine: 2, EndLine: 3, Text: "two", Session: "s"}, "a\nb\nc\n")
	if err := errors.Join(err, err2); err != nil || one.ID == two.ID {
		t.Fatal(err, one, two)
	}
	if _, err := b.EditComment(one.ID, "first"); err != nil {
		t.Fatal(err)
	}
	killed := t.TempDir() // what is on disk when the process is killed
	if err := os.CopyFS(killed, os.DirFS(cfg.Dir)); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"closed": cfg.Dir, "killed": killed} {
		cfg.Dir = dir
		b := open()
		b.CommentsFollow("/w/a", "x\ny\na\nb\nc\n")
		list := b.Comments("")
		if len(list) != 2 || list[0].Text != "first" || list[0].StartLine != 3 || list[1].StartLine != 4 || list[1].Session != "s" {
			t.Errorf("%s: %+v", name, list)
		}
		if n := b.Uncomment(one.ID, "nobody's"); n != 1 || len(b.Comments("")) != 1 {
			t.Errorf("%s: %d were taken away, %v are left", name, n, b.Comments(""))
		}
		three, err := b.Comment(Comment{Path: "/w/b", EndLine: 1, Text: "three"}, "b\n")
		if err != nil || three.ID == one.ID || three.ID == two.ID {
			t.Errorf("%s: %+v, %v", name, three, err)
		}
		b.Close()
		b = open()
		if list := b.Comments(""); len(list) != 2 || list[1] != three {
			t.Errorf("%s, opened once more: %+v", name, list)
		}
		b.Close()
	}
}

// TestCommentsOfABridgeThatIsGoneAreTakenOver: with its journal.
func TestCommentsOfABridgeThatIsGoneAreTakenOver(t *testing.T) {
	cfg := Config{Dir: t.TempDir(), Workspace: "/w"}
	first, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if _, err := first.Comment(Comment{Path: "/w/a", EndLine: 1, Text: "one"}, "a\n"); err != nil {
		t.Fatal(err)
	}
	var told []Comment
	second.SubscribeComments(func(_ string, list []Comment) { told = list })
	first.Close()
	second.Adopt()
	if list := second.Comments(""); len(list) != 1 || list[0].Text != "one" || len(told) != 1 {
		t.Errorf("%+v, told of %+v", list, told)
	}
}

func TestCommentsAreBoundedAndFollowTheirFile(t *testing.T) {
	b := newBook(Config{})
	for _, text := range []string{"", " \n", strings.Repeat("x", MaxCommentText+1)} {
		if _, err := b.Comment(Comment{Path: "/a", EndLine: 1, Text: text}, "a\n"); !errors.Is(err, ErrLongComment) {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
	for range maxComments {
		if _, err := b.Comment(Comment{Path: "/d/a", StartLine: 7, EndLine: 9, Text: "x"}, "a\n"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Comment(Comment{Path: "/a", Text: "x"}, "a\n"); !errors.Is(err, ErrTooManyComments) {
		t.Errorf("one more: %v", err)
	}
	if c := b.Comments("")[0]; c.StartLine != 1 || c.EndLine != 1 || c.Quoted != "" {
		t.Errorf("beyond the end: %+v", c)
	}
	b.Renamed("/d", filepath.FromSlash("/e"))
	if b.HasComments("/d/a") || len(b.Comments("/e/a")) != maxComments {
		t.Error("they did not go with their file")
	}
	if _, err := b.EditComment("nobody.s", "y"); !errors.Is(err, ErrNoComment) {
		t.Error(err)
	}
}
