package review

import (
	"fmt"
	"strings"
	"testing"
)

// TestWhereTypingGoes: a change of the user lies outside of the hunks, and then in
// the base, or joins a hunk.
func TestWhereTypingGoes(t *testing.T) {
	for _, c := range []struct {
		name, base, agent, user string
		hunks, newBase          string
	}{
		{"above", "a\nb\nc\n", "a\nB\nc\n", "x\na\nB\nc\n", `2-3 "b\n">"B\n"`, "x\na\nb\nc\n"},
		{"below", "a\nb\nc\n", "a\nB\nc\n", "a\nB\nc\nx\n", `1-2 "b\n">"B\n"`, "a\nb\nc\nx\n"},
		{"a line directly above", "a\nb\nc\n", "a\nB\nc\n", "a\nx\nB\nc\n", `2-3 "b\n">"B\n"`, "a\nx\nb\nc\n"},
		{"a line directly below", "a\nb\nc\n", "a\nB\nc\n", "a\nB\nx\nc\n", `1-2 "b\n">"B\n"`, "a\nb\nx\nc\n"},
		{"within", "a\nb\nc\n", "a\nB\nc\n", "a\nBB\nc\n", `1-2 "b\n">"BB\n"`, "a\nb\nc\n"},
		{"a line within", "a\nc\n", "a\nB\nC\nc\n", "a\nB\nx\nC\nc\n", `1-4 "">"B\nx\nC\n"`, "a\nc\n"},
		{"the hunk's text deleted", "a\nb\nc\n", "a\nB\nc\n", "a\nc\n", `1-1 "b\n">""`, "a\nb\nc\n"},
		{"an inserted hunk deleted", "a\nc\n", "a\nB\nc\n", "a\nc\n", "", "a\nc\n"},
		{"typed back to the base", "a\nb\nc\n", "a\nB\nc\n", "a\nb\nc\n", "", "a\nb\nc\n"},
		{"half typed back", "a\nb\nc\n", "a\nB\nC\n", "a\nb\nC\n", `2-3 "c\n">"C\n"`, "a\nb\nc\n"},
		{"a deletion across the border", "a\nb\nc\nd\n", "a\nB\nc\nd\n", "a\nd\n", `1-1 "b\n">""`, "a\nb\nd\n"},
		{"as many lines across the border", "a\nb\nc\nd\n", "a\nB\nc\nd\n", "a\nX\nY\nd\n", `1-2 "b\n">"X\n"`, "a\nb\nY\nd\n"},
		{"lines joined across the border", "a\nb\nc\nd\n", "a\nB\nc\nd\n", "a\nBc\nd\n", `1-2 "b\nc\n">"Bc\n"`, "a\nb\nc\nd\n"},
		{"two hunks and all between", "a\nb\nc\nd\n", "A\nb\nc\nD\n", "one\n", `0-1 "a\nb\nc\nd\n">"one\n"`, "a\nb\nc\nd\n"},
		{"where lines were deleted", "a\nb\nc\n", "a\nc\n", "a\nx\nc\n", `1-1 "b\n">""`, "a\nb\nx\nc\n"},
		{"a line end added to a last line without", "a\nb", "a\nB", "a\nB\n", `1-2 "b">"B\n"`, "a\nb"},
		{"text after a last line without", "a\nb", "a\nB", "a\nB\nx", `1-3 "b">"B\nx"`, "a\nb"},
		{"text where the end was deleted", "a\nb", "a\n", "a\nx\n", `1-2 "b">"x\n"`, "a\nb"},
		{"the last line end away beside a deletion", "a\nb\n", "a\n", "a", `0-1 "a\nb\n">"a"`, "a\nb\n"},
		{"an empty file filled", "", "a\n", "a\nx\n", `0-1 "">"a\n"`, "x\n"},
		{"a file emptied", "a\n", "", "x\n", `0-0 "a\n">""`, "a\nx\n"},
		{"CRLF", "a\r\nb\r\n", "a\r\nB\r\n", "x\r\na\r\nB\r\n", `2-3 "b\r\n">"B\r\n"`, "x\r\na\r\nb\r\n"},
		{"another line end in one line", "a\nb\nc\n", "a\nB\nc\n", "a\nB\r\nc\n", `1-2 "b\n">"B\r\n"`, "a\nb\nc\n"},
		{"all line ends changed", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n", "a\nB\nc\nx\n", `1-2 "b\n">"B\n"`, "a\nb\nc\nx\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := memory(t)
			agent(t, b, "t1", "/a", c.base, c.agent)
			b.TextChanged("/a", c.user)
			if got := shape(b, "/a"); got != c.hunks {
				t.Errorf("hunks %s\nwant  %s", got, c.hunks)
			}
			base, ok := b.Base("/a")
			if !ok {
				base, _ = b.Text("/a")
			}
			if base != c.newBase {
				t.Errorf("base %q, want %q", base, c.newBase)
			}
			us, cs := b.PlanUndo(Selector{All: true})
			if len(cs) > 0 || len(us) > 0 && us[0].Target != c.newBase {
				t.Errorf("undo all gives %+v %v", us, cs)
			}
		})
	}
}

// TestHowChangesOfTheAgentMeet: changes of one turn that lie beside each other are
// one hunk, those of two turns are two; what overlaps is one.
func TestHowChangesOfTheAgentMeet(t *testing.T) {
	for _, c := range []struct{ name, turn, second, want string }{
		{"beside, same turn", "t1", "a\nB\nC\nd\n", `1-3 "b\nc\n">"B\nC\n" t1`},
		{"beside, other turn", "t2", "a\nB\nC\nd\n", `1-2 "b\n">"B\n" t1 | 2-3 "c\n">"C\n" t2`},
		{"apart", "t1", "a\nB\nc\nD\n", `1-2 "b\n">"B\n" t1 | 3-4 "d\n">"D\n" t1`},
		{"overlapping, other turn", "t2", "a\nX\nY\nd\n", `1-3 "b\nc\n">"X\nY\n" t1 t2`},
		{"taken back", "t2", "a\nb\nc\nd\n", ""},
		{"inserted beside, other turn", "t2", "a\nB\nnew\nc\nd\n", `1-2 "b\n">"B\n" t1 | 2-3 "">"new\n" t2`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := memory(t)
			agent(t, b, "t1", "/a", "a\nb\nc\nd\n", "a\nB\nc\nd\n")
			agent(t, b, c.turn, "/a", "a\nB\nc\nd\n", c.second)
			var got []string
			for _, f := range b.Files(Filter{}) {
				for _, h := range f.Hunks {
					got = append(got, fmt.Sprintf("%d-%d %q>%q %s", h.StartLine, h.EndLine, h.OldText, h.NewText, strings.Join(h.Turns, " ")))
				}
			}
			if strings.Join(got, " | ") != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " | "), c.want)
			}
		})
	}
}

// TestWhoseChangeItIs: a text that shows a change in flight, alone or with typing,
// gives the agent what is the agent's.
func TestWhoseChangeItIs(t *testing.T) {
	const before, after = "one\ntwo\nthree\n", "one\nTWO\nthree\n"
	hunk := `1-2 "two\n">"TWO\n"`
	for _, c := range []struct {
		name  string
		texts []string // as the editor tells them
		end   func(p *Pending)
		hunks string
		base  string
	}{
		{"only the edit", []string{after}, commit(after), hunk, before},
		{"never told", nil, commit(after), hunk, before},
		{"typed after it, told at once", []string{after + "x\n"}, commit(after + "x\n"), hunk, before + "x\n"},
		{"typed after it, told in the reply", nil, commit(after + "x\n"), hunk, before + "x\n"},
		{"typed before it", []string{before + "x\n", after + "x\n"}, commit(after + "x\n"), hunk, before + "x\n"},
		{"typed before and after", []string{before + "x\n", "y\n" + after + "x\n"}, commit("y\n" + after + "x\n"), `2-3 "two\n">"TWO\n"`, "y\n" + before + "x\n"},
		{"typed into it", []string{after, "one\nTWO!\nthree\n"}, commit("one\nTWO!\nthree\n"), `1-2 "two\n">"TWO!\n"`, before},
		{"typed into it, told at once", []string{"one\nTWO!\nthree\n"}, commit("one\nTWO!\nthree\n"), `1-2 "two\n">"TWO!\n"`, before},
		{"the user was in the same line, nothing applied", []string{"one\ntwo!\nthree\n"}, (*Pending).Abort, "", "one\ntwo!\nthree\n"},
		{"refused", nil, (*Pending).Abort, "", before},
		{"refused while the user typed", []string{before + "x\n"}, (*Pending).Abort, "", before + "x\n"},
		{"refused, yet it comes", []string{after}, (*Pending).Abort, hunk, before},
		{"nobody knows, and it comes late", nil, func(p *Pending) { p.Unknown(); p.b.TextChanged("/a", after+"x\n") }, hunk, before + "x\n"},
		{"nobody knows, and it does not come", nil, func(p *Pending) { p.Unknown(); p.b.TextChanged("/a", before+"x\n") }, "", before + "x\n"},
		{"taken back by the editor at once", []string{after, before}, commit(before), "", before},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := memory(t)
			p, err := b.Begin(Change{Session: "s", Turn: "t", Path: "/a", Kind: KindEdit, Before: before, After: after, BeforeExists: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range c.texts {
				b.TextChanged("/a", text)
			}
			c.end(p)
			if got := shape(b, "/a"); got != c.hunks {
				t.Errorf("hunks %s\nwant  %s", got, c.hunks)
			}
			if base, ok := b.Base("/a"); ok && base != c.base {
				t.Errorf("base %q, want %q", base, c.base)
			}
		})
	}
}

func commit(actual string) func(p *Pending) { return func(p *Pending) { p.Commit(actual) } }

// TestAnEditorsOwnUndoAndRedo: with equal lines around, a line diff alone would
// take another line than the hunk's for the one that went.
func TestAnEditorsOwnUndoAndRedo(t *testing.T) {
	const base, after = "x\nx\nx\nend\n", "x\nx\nx\nx\nend\nx\n"
	b := memory(t)
	agent(t, b, "t", "/a", base, after)
	before := b.Files(Filter{})
	for range 2 {
		b.TextChanged("/a", base)
		if fs := b.Files(Filter{}); len(fs) != 0 {
			t.Fatal(fs)
		}
		b.TextChanged("/a", after)
		if fs := b.Files(Filter{}); fmt.Sprint(fs) != fmt.Sprint(before) {
			t.Fatalf("%v\nwant\n%v", fs, before)
		}
	}
	if told := b.TakeUndone("s"); told != "" {
		t.Fatal(told)
	}
	// Also after something else was typed: nobody has said yes to it.
	b.TextChanged("/a", base)
	b.TextChanged("/a", "y\n"+base)
	b.TextChanged("/a", base)
	b.TextChanged("/a", after)
	if fs := b.Files(Filter{}); fmt.Sprint(fs) != fmt.Sprint(before) {
		t.Fatalf("%v\nwant\n%v", fs, before)
	}
}

// TestEditsToldOneByOneAreOneChange: an editor tells of the edits of one change in any order, one after the other. What
// has come before the rest is the agent's all the same.
func TestEditsToldOneByOneAreOneChange(t *testing.T) {
	for _, gap := range []int{2, 3} {
		for n := 2; n <= 5; n++ {
			testOneByOne(t, n, gap)
		}
	}
}

// testOneByOne tells of n edits, gap lines apart, in every order.
func testOneByOne(t *testing.T, n, gap int) {
	t.Helper()
	base := "" // of lines of several lengths: which of two texts is nearer goes by that
	for i := range gap*n - 1 {
		base += fmt.Sprintf("line %d%s\n", i, strings.Repeat("x", 7*i%5))
	}
	var all []int
	for i := range n {
		all = append(all, i)
	}
	var orders [][]int
	var permute func(done, rest []int)
	permute = func(done, rest []int) {
		if len(rest) == 0 {
			orders = append(orders, done)
		}
		for i := range rest {
			permute(append(done[:len(done):len(done)], rest[i]), append(rest[:i:i], rest[i+1:]...))
		}
	}
	permute(nil, all)
	edit := func(text string, i int) string {
		all := strings.SplitAfter(text, "\n")
		all[gap*i] = strings.ToUpper(all[gap*i])
		return strings.Join(all, "")
	}
	after := base
	for i := range n {
		after = edit(after, i)
	}
	for _, order := range orders {
		b := memory(t)
		p, err := b.Begin(Change{Session: "s", Turn: "t1", Path: "/a", Kind: KindEdit, Before: base, After: after, BeforeExists: true})
		if err != nil {
			t.Fatal(err)
		}
		text := base
		for _, i := range order {
			text = edit(text, i)
			b.TextChanged("/a", text)
		}
		p.Commit(after)
		if told := b.TakeUndone("s"); told != "" {
			t.Errorf("told in the order %v: the agent hears %s", order, told)
		}
		if got := len(b.Files(Filter{})[0].Hunks); got != n {
			t.Errorf("%d lines apart, told in the order %v: %d hunks: %s", gap, order, got, shape(b, "/a"))
		}
		if us, cs := b.PlanUndo(Selector{Turn: "t1"}); len(us) != 1 || len(cs) > 0 || us[0].Target != base {
			t.Errorf("told in the order %v: undone it is %+v %v", order, us, cs)
		}
	}
}

// TestWhatAnEditorsRedoBringsBackIsPending: one hunk of two is kept, before or after the editor's undo took both away, in one
// step or in two; the other one is pending when the redo brings it back, also with more typing in the same message.
func TestWhatAnEditorsRedoBringsBackIsPending(t *testing.T) {
	const base, one, both = "1\n2\n3\n4\n5\n", "1\nTWO\n3\n4\n5\n", "1\nTWO\n3\nFOUR\n5\n"
	for name, c := range map[string]struct {
		first string   // kept before any of it, if it is not ""
		texts []string // then these are told
		then  string   // kept then
		last  []string
		want  string
	}{
		"keep, undo, redo":              {"TWO\n", []string{base}, "", []string{both}, "3-4 \"4\\n\">\"FOUR\\n\""},
		"in two steps":                  {"TWO\n", []string{one, base, one}, "", []string{both}, "3-4 \"4\\n\">\"FOUR\\n\""},
		"undo of one, keep, redo":       {"", []string{one}, "TWO\n", []string{both}, "3-4 \"4\\n\">\"FOUR\\n\""},
		"typed in the same message":     {"TWO\n", []string{base}, "", []string{both + "typed\n"}, "3-4 \"4\\n\">\"FOUR\\n\""},
		"typed between, and taken back": {"TWO\n", []string{base, "typed\n" + base, base}, "", []string{both}, "3-4 \"4\\n\">\"FOUR\\n\""},
		"undo, redo, keep":              {"", []string{base, both}, "FOUR\n", []string{base, both}, "1-2 \"2\\n\">\"TWO\\n\""},
	} {
		t.Run(name, func(t *testing.T) {
			b := memory(t)
			agent(t, b, "t", "/a", base, both)
			keep := func(text string) {
				for _, f := range b.Files(Filter{}) {
					for _, h := range f.Hunks {
						if h.NewText == text {
							b.Keep(Selector{Hunks: []string{h.ID}})
						}
					}
				}
			}
			tell := func(texts []string) {
				for _, text := range texts {
					b.TextChanged("/a", text)
				}
			}
			keep(c.first)
			tell(c.texts)
			keep(c.then)
			tell(c.last)
			var got []string
			for _, f := range b.Files(Filter{}) {
				for _, h := range f.Hunks {
					got = append(got, fmt.Sprintf("%d-%d %q>%q", h.StartLine, h.EndLine, h.OldText, h.NewText))
				}
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("pending: %q, want %s", got, c.want)
			}
		})
	}
}
