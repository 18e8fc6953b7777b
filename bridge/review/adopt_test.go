package review

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// pending gives the paths with pending changes, and how many hunks each has.
func pending(b *Book) string {
	var out []string
	for _, f := range b.Files(Filter{}) {
		out = append(out, fmt.Sprintf("%s:%d", f.Path, len(f.Hunks)))
	}
	return strings.Join(out, " ")
}

// beside gives the names on a disk that are no journal and no lock.
func (d *memDisk) odd() (odd []string) {
	for n := range d.files {
		if !strings.HasSuffix(n, ".log") && !strings.HasSuffix(n, ".lock") {
			odd = append(odd, n)
		}
	}
	return odd
}

func TestAJournalThatIsLetGoIsTakenOverAtOnce(t *testing.T) {
	d := newMemDisk()
	old, _ := openOn(t, d)
	agent(t, old, "t1", "/a", "1\n", "2\n")
	agent(t, old, "t1", "/b", "1\n", "2\n")
	b, told := openOn(t, d)
	shown := map[string]int{}
	b.Subscribe(func(f File) { shown[f.Path] = len(f.Hunks) })
	if n, held := b.Adopt(); n != 0 || !held || pending(b) != "" {
		t.Fatal(n, held, pending(b))
	}
	agent(t, b, "t2", "/c", "1\n", "2\n")
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	if n, held := b.Adopt(); n != 2 || held || pending(b) != "/a:1 /b:1 /c:1" {
		t.Fatal(n, held, pending(b))
	}
	if shown["/a"] != 0 || len(d.odd()) != 0 {
		t.Fatal("shown before it was compared", shown, d.odd())
	}
	if got := fmt.Sprint(b.Unsettled()); got != "[/a /b]" {
		t.Fatal(got)
	}
	b.Reconcile("/a", "2\n", true)
	b.Reconcile("/b", "1\n", true) // undone meanwhile
	if shown["/a"] != 1 || shown["/b"] != 0 || pending(b) != "/a:1 /c:1" {
		t.Fatal(shown, pending(b))
	}
	if n, held := b.Adopt(); n != 0 || held || len(*told) != 0 {
		t.Fatal(n, held, *told)
	}
	// It is ours now: undone here, and there after a restart.
	us, _ := b.PlanUndo(Selector{Path: "/a"})
	if n, _ := b.Done(us[0], "1\n"); n != 1 {
		t.Fatal(us)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	again, told := openOn(t, d)
	if pending(again) != "/c:1" || len(*told) != 0 {
		t.Fatal(pending(again), *told)
	}
}

// TestTwoBridgesCompeteForOneJournal: one of them has it, whole.
func TestTwoBridgesCompeteForOneJournal(t *testing.T) {
	d := newMemDisk()
	old, _ := openOn(t, d)
	for i := range 5 {
		agent(t, old, "t1", fmt.Sprint("/f", i), "1\n", "2\n")
	}
	one, _ := openOn(t, d)
	two, _ := openOn(t, d)
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	got := make(chan int)
	for _, b := range []*Book{one, two} {
		go func() {
			n, held := b.Adopt()
			if !held {
				t.Error("the other one lives")
			}
			got <- n
		}()
	}
	if n, m := <-got, <-got; n+m != 5 || n*m != 0 {
		t.Fatal(n, m)
	}
	if len(one.Files(Filter{}))+len(two.Files(Filter{})) != 5 {
		t.Fatal(pending(one), pending(two))
	}
}

func TestAdoptionWaitsForAChangeOnItsWay(t *testing.T) {
	d := newMemDisk()
	old, _ := openOn(t, d)
	agent(t, old, "t1", "/a", "1\n", "2\n")
	b, _ := openOn(t, d)
	p, err := b.Begin(Change{Session: "s", Turn: "t2", Path: "/a", Kind: KindEdit, Before: "2\n", After: "3\n", BeforeExists: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	if n, held := b.Adopt(); n != 0 || !held {
		t.Fatal(n, held)
	}
	p.Commit("3\n")
	if n, held := b.Adopt(); n != 1 || held {
		t.Fatal(n, held)
	}
	if got := shape(b, "/a"); got != `0-1 "1\n">"3\n"` {
		t.Fatal(got)
	}
}

// TestChangesOfOneFileByTwoBridgesAreStacked: the base is what was there before the first of them, each turn can be taken back
// by itself, whichever journal is read first.
func TestChangesOfOneFileByTwoBridgesAreStacked(t *testing.T) {
	base := numbered(12)
	one := strings.Replace(base, "line 2\n", "TWO\n", 1)
	typed := strings.Replace(one, "line 5\n", "typed\n", 1)
	two := strings.Replace(strings.Replace(typed, "line 9\n", "NINE\n", 1), "TWO\n", "TWO\nmore\n", 1)
	three := strings.Replace(two, "NINE\n", "nine again\n", 1)
	undone := func(b *Book, turn string) string {
		us, cs := b.PlanUndo(Selector{Turn: turn})
		if len(us) != 1 || len(cs) != 0 {
			t.Fatal(us, cs)
		}
		b.Drop(us[0])
		return us[0].Target
	}
	check := func(t *testing.T, b *Book) {
		t.Helper()
		b.Reconcile("/a", three, true)
		if got, _ := b.Base("/a"); got != strings.Replace(base, "line 5\n", "typed\n", 1) {
			t.Fatalf("base %q", got)
		}
		if got, _ := b.Text("/a"); got != three {
			t.Fatalf("text %q", got)
		}
		checkFile(t, b, "/a", func() string { return "stacked" })
		if got := undone(b, "t3"); got != two {
			t.Fatalf("without t3 %q", got)
		}
		if got, want := undone(b, "t1"), strings.Replace(three, "TWO\nmore\n", "line 2\nmore\n", 1); got != want {
			us, cs := b.PlanUndo(Selector{Turn: "t1"})
			t.Fatalf("without t1 %q, %v %v", got, us, cs)
		}
	}
	life := func(old, b *Book) {
		agent(t, old, "t1", "/a", base, one)
		agent(t, b, "t2", "/a", typed, two)
		agent(t, b, "t3", "/a", two, three)
	}
	t.Run("while the second one lives", func(t *testing.T) {
		d := newMemDisk()
		old, _ := openOn(t, d)
		b, told := openOn(t, d)
		life(old, b)
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
		if n, _ := b.Adopt(); n != 1 || len(*told) != 0 {
			t.Fatal(n, *told)
		}
		check(t, b)
	})
	for _, swapped := range []bool{false, true} {
		t.Run(fmt.Sprint("after both, swapped ", swapped), func(t *testing.T) {
			d := newMemDisk()
			old, _ := openOn(t, d)
			b, _ := openOn(t, d)
			if swapped {
				old, b = b, old
			}
			life(old, b)
			c, told := openOn(t, d.crash())
			if len(*told) != 0 {
				t.Fatal(*told)
			}
			check(t, c)
		})
	}
}

// TestAdoptionMayStopAnywhere: whatever call of the disk is the last one, the next bridge has each change once.
func TestAdoptionMayStopAnywhere(t *testing.T) {
	for n := 1; ; n++ {
		d := newMemDisk()
		old, _ := openOn(t, d)
		agent(t, old, "t1", "/a", "1\n", "2\n")
		agent(t, old, "t1", "/both", "1\n", "a\n")
		agent(t, old, "t1", "/stacked", "1\n2\n3\n", "one\n2\n3\n")
		older, _ := openOn(t, d)
		agent(t, older, "t0", "/b", "1\n", "2\n")
		b, _ := openOn(t, d)
		agent(t, b, "t2", "/c", "1\n", "2\n")
		agent(t, b, "t2", "/both", "1\n", "b\n")
		agent(t, b, "t2", "/stacked", "one\n2\n3\n", "one\n2\nthree\n")
		for _, x := range []*Book{old, older} {
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
		}
		d.failAt, d.forever = d.calls+n, true
		b.Adopt()
		b.journal.Wait()
		name := fmt.Sprintf("call %d", n)
		whole := d.failures == 0
		crashed := d.crash()
		names := slices.Collect(func(yield func(string) bool) {
			for n := range crashed.files {
				if !yield(n) {
					return
				}
			}
		})
		for range 2 { // and the next one may find something to clear away
			c, told := openOn(t, crashed)
			if got, want := pending(c), "/a:1 /b:1 /both:1 /c:1 /stacked:2"; got != want {
				t.Fatalf("%s: %s, want %s\n%q\n%q", name, got, want, *told, names)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
		}
		odd := crashed.odd()
		if len(odd) != 1 || !strings.Contains(odd[0], ".aside-") {
			t.Fatalf("%s: left over %q", name, odd)
		}
		// The same book goes on when the disk works again, and keeps what it is told to.
		d.failAt = 0
		if us := b.Files(Filter{Path: "/a"}); len(us) == 1 {
			b.Keep(Selector{Path: "/a"})
			c, told := openOn(t, d.crash())
			if got := pending(c); strings.Contains(got, "/a") {
				t.Fatalf("%s: what was kept is pending again: %s, %q", name, got, *told)
			}
		}
		if whole {
			return
		}
	}
}

// TestOneHunkOfTwoBridgesIsStackedToo: the second one changed what the first one had changed. Where the first one has seen
// that, it looks like the user's doing there, and which came first cannot be told: that is said.
func TestOneHunkOfTwoBridgesIsStackedToo(t *testing.T) {
	base := numbered(6)
	one := strings.Replace(base, "line 1\n", "one\n", 1)
	two := strings.Replace(base, "line 1\n", "two\n", 1)
	for _, seen := range []bool{false, true} {
		for _, swapped := range []bool{false, true} {
			d := newMemDisk()
			a, _ := openOn(t, d)
			b, _ := openOn(t, d)
			if swapped {
				a, b = b, a
			}
			agent(t, a, "t1", "/a", base, one)
			agent(t, b, "t2", "/a", one, two)
			if seen {
				a.TextChanged("/a", two)
			}
			c, told := openOn(t, d.crash())
			c.Reconcile("/a", two, true)
			got := shape(c, "/a")
			if seen {
				if got == "" || len(*told) != 1 || !strings.Contains((*told)[0], "set aside") {
					t.Errorf("swapped %v: %s, %q", swapped, got, *told)
				}
			} else if want := `1-2 "line 1\n">"two\n"`; got != want || len(*told) != 0 {
				t.Errorf("swapped %v: %s, want %s, %q", swapped, got, want, *told)
			}
		}
	}
}

// TestStackedStoriesAreWholeOrSetAside: whatever two bridges do to one file in turn, either each change can be undone, back to
// what was there before the first one, or it is said that some cannot.
func TestStackedStoriesAreWholeOrSetAside(t *testing.T) {
	stacked := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		d := newMemDisk()
		one, _ := openOn(t, d)
		two, _ := openOn(t, d)
		base := numbered(12)
		now := base
		books := []*Book{one, two}
		seen := r.IntN(3) > 0 // else nobody told them of what the other one did
		for n := range 2 + r.IntN(5) {
			i := r.IntN(2)
			at := strings.Split(strings.TrimSuffix(now, "\n"), "\n")
			at[r.IntN(len(at))] = fmt.Sprint("change ", n)
			next := strings.Join(at, "\n") + "\n"
			agent(t, books[i], fmt.Sprintf("t%d-%d", i, n/2), "/a", now, next)
			now = next
			if seen {
				books[1-i].TextChanged("/a", now)
			}
		}
		c, told := openOn(t, d.crash())
		c.Reconcile("/a", now, true)
		if got, ok := c.Text("/a"); ok && got != now {
			t.Fatalf("seed %d: the text is %q, want %q", seed, got, now)
		}
		checkFile(t, c, "/a", func() string { return fmt.Sprint("seed ", seed) })
		if len(*told) > 0 {
			continue // set aside
		}
		stacked++
		if got, ok := c.Base("/a"); !ok || got != base {
			t.Errorf("seed %d, seen %v: the base is %q", seed, seen, got)
		}
	}
	if stacked < 200 {
		t.Errorf("only %d of 400 were put together", stacked)
	}
}
