package review

import (
	"fmt"
	"strings"
	"testing"
)

// thousand gives a book with a file of 100,000 lines and 1,000 hunks in it.
func thousand(t testing.TB, b *Book) string {
	t.Helper()
	ls := strings.SplitAfter(numbered(100_000), "\n")
	base := strings.Join(ls, "")
	for i := range 1000 {
		ls[i*100] = fmt.Sprintf("changed line %d\n", i)
	}
	after := strings.Join(ls, "")
	agent(t, b, "t", "/big", base, after)
	if fs := b.Files(Filter{}); len(fs) != 1 || len(fs[0].Hunks) != 1000 {
		t.Fatal("not the hunks that were meant")
	}
	return after
}

func onDisk(b *testing.B) *Book {
	b.Helper()
	book, err := Open(Config{Dir: b.TempDir(), Workspace: "/ws"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { book.Close() })
	return book
}

// BenchmarkKeystroke: one character typed in a file of 100,000 lines with 1,000 hunks.
func BenchmarkKeystroke(b *testing.B) {
	for name, at := range map[string]string{"outside": "line 50050\n", "inside": "changed line 500\n", "newline": "line 50050\n"} {
		b.Run(name, func(b *testing.B) {
			book := onDisk(b)
			text := thousand(b, book)
			put := "x" + at
			if name == "newline" {
				put = "\n" + at
			}
			texts := [2]string{strings.Replace(text, at, put, 1), text}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				book.TextChanged("/big", texts[i%2])
			}
		})
	}
}

// BenchmarkKeystrokeInFlight: the same while the agent changes the file.
func BenchmarkKeystrokeInFlight(b *testing.B) {
	book := onDisk(b)
	text := thousand(b, book)
	texts := [2]string{strings.Replace(text, "line 50050\n", "xline 50050\n", 1), text}
	if _, err := book.Begin(Change{
		Session: "s", Turn: "u", Path: "/big", Kind: KindEdit, BeforeExists: true,
		Before: text, After: strings.Replace(text, "line 70070\n", "agent\n", 1),
	}); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		book.TextChanged("/big", texts[i%2])
	}
}

func BenchmarkFiles(b *testing.B) {
	book := memory(b)
	thousand(b, book)
	for b.Loop() {
		book.Files(Filter{})
	}
}

// BenchmarkChange: Begin with its journal on disk, and Commit, of one line.
func BenchmarkChange(b *testing.B) {
	book := onDisk(b)
	text := numbered(1000)
	for i := 0; b.Loop(); i++ {
		next := strings.Replace(text, "line 500\n", fmt.Sprintf("line 500\n%d\n", i), 1)
		agent(b, book, "t", "/a", text, next)
		agent(b, book, "t", "/a", next, text)
	}
}

func BenchmarkUndoAll(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		book := memory(b)
		thousand(b, book)
		b.StartTimer()
		us, _ := book.PlanUndo(Selector{All: true})
		book.TextChanged("/big", us[0].Target)
		book.Done(us[0], us[0].Target)
	}
}

func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	book, err := Open(Config{Dir: dir, Workspace: "/ws"})
	if err != nil {
		b.Fatal(err)
	}
	thousand(b, book)
	if err := book.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		book, err := Open(Config{Dir: dir, Workspace: "/ws"})
		if err != nil {
			b.Fatal(err)
		}
		book.Close()
	}
}

// BenchmarkRecord: 100 files changed by a command.
func BenchmarkRecord(b *testing.B) {
	book := onDisk(b)
	text := numbered(200)
	for n := 0; b.Loop(); n++ {
		var cs []Change
		for i := range 100 {
			cs = append(cs, Change{
				Session: "s", Turn: fmt.Sprint(n), Path: fmt.Sprintf("/f%d-%d", n, i), Kind: KindEdit, BeforeExists: true,
				Before: text, After: text + "more\n",
			})
		}
		if err := book.Record(cs); err != nil {
			b.Fatal(err)
		}
	}
}
