package review

import (
	"fmt"
	"strings"
	"testing"
)

func numbered(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "line %d\n", i)
	}
	return out.String()
}

func memory(t testing.TB) *Book {
	t.Helper()
	b, err := Open(Config{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// agent makes a change of the agent that is applied as it is.
func agent(t testing.TB, b *Book, turn, path, before, after string) {
	t.Helper()
	p, err := b.Begin(Change{Session: "s", Turn: turn, Path: path, Kind: KindEdit, Before: before, After: after, BeforeExists: true})
	if err != nil {
		t.Fatal(err)
	}
	p.Commit(after)
}

// shape writes the hunks of a file as "start-end old>new".
func shape(b *Book, path string) string {
	var out []string
	for _, f := range b.Files(Filter{Path: path}) {
		for _, h := range f.Hunks {
			out = append(out, fmt.Sprintf("%d-%d %q>%q", h.StartLine, h.EndLine, h.OldText, h.NewText))
		}
	}
	return strings.Join(out, " ")
}

func TestHunksMoveWithTypingAndAreKeptAndUndone(t *testing.T) {
	b := memory(t)
	base := numbered(40)
	one := strings.Replace(base, "line 3\n", "LINE 3\n", 1)
	two := strings.Replace(one, "line 30\n", "LINE 30\nmore\n", 1)
	agent(t, b, "t1", "/a", base, one)
	agent(t, b, "t1", "/a", one, two)
	b.TextChanged("/a", "typed above\n"+two)
	if got, want := shape(b, "/a"), `4-5 "line 3\n">"LINE 3\n" 31-33 "line 30\n">"LINE 30\nmore\n"`; got != want {
		t.Fatalf("got %s want %s", got, want)
	}
	hs := b.Files(Filter{})[0].Hunks
	us, cs := b.PlanUndo(Selector{Hunks: []string{hs[0].ID}})
	if len(us) != 1 || len(cs) != 0 || us[0].Action != ActionWrite {
		t.Fatal(us, cs)
	}
	b.TextChanged("/a", us[0].Target) // the editor shows it before it is confirmed
	if n, cs := b.Done(us[0], us[0].Target); n != 1 || cs != nil {
		t.Fatal(n, cs)
	}
	if n, cs := b.Keep(Selector{Hunks: []string{hs[1].ID, "nonsense"}}); n != 1 || len(cs) != 1 {
		t.Fatal(n, cs)
	}
	if fs := b.Files(Filter{}); len(fs) != 0 {
		t.Fatal(fs)
	}
	want := strings.Replace("typed above\n"+base, "line 30\n", "LINE 30\nmore\n", 1)
	if got, _ := b.Text("/a"); got != want {
		t.Fatalf("%q", got)
	}
	told := b.TakeUndone("s")
	if !strings.Contains(told, "undone") || !strings.Contains(told, "LINE 3") || !strings.Contains(told, "/a") || strings.Contains(told, "LINE 30") {
		t.Fatal(told)
	}
	if b.TakeUndone("s") != "" {
		t.Fatal("told twice")
	}
	// Undo of the undo.
	rs, cs := b.PlanRedo(Selector{Hunks: []string{hs[0].ID}})
	if len(rs) != 1 || len(cs) != 0 {
		t.Fatal(rs, cs)
	}
	if n, cs := b.Done(rs[0], rs[0].Target); n != 1 || cs != nil {
		t.Fatal(n, cs)
	}
	if got := b.Files(Filter{})[0].Hunks[0].ID; got != hs[0].ID {
		t.Fatal(got)
	}
}
