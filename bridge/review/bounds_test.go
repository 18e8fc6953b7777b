package review

import (
	"fmt"
	"strings"
	"testing"
)

func TestWhatACommandChangedIsRecordedTogether(t *testing.T) {
	d := newMemDisk()
	b, _ := openOn(t, d)
	agent(t, b, "t0", "/f1", "1\n2\n", "1\nII\n")
	var cs []Change
	for i := range 5 {
		c := Change{Session: "s", Turn: "t1", Path: fmt.Sprintf("/f%d", i), Kind: KindEdit, Before: "1\n2\n", After: "one\n2\n", BeforeExists: true}
		if i == 1 {
			c.Before, c.After = "1\nII\n", "one\nII\n"
		}
		cs = append(cs, c)
	}
	cs = append(cs, Change{Session: "s", Turn: "t1", Path: "/new", Kind: KindCreate, After: "x\n"}, Change{Path: "/nobody's"})
	if err := b.Record(cs); err == nil {
		t.Fatal("a change of no turn was taken")
	}
	for _, b := range []*Book{b, func() *Book { b, _ := openOn(t, d.crash()); return b }()} {
		if got := len(b.Files(Filter{Turn: "t1"})); got != 6 {
			t.Fatal(got)
		}
		if got := shape(b, "/f1"); got != `0-1 "1\n">"one\n" 1-2 "2\n">"II\n"` {
			t.Fatal(got)
		}
	}
	plans, conflicts := undo(t, b, Selector{Turn: "t1"})
	if len(plans) != 6 || len(conflicts) > 0 {
		t.Fatal(plans, conflicts)
	}
}

func TestTheOldestTurnsAreForgottenAndThatIsSaid(t *testing.T) {
	b := memory(t)
	for i := range MaxTurns + 2 {
		path := fmt.Sprintf("/f%d", i)
		agent(t, b, fmt.Sprint("t", i), path, "1\n", "2\n")
		if i > 0 {
			b.Keep(Selector{Path: path})
		}
	}
	if plans, cs := undo(t, b, Selector{Turn: "t1", Kept: true}); plans != nil || !strings.Contains(reasons(cs), "too long ago") {
		t.Fatal(plans, cs)
	}
	if plans, cs := undo(t, b, Selector{Turn: "t50", Kept: true}); len(plans) != 1 || len(cs) > 0 {
		t.Fatal(plans, cs)
	}
	if plans, cs := undo(t, b, Selector{Turn: "t0"}); len(plans) != 1 || len(cs) > 0 {
		t.Fatal("what is pending was dropped for its age: ", plans, cs)
	}
}

func TestKeptTextsAreNotRememberedWithoutEnd(t *testing.T) {
	b := memory(t)
	long := strings.Repeat("x", MaxIdle/4)
	for i := range 8 {
		path := fmt.Sprintf("/f%d", i)
		agent(t, b, fmt.Sprint("t", i), path, long, long+"y")
		b.Keep(Selector{All: true})
	}
	if n := len(b.st.files); n > 6 {
		t.Fatalf("%d files are remembered", n)
	}
	if plans, cs := undo(t, b, Selector{Turn: "t7", Kept: true}); len(plans) != 1 || len(cs) > 0 {
		t.Fatal(cs)
	}
}

func TestAFileThatIsNotTextKeepsItsBytes(t *testing.T) {
	d := newMemDisk()
	b, _ := openOn(t, d)
	was, is := "a\xff\x00\nb\n", "a\xfe\x00\nb\n"
	agent(t, b, "t", "/bin", was, is)
	b, _ = openOn(t, d.crash())
	fs := b.Files(Filter{})
	if len(fs) != 1 || !fs[0].Binary || !fs[0].Undoable {
		t.Fatal(fs)
	}
	us, cs := b.PlanUndo(Selector{All: true})
	if len(us) != 1 || len(cs) > 0 || us[0].Target != was || us[0].Current != is {
		t.Fatal(us, cs)
	}
}

func TestAMovedFileIsNotPutWhereAnotherOneIs(t *testing.T) {
	b := memory(t)
	begin(t, b, Change{Path: "/b", From: "/a", Kind: KindMove, Before: "1\n", After: "1\n", BeforeExists: true}).Commit("1\n")
	begin(t, b, Change{Path: "/a", Kind: KindCreate, After: "2\n", Turn: "t2"}).Commit("2\n")
	if plans, cs := undo(t, b, Selector{Path: "/b"}); plans != nil || !strings.Contains(reasons(cs), "/a is in the way") {
		t.Fatal(plans, cs)
	}
	plans, cs := undo(t, b, Selector{All: true})
	if len(cs) > 0 || strings.Join(plans, " ") != `remove /a  "2\n">"" move /b /a "1\n">"1\n"` {
		t.Fatal(plans, cs)
	}
}
