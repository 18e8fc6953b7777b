package fsproxy_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

const file = "/w/a.txt"

func newOverlay(onDisk string) (*fsproxy.Overlay, *fsproxy.MemFiles) {
	m := fsproxy.NewMemFiles()
	_ = m.Store(file, onDisk)
	return fsproxy.NewOverlay(m.Source()), m
}

func at(line, char uint32) text.Position { return text.Position{Line: line, Character: char} }

func TestOverlayServesBuffersFirst(t *testing.T) {
	o, _ := newOverlay("disk\n")
	read := func() *fsproxy.Snapshot {
		s, err := o.Read(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := read(); s.Text.String() != "disk\n" || s.Open || s.Version != fsproxy.VersionDisk {
		t.Errorf("closed: %+v", s)
	}
	o.Open(file, 3, "buffer\n")
	if s := read(); s.Text.String() != "buffer\n" || !s.Open || !s.Dirty || s.Version != 3 {
		t.Errorf("open: %+v", s)
	}
	if err := o.Change(file, 9, []fsproxy.Edit{{Start: at(0, 0), End: at(0, 1), New: "B"}, {Start: at(1, 0), End: at(1, 0), New: "x"}}); err != nil {
		t.Fatal(err)
	}
	if s := read(); s.Text.String() != "Buffer\nx" || s.Version != 9 {
		t.Errorf("changed: %+v", s)
	}
	if err := o.Change(file, 10, []fsproxy.Edit{{Full: true, New: "all\r\n"}}); err != nil {
		t.Fatal(err)
	}
	if s := read(); s.Text.String() != "all\r\n" {
		t.Errorf("full: %+v", s)
	}
	o.Close(file)
	if s := read(); s.Open {
		t.Error("still open after close")
	}
}

func TestDirtyIsWhatIsNotSaved(t *testing.T) {
	for _, c := range []struct {
		disk, open string
		dirty      bool
	}{
		{"a\n", "a\n", false},
		{"a\r\nb\r\n", "a\nb\n", false}, // Neovim
		{"a", "a\n", false},
		{"a\n", "a", false},
		{"a\n", "b\n", true},
		{"a\n", "a\n\n\n", true},
	} {
		o, _ := newOverlay(c.disk)
		o.Open(file, 1, c.open)
		if s, _ := o.Lookup(file); s.Dirty != c.dirty {
			t.Errorf("disk %q, buffer %q: dirty %v", c.disk, c.open, s.Dirty)
		}
	}
	o, _ := newOverlay("a")
	for path, want := range map[string]bool{"/w/new": false, "/w/typed": true} {
		content := ""
		if want {
			content = "x"
		}
		o.Open(path, 1, content)
		if s, _ := o.Lookup(path); s.Dirty != want {
			t.Errorf("%s: dirty %v", path, s.Dirty)
		}
	}
	o.Open(file, 1, "a")
	dirty := func() bool { s, _ := o.Lookup(file); return s.Dirty }
	typed := func(version int32, end uint32, s string) {
		if err := o.Change(file, version, []fsproxy.Edit{{Start: at(0, 1), End: at(0, end), New: s}}); err != nil {
			t.Fatal(err)
		}
	}
	typed(2, 1, "b")
	if !dirty() {
		t.Error("clean after typing")
	}
	typed(3, 2, "")
	if dirty() {
		t.Error("dirty after the typing was taken back")
	}
	typed(4, 1, "c")
	o.Saved(file, nil)
	if dirty() {
		t.Error("dirty after save")
	}
	typed(5, 2, "d")
	old := "a"
	o.Saved(file, &old)
	if !dirty() {
		t.Error("clean after another text was saved")
	}
}

func TestWhatCannotBeFollowedIsDropped(t *testing.T) {
	for name, c := range map[string]func(o *fsproxy.Overlay) error{
		"a version that does not grow": func(o *fsproxy.Overlay) error { return o.Change(file, 7, nil) },
		"a range past the end": func(o *fsproxy.Overlay) error {
			return o.Change(file, 8, []fsproxy.Edit{{Start: at(0, 0), End: at(9, 0)}})
		},
		"a range that ends before it starts": func(o *fsproxy.Overlay) error {
			return o.Change(file, 8, []fsproxy.Edit{{Start: at(0, 2), End: at(0, 1)}})
		},
	} {
		o, _ := newOverlay("disk\n")
		closed := false
		o.Subscribe(func(c fsproxy.Change) { closed = c.Closed })
		o.Open(file, 7, "buffer\n")
		if err := c(o); err == nil {
			t.Errorf("%s: no error", name)
		}
		if s, err := o.Read(t.Context(), file); err != nil || s.Open || s.Text.String() != "disk\n" || !closed {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if err := o.Change(file, 9, nil); !errors.Is(err, fsproxy.ErrNotOpen) {
			t.Errorf("%s: the next change: %v", name, err)
		}
		o.Open(file, 1, "again\n")
		if s, _ := o.Lookup(file); s.Text.String() != "again\n" {
			t.Errorf("%s: opened again: %q", name, s.Text)
		}
	}
	o, _ := newOverlay("")
	if err := o.Change("/w/never", 1, nil); !errors.Is(err, fsproxy.ErrNotOpen) {
		t.Errorf("unknown: %v", err)
	}
}

// A range that ends at the line after the last is the end of the text: editors
// replace everything with it.
func TestRangeToTheLineAfterTheLast(t *testing.T) {
	o, _ := newOverlay("")
	o.Open(file, 1, "a\nb")
	if err := o.Change(file, 2, []fsproxy.Edit{{Start: at(0, 0), End: at(2, 0), New: "c"}}); err != nil {
		t.Fatal(err)
	}
	if s, _ := o.Lookup(file); s.Text.String() != "c" {
		t.Errorf("got %q", s.Text)
	}
}

func TestTwoSpellingsShareOneBuffer(t *testing.T) {
	o, _ := newOverlay("")
	o.Open(file, 1, "a")
	o.Open(file, 1, "a")
	o.Close(file)
	if _, open := o.Lookup(file); !open {
		t.Error("closed while one spelling is open")
	}
	o.Close(file)
	o.Close(file)
	if _, open := o.Lookup(file); open {
		t.Error("still open")
	}
}

func TestSubscribersHearEverythingInOrder(t *testing.T) {
	o, _ := newOverlay("")
	var heard []string
	cancel := o.Subscribe(func(c fsproxy.Change) {
		now, _ := o.Lookup(c.Path) // reading is allowed
		if now != c.After {
			t.Error("the overlay does not show what it tells")
		}
		before := "-"
		if c.Before != nil {
			before = c.Before.Text.String()
		}
		after := "-"
		if c.After != nil {
			after = c.After.Text.String()
		}
		heard = append(heard, fmt.Sprint(before, " ", after, " ", len(c.Steps)))
	})
	o.Open(file, 1, "a")
	_ = o.Change(file, 2, []fsproxy.Edit{{Full: true, New: "b"}, {Full: true, New: "c"}})
	o.Saved(file, nil)
	o.Close(file)
	cancel()
	o.Open(file, 1, "z")
	if want := []string{"- a 0", "a c 2", "c c 0", "c - 0"}; !slices.Equal(heard, want) {
		t.Errorf("heard %q", heard)
	}
}

func TestWait(t *testing.T) {
	o, _ := newOverlay("")
	got := make(chan string)
	asked := make(chan struct{}, 10)
	go func() {
		s, err := o.Wait(context.Background(), file, func(s *fsproxy.Snapshot) bool {
			asked <- struct{}{}
			return s != nil && s.Version == 3
		})
		if err != nil {
			t.Error(err)
		}
		got <- s.Text.String()
	}()
	<-asked
	o.Open(file, 1, "a")
	<-asked
	_ = o.Change(file, 3, []fsproxy.Edit{{Full: true, New: "b"}})
	if s := <-got; s != "b" {
		t.Errorf("got %q", s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := o.Wait(ctx, file, func(*fsproxy.Snapshot) bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The overlay's text is the editor's whatever the edits and the encoding.
func TestOverlayFollowsRandomEdits(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		enc := text.Encoding(r.IntN(3))
		o, _ := newOverlay("")
		s := "één\r\n𝒳\n"
		o.Open(file, 1, s)
		version := int32(1)
		for range 30 {
			var edits []fsproxy.Edit
			for range 1 + r.IntN(3) {
				rs := []rune(s)
				i := r.IntN(len(rs) + 1)
				j := i + r.IntN(len(rs)-i+1)
				cut := func(k int) bool { return k > 0 && k < len(rs) && rs[k] == '\n' && rs[k-1] == '\r' }
				if cut(i) || cut(j) {
					continue
				}
				put := []string{"", "x", "𝒳\r\n", "é\n"}[r.IntN(4)]
				now := text.New(s)
				edits = append(edits, fsproxy.Edit{
					Start: now.PositionOf(len(string(rs[:i])), enc), End: now.PositionOf(len(string(rs[:j])), enc), Enc: enc, New: put,
				})
				s = string(rs[:i]) + put + string(rs[j:])
			}
			version += 1 + r.Int32N(3)
			if err := o.Change(file, version, edits); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if snap, _ := o.Lookup(file); snap.Text.String() != s {
				t.Fatalf("seed %d: overlay has %q, the editor %q", seed, snap.Text, s)
			}
		}
	}
}
