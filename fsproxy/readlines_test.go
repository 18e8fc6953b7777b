package fsproxy

import (
	"errors"
	"strings"
	"testing"
)

func TestReadLines(t *testing.T) {
	const four = "one\ntwo\nthree\nfour\n"
	const none = -1 // not given
	for _, c := range []struct {
		text        string
		line, limit int
		want        string
	}{
		{four, none, none, four},
		{four, none, 2, "one\ntwo\n"},
		{four, 0, 1, "one\n"},
		{four, 2, 2, "two\nthree\n"},
		{four, 3, none, "three\nfour\n"},
		{four, 4, 99, "four\n"},
		{four, 5, none, ""},
		{four, 6, none, "!"},
		{four, 1, 0, ""},
		{four, 4294967295, 4294967295, "!"},
		{"a\r\nb\r\nc", 2, 1, "b\r\n"},
		{"a\nb", 2, 1, "b"},
		{"a\nb", 3, none, "!"},
		{"", 7, 7, ""},
	} {
		opt := func(n int) *uint32 {
			if n == none {
				return nil
			}
			u := uint32(n)
			return &u
		}
		got, err := ReadLines(c.text, opt(c.line), opt(c.limit))
		var past *PastEndError
		if errors.As(err, &past) != (c.want == "!") || err == nil && got != c.want {
			t.Errorf("ReadLines(%q, %d, %d) = %q, %v, want %q", c.text, c.line, c.limit, got, err, c.want)
		}
	}
}

func FuzzReadLines(f *testing.F) {
	f.Add("a\nb\r\nc", uint32(2), uint32(1))
	f.Fuzz(func(t *testing.T, text string, line, limit uint32) {
		line, limit = line%64, limit%64
		var want string
		lines := strings.SplitAfter(text, "\n")
		from := max(int(line), 1) - 1
		past := from >= len(lines) && text != ""
		if from < len(lines) {
			want = strings.Join(lines[from:min(from+int(limit), len(lines))], "")
		}
		got, err := ReadLines(text, &line, &limit)
		if (err != nil) != past || err == nil && got != want {
			t.Errorf("ReadLines(%q, %d, %d) = %q, %v, want %q", text, line, limit, got, err, want)
		}
	})
}
