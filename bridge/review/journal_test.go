package review

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/journal"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// sequence is a short life of a book with every kind of record in it. It calls
// after each step that has been acknowledged.
func sequence(b *Book, after func()) error {
	base := numbered(6)
	one := strings.Replace(base, "line 1\n", "ONE\n", 1)
	two := strings.Replace(one, "line 4\n", "FOUR\nmore\n", 1)
	var failed error
	edit := func(turn, before, after string) {
		p, err := b.Begin(Change{Session: "s", Turn: turn, Path: "/a", Kind: KindEdit, Before: before, After: after, BeforeExists: true, Mode: 0o640})
		if err != nil {
			failed = err
			return
		}
		p.Commit(after)
	}
	edit("t1", base, one)
	after()
	edit("t2", one, two)
	after()
	b.TextChanged("/a", "typed\n"+two)
	after()
	if fs := b.Files(Filter{Path: "/a"}); len(fs) == 1 && len(fs[0].Hunks) == 2 {
		us, _ := b.PlanUndo(Selector{Hunks: []string{fs[0].Hunks[0].ID}})
		b.Done(us[0], us[0].Target)
		after()
		us, _ = b.PlanRedo(Selector{Path: "/a"})
		b.Done(us[0], us[0].Target)
		after()
		b.Keep(Selector{Hunks: []string{fs[0].Hunks[1].ID}})
		after()
	}
	p, err := b.Begin(Change{Session: "s", Turn: "t2", Path: "/new/f", Kind: KindCreate, After: "made\n", Dirs: []string{"/new"}})
	if err == nil {
		p.Commit("made\n")
	} else {
		failed = err
	}
	after()
	p, err = b.Begin(Change{Session: "s", Turn: "t2", Path: "/b", Kind: KindDelete, Before: "gone\xff\x00", BeforeExists: true})
	if err == nil {
		p.Commit("")
	} else {
		failed = err
	}
	after()
	if _, err = b.Begin(Change{Session: "s", Turn: "t3", Path: "/c", Kind: KindEdit, Before: "x\n", After: "y\n", BeforeExists: true}); err != nil {
		failed = err
	}
	after()
	return failed
}

// seen is what a user would see of a book.
func seen(b *Book) string {
	undo, _ := b.PlanRedo(Selector{All: true})
	for i := range undo {
		b.Drop(undo[i])
		undo[i].n = 0
	}
	return fmt.Sprint(b.Files(Filter{}), undo)
}

func TestTornTailAtEveryByteLosesNothingBeforeIt(t *testing.T) {
	d := newMemDisk()
	b, _ := openOn(t, d)
	log := d.log()
	acked := map[int]string{len(d.files[log]): seen(b)}
	if err := sequence(b, func() { acked[len(d.files[log])] = seen(b) }); err != nil {
		t.Fatal(err)
	}
	whole := d.files[log]
	whens := map[int]bool{0: true}
	for at := 0; at < len(whole); {
		at += durable.RecordSize(nil) + int(binary.LittleEndian.Uint32(whole[at:]))
		whens[at] = true
	}
	last := ""
	for cut := range len(whole) + 1 {
		for _, tail := range []string{"", strings.Repeat("\x00", 40), "garbage that is no record at all"} {
			c := newMemDisk()
			c.files[log] = append(bytes.Clone(whole[:cut]), tail...)
			b, notices := openOn(t, c)
			clean := tail == "" && whens[cut]
			if clean != (len(*notices) == 0) || len(*notices) > 1 {
				t.Fatalf("cut at %d, tail %q: %q", cut, tail, *notices)
			}
			if want, ok := acked[cut]; ok {
				last = want
				if got := seen(b); got != want {
					t.Fatalf("cut at %d:\n%s\nwant\n%s", cut, got, want)
				}
			}
			if !clean {
				bad := c.files[log+".bad-1"]
				if !bytes.HasSuffix(append(bytes.Clone(whole[:cut]), tail...), bad) || len(bad) == 0 {
					t.Fatalf("cut at %d: set aside %q", cut, bad)
				}
				// And it is told once.
				if err := b.Close(); err != nil {
					t.Fatal(err)
				}
				if _, notices := openOn(t, c); len(*notices) > 0 {
					t.Fatalf("cut at %d, second time: %q", cut, *notices)
				}
			}
		}
	}
	if last == "" {
		t.Fatal("nothing was compared")
	}
}

func TestAFlippedBitIsFoundWhereverItIs(t *testing.T) {
	d := newMemDisk()
	b, _ := openOn(t, d)
	log := d.log()
	states := map[string]bool{}
	if err := sequence(b, func() {}); err != nil {
		t.Fatal(err)
	}
	whole := d.files[log]
	// What a journal may lead to: the state after any number of whole records.
	for at := 0; at < len(whole); {
		at += durable.RecordSize(nil) + int(binary.LittleEndian.Uint32(whole[at:]))
		c := newMemDisk()
		c.files[log] = bytes.Clone(whole[:at])
		b, _ := openOn(t, c)
		states[seen(b)] = true
	}
	states[seen(memory(t))] = true
	for at := range whole {
		c := newMemDisk()
		c.files[log] = bytes.Clone(whole)
		c.files[log][at] ^= 1 << (at % 8)
		b, notices := openOn(t, c)
		if len(*notices) != 1 || !states[seen(b)] {
			t.Fatalf("bit at byte %d: %q\n%s", at, *notices, seen(b))
		}
	}
}

func TestEveryDiskCallMayFail(t *testing.T) {
	for _, forever := range []bool{false, true} {
		for _, short := range []bool{false, true} {
			for n := 1; ; n++ {
				d := newMemDisk()
				d.failAt, d.forever, d.short = n, forever, short
				b, notices, err := tryOpenOn(d)
				if err != nil {
					if d.failures == 0 {
						t.Fatal(err)
					}
					continue
				}
				err = sequence(b, func() {})
				b.journal.Wait()
				if d.failures == 0 {
					break // every call has failed once
				}
				name := fmt.Sprintf("call %d, forever %v, short %v", n, forever, short)
				if err != nil && len(*notices) == 0 && !strings.Contains(err.Error(), "put on record") {
					t.Fatalf("%s: %v, and nobody was told", name, err)
				}
				checkFile(t, b, "/a", func() string { return name })
				d.failAt, d.forever = 0, false
				// The next change heals the journal.
				agent(t, b, "t9", "/z", "1\n", "2\n")
				live := seen(b)
				c, again := openOn(t, d.crash())
				if got := seen(c); got != live || len(*again) > 0 {
					t.Fatalf("%s: after a restart\n%s\nwant\n%s\n%q", name, got, live, *again)
				}
			}
		}
	}
}

func TestAnAcknowledgedChangeSurvivesAPowerFailure(t *testing.T) {
	d := newMemDisk()
	b, _ := openOn(t, d)
	p, err := b.Begin(Change{Session: "s", Turn: "t", Path: "/a", Kind: KindEdit, Before: "1\n", After: "2\n", BeforeExists: true})
	if err != nil {
		t.Fatal(err)
	}
	c := newMemDisk() // only what was synced is left
	for n, size := range d.synced {
		if data, ok := d.files[n]; ok {
			c.files[n] = bytes.Clone(data[:size])
		}
	}
	p.Commit("2\n")
	r, notices := openOn(t, c)
	if len(*notices) > 0 {
		t.Fatal(*notices)
	}
	if got := r.Unsettled(); len(got) != 1 || got[0] != "/a" {
		t.Fatal(got)
	}
	r.Reconcile("/a", "2\n", true)
	if got := shape(r, "/a"); got != `0-1 "1\n">"2\n"` {
		t.Fatal(got)
	}
	if got := r.Unsettled(); len(got) != 0 {
		t.Fatal(got)
	}
}

func TestTwoBridgesHaveAJournalEachAndTheNextTakesBothOver(t *testing.T) {
	d := newMemDisk()
	a, quiet := openOn(t, d)
	b, told := openOn(t, d)
	if len(*quiet) != 0 || len(*told) != 0 {
		t.Fatal(*quiet, *told)
	}
	agent(t, a, "t1", "/a", "1\n", "2\n")
	agent(t, b, "t2", "/b", "1\n", "2\n")
	agent(t, a, "t1", "/both", "1\n", "a\n")
	agent(t, b, "t2", "/both", "1\n", "b\n")
	if len(a.Files(Filter{})) != 2 {
		t.Fatal("the one shows what the other has")
	}
	c, told := openOn(t, d.crash())
	var paths []string
	for _, f := range c.Files(Filter{}) {
		paths = append(paths, f.Path)
	}
	if got := strings.Join(paths, " "); got != "/a /b /both" {
		t.Fatal(got)
	}
	if len(*told) != 1 || !strings.Contains((*told)[0], "/both") {
		t.Fatal(*told)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAJournalOfANewerVersionIsLeftAlone(t *testing.T) {
	d := newMemDisk()
	a, _ := openOn(t, d)
	name := d.log()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	head, err := json.Marshal(record{Header: &journal.Header{Format: "copilot-bridge review journal", Version: 2}})
	if err != nil {
		t.Fatal(err)
	}
	newer := durable.AppendRecord(nil, 1, head)
	d.files[name] = bytes.Clone(newer)
	b, told := openOn(t, d)
	if !bytes.Equal(d.files[name], newer) || len(*told) == 0 || !strings.Contains((*told)[0], "newer") {
		t.Fatal(*told)
	}
	agent(t, b, "t", "/a", "1\n", "2\n")
	if !bytes.Equal(d.files[name], newer) || len(d.files[filepath.Dir(name)+"/1.log"]) == 0 {
		t.Fatal("written to")
	}
}

func TestTheJournalIsCompactedAndBoundedAndSaysSo(t *testing.T) {
	d := newMemDisk()
	b, told := openOn(t, d)
	b.limit = 200_000
	log := d.log()
	big := numbered(2000)
	for i := range 40 {
		agent(t, b, fmt.Sprint("t", i), fmt.Sprintf("/f%02d", i), big, big+"more\n")
	}
	if !strings.Contains(strings.Join(*told, "\n"), "turn t0 can no longer be undone") {
		t.Fatalf("%q", *told)
	}
	if n := len(d.files[log]); n > 400_000 {
		t.Fatalf("the journal has %d bytes", n)
	}
	fs := b.Files(Filter{})
	if len(fs) == 0 || fs[len(fs)-1].Path != "/f39" || fs[0].Path == "/f00" {
		t.Fatalf("%d files, first %s", len(fs), fs[0].Path)
	}
	live := seen(b)
	c, _ := openOn(t, d.crash())
	if got := seen(c); got != live {
		t.Fatal("a restart shows something else")
	}
}

func TestTypingDoesNotLetTheJournalGrowWithoutEnd(t *testing.T) {
	b, _ := openOn(t, newMemDisk())
	agent(t, b, "t", "/a", "1\n", "2\n")
	long := strings.Repeat("x", 100_000)
	for i := range 1000 {
		b.TextChanged("/a", fmt.Sprint(i)+long+"\n2\n")
	}
	if n := b.journal.Size(); n > 32<<20 {
		t.Fatalf("the journal has %d bytes", n)
	}
}
