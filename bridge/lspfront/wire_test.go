package lspfront

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestFramesThatAreNoneEndTheStream is the table of header faults: after one nobody knows where the next message is.
func TestFramesThatAreNoneEndTheStream(t *testing.T) {
	body := `{"jsonrpc":"2.0","method":"x"}`
	good := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	cases := map[string]struct {
		in   string
		want string // what is passed on, canonical
		ok   bool
	}{
		"plain":             {good, good, true},
		"lower case":        {strings.Replace(good, "Content-Length", "content-length", 1), good, true},
		"content type too":  {"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + good, good, true},
		"bare newlines":     {fmt.Sprintf("Content-Length: %d\n\n%s", len(body), body), good, true},
		"two lengths":       {"Content-Length: 5\r\n" + good, "", false},
		"negative":          {"Content-Length: -5\r\n\r\nhello", "", false},
		"huge":              {"Content-Length: 99999999999\r\n\r\n", "", false},
		"zero":              {"Content-Length: 0\r\n\r\n", "", false},
		"no length":         {"X: y\r\n\r\n", "", false},
		"text":              {"hello there\r\n\r\n", "", false},
		"endless header":    {strings.Repeat("X: y\r\n", 5000), "", false},
		"endless line":      {"X: " + strings.Repeat("y", 100_000), "", false},
		"cut in the header": {"Content-Len", "", false},
		"cut in the body":   {good[:len(good)-3], good[:len(good)-3], false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := &wire{in: newFrameReader(strings.NewReader(c.in))}
			got, err := io.ReadAll(w.in)
			if string(got) != c.want && c.want != "" {
				t.Errorf("passed on %q, want %q", got, c.want)
			}
			if (err == nil) != c.ok {
				t.Errorf("error %v", err)
			}
		})
	}
}

// FuzzFrames: whatever comes in, what is passed on is a sequence of whole canonical frames, and nothing panics.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull"))
	f.Add([]byte("Content-Length: 2\n\n{}\r\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := io.ReadAll(newFrameReader(bytes.NewReader(in)))
		if err != nil {
			return
		}
		again, err := io.ReadAll(newFrameReader(bytes.NewReader(out)))
		if err != nil || !bytes.Equal(out, again) {
			t.Fatalf("%q became %q, which becomes %q (%v)", in, out, again, err)
		}
	})
}
