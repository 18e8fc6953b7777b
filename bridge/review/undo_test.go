package review

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// begin starts a change that the test ends itself.
func begin(t testing.TB, b *Book, c Change) *Pending {
	t.Helper()
	c.Session = "s"
	if c.Turn == "" {
		c.Turn = "t"
	}
	p, err := b.Begin(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// undo carries a plan out as it stands and gives what it would do.
func undo(t testing.TB, b *Book, sel Selector) (plans []string, conflicts []Conflict) {
	t.Helper()
	us, cs := b.PlanUndo(sel)
	for _, u := range us {
		plans = append(plans, fmt.Sprintf("%s %s %s %q>%q", u.Action, u.Path, u.To, u.Current, u.Target))
		if n, more := b.Done(u, u.Target); n != len(u.Hunks) || len(more) > 0 {
			t.Fatal(n, more)
		}
	}
	return plans, cs
}

func reasons(cs []Conflict) string {
	var out []string
	for _, c := range cs {
		out = append(out, c.Reason)
	}
	return strings.Join(out, "; ")
}

func TestATurnIsUndoneOutOfAHunkThatOlderTurnsMade(t *testing.T) {
	b := memory(t)
	agent(t, b, "t1", "/a", "a\nb\nc\n", "a\nB1\nC1\nc\n")
	agent(t, b, "t2", "/a", "a\nB1\nC1\nc\n", "a\nB1\nC2\nnew\nc\n")
	if _, cs := b.PlanUndo(Selector{Turn: "t1"}); reasons(cs) != laterReason {
		t.Fatal(cs)
	}
	plans, cs := undo(t, b, Selector{Turn: "t2"})
	if len(cs) > 0 || len(plans) != 1 || !strings.HasSuffix(plans[0], `>"a\nB1\nC1\nc\n"`) {
		t.Fatal(plans, cs)
	}
	if told := b.TakeUndone("s"); !strings.Contains(told, "C2") {
		t.Fatal(told)
	}
	us, cs := b.PlanRedo(Selector{Turn: "t2"})
	if len(us) != 1 || len(cs) > 0 || us[0].Target != "a\nB1\nC2\nnew\nc\n" {
		t.Fatal(us, cs)
	}
	if n, cs := b.Done(us[0], us[0].Target); n != 1 || len(cs) > 0 {
		t.Fatal(n, cs)
	}
	h := b.Files(Filter{})[0].Hunks[0]
	if fmt.Sprint(h.Turns) != "[t1 t2]" {
		t.Fatal(h)
	}
	if plans, cs := undo(t, b, Selector{Hunks: []string{h.ID}}); len(cs) > 0 || !strings.HasSuffix(plans[0], `>"a\nb\nc\n"`) {
		t.Fatal(plans, cs)
	}
}

func TestTheUsersPartOfAHunkIsMergedOrAConflict(t *testing.T) {
	b := memory(t)
	agent(t, b, "t1", "/a", "a\nb\nc\n", "a\n1\n2\n3\nc\n")
	agent(t, b, "t2", "/a", "a\n1\n2\n3\nc\n", "a\n1\n2\nTHREE\nc\n")
	b.TextChanged("/a", "a\n1 mine\n2\nTHREE\nc\n")
	plans, cs := undo(t, b, Selector{Turn: "t2"})
	if len(cs) > 0 || !strings.HasSuffix(plans[0], `>"a\n1 mine\n2\n3\nc\n"`) {
		t.Fatal(plans, cs)
	}
	agent(t, b, "t3", "/a", "a\n1 mine\n2\n3\nc\n", "a\n1 mine\n2\nIII\nc\n")
	b.TextChanged("/a", "a\n1 mine\n2\nIII and mine\nc\n")
	if plans, cs := undo(t, b, Selector{Turn: "t3"}); plans != nil || reasons(cs) != touchedReason {
		t.Fatal(plans, cs)
	}
}

func TestAWholeTurnIsTakenBackThoughPartsWereKept(t *testing.T) {
	b := memory(t)
	agent(t, b, "t1", "/a", numbered(6), strings.Replace(numbered(6), "line 1\n", "ONE\n", 1))
	now := strings.Replace(strings.Replace(numbered(6), "line 1\n", "ONE\n", 1), "line 4\n", "FOUR\n", 1)
	agent(t, b, "t1", "/a", strings.Replace(numbered(6), "line 1\n", "ONE\n", 1), now)
	first := b.Files(Filter{})[0].Hunks[0]
	b.Keep(Selector{Hunks: []string{first.ID}})
	b.TextChanged("/a", "typed\n"+now)
	if got := fmt.Sprint(b.Counts("t1")); got != "[{/a 2 2}]" {
		t.Fatal(got)
	}
	if us, _ := b.PlanUndo(Selector{Turn: "t1"}); len(us) != 1 || !strings.Contains(us[0].Target, "ONE\n") {
		t.Fatal("what was kept is taken back without having been asked for")
	}
	plans, cs := undo(t, b, Selector{Turn: "t1", Kept: true})
	if len(cs) > 0 || len(plans) != 1 || !strings.HasSuffix(plans[0], fmt.Sprintf(">%q", "typed\n"+numbered(6))) {
		t.Fatal(plans, cs)
	}
	// What the user changed after keeping it stays, and is named.
	agent(t, b, "t2", "/b", "a\n", "A\n")
	b.Keep(Selector{Path: "/b"})
	b.TextChanged("/b", "A!\n")
	if plans, cs := undo(t, b, Selector{Turn: "t2", Kept: true}); plans != nil || reasons(cs) != touchedReason {
		t.Fatal(plans, cs)
	}
}

func TestCreatesDeletesAndMoves(t *testing.T) {
	b := memory(t)
	begin(t, b, Change{Path: "/n/f", Kind: KindCreate, After: "new\n", Dirs: []string{"/n"}}).Commit("new\n")
	begin(t, b, Change{Path: "/empty", Kind: KindCreate}).Commit("")
	begin(t, b, Change{Path: "/gone", Kind: KindDelete, Before: "was\n", BeforeExists: true, Mode: 0o755, BOM: true}).Commit("")
	begin(t, b, Change{Path: "/to", From: "/from", Kind: KindMove, Before: "m\n", After: "M\n", BeforeExists: true}).Commit("M\n")
	var got []string
	for _, f := range b.Files(Filter{}) {
		for _, h := range f.Hunks {
			got = append(got, fmt.Sprintf("%s %s%s %d-%d %q>%q", f.Kind, f.From, f.Path, h.StartLine, h.EndLine, h.OldText, h.NewText))
		}
	}
	want := []string{
		`create /empty 0-0 "">""`, `delete /gone 0-0 "was\n">""`, `create /n/f 0-1 "">"new\n"`,
		`move /from/to 0-0 "">""`, `move /from/to 0-1 "m\n">"M\n"`,
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	us, _ := b.PlanUndo(Selector{All: true})
	for _, u := range us {
		switch {
		case u.Action == ActionRemove && u.Path == "/n/f" && fmt.Sprint(u.Dirs) != "[/n]":
			t.Error(u)
		case u.Action == ActionRestore && (u.Mode != 0o755 || !u.BOM):
			t.Error(u)
		}
	}
	plans, cs := undo(t, b, Selector{All: true})
	if len(cs) > 0 || !slices.Equal(plans, []string{
		`remove /empty  "">""`, `remove /n/f  "new\n">""`, `move /to /from "M\n">"m\n"`, `restore /gone  "">"was\n"`,
	}) {
		t.Fatalf("%q %v", plans, cs)
	}
	told := b.TakeUndone("s")
	for _, s := range []string{"creation of /n/f", "creation of /empty", "deletion of /gone", "renaming to /to", "- M"} {
		if !strings.Contains(told, s) {
			t.Errorf("%q is not in\n%s", s, told)
		}
	}
	if fs := b.Files(Filter{}); len(fs) > 0 {
		t.Fatal(fs)
	}
	rs, cs := b.PlanRedo(Selector{All: true})
	if len(rs) != 4 || len(cs) > 0 {
		t.Fatal(rs, cs)
	}
	for _, u := range rs {
		if n, cs := b.Done(u, u.Target); n != len(u.Hunks) || len(cs) > 0 {
			t.Fatal(u, n, cs)
		}
	}
	if got := len(b.Files(Filter{})); got != 4 {
		t.Fatal(got)
	}
}

func TestUndoOfACreateKeepsWhatTheUserWroteThere(t *testing.T) {
	b := memory(t)
	begin(t, b, Change{Path: "/f", Kind: KindCreate, After: "agent\n"}).Commit("agent\n")
	b.TextChanged("/f", "agent\nmine\n")
	plans, cs := undo(t, b, Selector{Path: "/f"})
	if len(cs) > 0 || !slices.Equal(plans, []string{`write /f  "agent\nmine\n">"mine\n"`}) {
		t.Fatalf("%q %v", plans, cs)
	}
	if fs := b.Files(Filter{}); len(fs) > 0 {
		t.Fatal(fs)
	}
}

func TestWhatCannotBeUndoneSaysWhy(t *testing.T) {
	b := memory(t)
	begin(t, b, Change{Path: "/bin", Kind: KindEdit, BeforeExists: true, NoImage: "binary, 300 MB"}).Commit("")
	f := b.Files(Filter{})[0]
	if f.Undoable || f.Hunks[0].Undoable || f.Hunks[0].Why != "binary, 300 MB" {
		t.Fatal(f)
	}
	if plans, cs := undo(t, b, Selector{All: true}); plans != nil || !strings.Contains(reasons(cs), "300 MB") {
		t.Fatal(plans, cs)
	}
	if n, cs := b.Keep(Selector{Hunks: []string{f.Hunks[0].ID}}); n != 1 || len(cs) > 0 {
		t.Fatal(n, cs)
	}
	long := strings.Repeat("x", MaxImage+1)
	begin(t, b, Change{Path: "/long", Kind: KindEdit, Before: long, After: long + "y", BeforeExists: true}).Commit(long + "y")
	if f := b.Files(Filter{})[0]; f.Undoable || !strings.Contains(f.Hunks[0].Why, "longer") {
		t.Fatal(f)
	}
	b.Keep(Selector{All: true})

	// While the agent writes, and when the file is gone.
	agent(t, b, "t", "/a", "1\n2\n3\n", "1\nII\n3\n")
	p := begin(t, b, Change{Path: "/a", Kind: KindEdit, Before: "1\nII\n3\n", After: "1\nII\nIII\n", BeforeExists: true})
	if plans, cs := undo(t, b, Selector{All: true}); plans != nil || reasons(cs) != busyReason {
		t.Fatal(plans, cs)
	}
	p.Abort()
	b.Reconcile("/a", "", false)
	if fs := b.Files(Filter{}); !fs[0].Missing {
		t.Fatal(fs)
	}
	if us, cs := b.PlanUndo(Selector{All: true}); len(us) != 1 || us[0].Action != ActionRestore || us[0].Target != "1\n2\n3\n" || len(cs) > 0 {
		t.Fatal(us, cs)
	} else {
		b.Drop(us[0])
	}
	b.Reconcile("/a", "1\nII\n3\n", true)
	id := b.Files(Filter{})[0].Hunks[0].ID
	if plans, cs := undo(t, b, Selector{Hunks: []string{id, "h-none"}}); len(plans) != 1 || reasons(cs) != goneReason {
		t.Fatal(plans, cs)
	}
}

func TestAPlanThatWasNotCarriedOutChangesNothing(t *testing.T) {
	b := memory(t)
	agent(t, b, "t", "/a", "1\n2\n", "1\nII\n")
	us, _ := b.PlanUndo(Selector{All: true})
	// The editor refused, and the user typed.
	if n, cs := b.Done(us[0], "1\nII\nx\n"); n != 0 || len(cs) != 1 {
		t.Fatal(n, cs)
	}
	if got := shape(b, "/a"); got != `1-2 "2\n">"II\n"` {
		t.Fatal(got)
	}
	// It was merged with typing.
	us, _ = b.PlanUndo(Selector{All: true})
	if n, cs := b.Done(us[0], "0\n1\n2\nx\n"); n != 1 || len(cs) != 0 {
		t.Fatal(n, cs)
	}
	if fs := b.Files(Filter{}); len(fs) > 0 {
		t.Fatal(fs)
	}
	// A plan is good once, and not after a newer one for the file.
	if n, cs := b.Done(us[0], "1\n2\n"); n != 0 || len(cs) != 1 {
		t.Fatal(n, cs)
	}
}

func TestTheUserRenamesAndRemoves(t *testing.T) {
	b := memory(t)
	agent(t, b, "t", "/a", "1\n", "2\n")
	b.Renamed("/a", "/b")
	if got := shape(b, "/b"); got != `0-1 "1\n">"2\n"` || shape(b, "/a") != "" {
		t.Fatal(got)
	}
	b.Removed("/b")
	if fs := b.Files(Filter{}); len(fs) > 0 || b.Tracks("/b") {
		t.Fatal(fs)
	}
}

// TestARenameDuringAChange: a change that is on its way to a file lands where the file is then; one that has to begin again from
// another text does not, for it would be made under the old name.
func TestARenameDuringAChange(t *testing.T) {
	d := newMemDisk()
	b, _ := openOn(t, d)
	p := begin(t, b, Change{Path: "/d/a", Kind: KindEdit, Before: "1\n", After: "2\n", BeforeExists: true})
	b.TextChanged("/d/a", "2\n")
	b.Renamed("/d", "/e")
	if err := p.Rebase("", "2\n"); err == nil {
		t.Error("a change of a file that was renamed began again")
	}
	p.Commit("2\n")
	if got := shape(b, "/e/a"); got != `0-1 "1\n">"2\n"` || b.Tracks("/d/a") {
		t.Fatal(got)
	}
	us, _ := b.PlanUndo(Selector{All: true})
	b.Renamed("/e/a", "/f")
	if n, cs := b.Done(us[0], "1\n"); n != 0 || len(cs) != 1 {
		t.Errorf("a plan for the old name undid %d: %v", n, cs)
	}
	b, _ = openOn(t, d.crash())
	if got := shape(b, "/f"); got != `0-1 "1\n">"2\n"` {
		t.Errorf("after a restart: %s", got)
	}
}

// TestALastLineEndThatTheEditorAdds: some editors have no text without one. What they make of a plan is the plan all the same.
func TestALastLineEndThatTheEditorAdds(t *testing.T) {
	for _, shown := range []string{"one\ntwo\n", "one\ntwo\r\n"} {
		b := memory(t)
		agent(t, b, "t", "/a", "one\ntwo", "one\ntwo\nthree\n")
		us, _ := b.PlanUndo(Selector{All: true})
		b.TextChanged("/a", shown)
		if n, cs := b.Done(us[0], shown); n != 1 || len(cs) > 0 || len(b.Files(Filter{})) > 0 {
			t.Errorf("%q: undone %d, %v, pending %s", shown, n, cs, shape(b, "/a"))
		}
	}
}

func TestSubscribersHearOfEveryChangeInOrderAndMayCallBack(t *testing.T) {
	b := memory(t)
	var heard []string
	b.Subscribe(func(f File) {
		heard = append(heard, fmt.Sprintf("%s %d", f.Path, len(f.Hunks)))
		if len(f.Hunks) == 2 {
			b.Keep(Selector{Hunks: []string{f.Hunks[0].ID}})
		}
	})
	agent(t, b, "t", "/a", numbered(5), strings.Replace(numbered(5), "line 1", "ONE", 1))
	agent(t, b, "t", "/a", strings.Replace(numbered(5), "line 1", "ONE", 1), strings.NewReplacer("line 1", "ONE", "line 3", "THREE").Replace(numbered(5)))
	b.TextChanged("/a", strings.NewReplacer("line 1", "ONE", "line 3", "THREE").Replace(numbered(5))+"below\n") // nothing moves
	b.Keep(Selector{All: true})
	if got := strings.Join(heard, ", "); got != "/a 1, /a 2, /a 1, /a 0" {
		t.Fatal(got)
	}
}

func TestWhatTheAgentIsToldIsBounded(t *testing.T) {
	b := memory(t)
	for i := range 60 {
		path := fmt.Sprintf("/f%d", i)
		agent(t, b, "t", path, "a\n", strings.Repeat("öö long line of the agent\n", 100))
	}
	undo(t, b, Selector{All: true})
	told := b.TakeUndone("s")
	if len(told) > MaxUndoneBlock+200 || !strings.Contains(told, "bytes more") || !strings.Contains(told, "more changes were undone") {
		t.Fatal(len(told), told[len(told)-200:])
	}
	if b.TakeUndone("s") != "" || b.TakeUndone("other") != "" {
		t.Fatal("told twice")
	}
}

func TestManyGoroutines(t *testing.T) {
	b, _ := openOn(t, newMemDisk())
	b.Subscribe(func(f File) { b.Files(Filter{Path: f.Path}) })
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 50 {
				path := fmt.Sprintf("/f%d", g)
				p, err := b.Begin(Change{Session: "s", Turn: fmt.Sprint("t", g), Path: path, Kind: KindEdit, Before: "1\n2\n", After: fmt.Sprint("1\n", i, "x\n"), BeforeExists: true})
				if err != nil {
					t.Error(err)
					return
				}
				b.TextChanged(path, fmt.Sprint("1\n", i, "x\n"))
				p.Commit(fmt.Sprint("1\n", i, "x\nmine\n"))
				us, _ := b.PlanUndo(Selector{Path: path})
				for _, u := range us {
					b.Done(u, u.Target)
				}
				b.Keep(Selector{Path: path})
				b.Counts(fmt.Sprint("t", g))
				b.TakeUndone("s")
				b.TextChanged(path, "1\n2\n")
			}
		})
	}
	wg.Wait()
	if fs := b.Files(Filter{}); len(fs) > 0 {
		t.Fatal(fs)
	}
}
