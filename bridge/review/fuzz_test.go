package review

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// FuzzOpen: whatever stands in a journal, opening it neither fails nor loses what
// it sets aside, and what it leads to can be used and opened again.
func FuzzOpen(f *testing.F) {
	d := newMemDisk()
	b, _ := openOn(f, d)
	log := d.log()
	if err := sequence(b, func() {}); err != nil {
		f.Fatal(err)
	}
	f.Add(d.files[log], -1, byte(0), "")
	f.Add(d.files[log][:100], 20, byte(3), "x")
	for _, js := range []string{
		`{"user":{"path":"/a","blocks":[{"a":5,"b":1,"t":"x"}]}}`,
		`{"undo":{"path":"/a","items":[{"id":"x"}],"file":true}}`,
		`{"file":{"path":"/a","exists":true,"hunks":[{"id":"h","a":9,"b":3,"layers":null}]}}`,
		`{"file":{"path":"/a","marks":[{"kind":"undone","hunk":{"id":"h","a":-1,"b":3}}]}}`,
		`{"begin":{"id":1,"change":{"path":"/x","kind":"edit","after":[{"a":7,"b":9}]}}}`,
		`{"land":{"id":1,"own":true}}`, `{"rest":{"flights":[{"id":1,"change":{"path":"/a","after":[{"a":3,"b":1}]}}]}}`,
	} {
		f.Add(d.files[log], -1, byte(0), js)
	}
	f.Fuzz(func(t *testing.T, data []byte, at int, flip byte, more string) {
		data = bytes.Clone(data)
		if at >= 0 && at < len(data) {
			data[at] ^= flip
		}
		// A record that is well framed reaches further in than noise.
		n, head := uint64(1), durable.RecordSize(nil)
		for rest := data; len(rest) >= head; n++ {
			size := int(rest[0]) | int(rest[1])<<8
			if len(rest) < head+size {
				break
			}
			rest = rest[head+size:]
		}
		data = append(data, reframe(n, more)...)
		c := newMemDisk()
		c.files[log] = bytes.Clone(data)
		b, _ := openOn(t, c)
		for name, bad := range c.files {
			if strings.Contains(name, ".bad-") && !bytes.HasSuffix(data, bad) {
				t.Fatalf("set aside %q", bad)
			}
		}
		for _, p := range b.Unsettled() {
			b.Reconcile(p, "some\ntext\n", true)
		}
		for _, file := range b.Files(Filter{}) {
			checkFile(t, b, file.Path, func() string { return fmt.Sprintf("%q", data) })
		}
		us, _ := b.PlanUndo(Selector{All: true})
		for _, u := range us {
			b.Done(u, u.Target)
		}
		b.Keep(Selector{All: true})
		now := seen(b)
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		again, told := openOn(t, c)
		if got := seen(again); got != now || len(*told) > 0 {
			t.Fatalf("%q\n%s\nwant\n%s", *told, got, now)
		}
	})
}

// reframe frames JSON that may be no record.
func reframe(seq uint64, js string) []byte {
	if js == "" {
		return nil
	}
	return durable.AppendRecord(nil, seq, []byte(js))
}

// FuzzHunks: whatever agent and user do to a text, base, text and hunks fit, and
// undoing in any order of hunks gives the base.
func FuzzHunks(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc\n", "x\na\nB\n", "x\na\nB\nd", uint8(1))
	f.Add("", "a", "a\n", "", uint8(2))
	f.Add("a\r\nb", "a\r\n", "a\r\nx", "a\nx", uint8(0))
	f.Fuzz(func(t *testing.T, base, one, user, two string, order uint8) {
		for _, s := range []string{base, one, user, two} {
			if !utf8.ValidString(s) || len(s) > 2000 {
				return
			}
		}
		b := memory(t)
		agent(t, b, "t1", "/a", base, one)
		check := func() {
			checkFile(t, b, "/a", func() string { return fmt.Sprintf("%q %q %q %q", base, one, user, two) })
		}
		check()
		if got, ok := b.Base("/a"); ok && got != base {
			t.Fatalf("base %q", got)
		}
		b.TextChanged("/a", user)
		check()
		want, ok := b.Base("/a")
		if !ok {
			want = user
		}
		agent(t, b, "t2", "/a", user, two)
		check()
		if got, ok := b.Base("/a"); ok && got != want {
			t.Fatalf("the agent changed the base to %q", got)
		}
		now := two
		for {
			fs := b.Files(Filter{})
			if len(fs) == 0 {
				break
			}
			hs := fs[0].Hunks
			h := hs[int(order)%len(hs)]
			us, cs := b.PlanUndo(Selector{Hunks: []string{h.ID}})
			if len(us) != 1 || len(cs) > 0 || us[0].Current != now || us[0].Target != now[:h.Start]+h.OldText+now[h.End:] {
				t.Fatalf("%+v %v", us, cs)
			}
			b.TextChanged("/a", us[0].Target)
			b.Done(us[0], us[0].Target)
			now = us[0].Target
			check()
		}
		if now != want {
			t.Fatalf("all undone: %q, the base was %q", now, want)
		}
	})
}
