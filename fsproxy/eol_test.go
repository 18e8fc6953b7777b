package fsproxy

import (
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

func TestEOL(t *testing.T) {
	for s, want := range map[string]struct {
		is, most EOL
		final    bool
	}{
		"":             {None, None, false},
		"a":            {None, None, false},
		"a\u2028b\v":   {None, None, false},
		"a\nb\n":       {LF, LF, true},
		"a\r\nb":       {CRLF, CRLF, false},
		"a\rb\r":       {CR, CR, true},
		"a\r\nb\n":     {Mixed, LF, true},
		"a\r\nb\r\n\n": {Mixed, CRLF, true},
		"a\r\r\r\n":    {Mixed, CR, true},
		"a\rb\r\n":     {Mixed, CRLF, true},
	} {
		x := text.New(s)
		snap := NewSnapshot("/f", x)
		if EOLOf(x) != want.is || MajorityEOL(x) != want.most || snap.EOL != want.is || snap.FinalNewline != want.final {
			t.Errorf("%q: %v, mostly %v, final %v; want %v", s, EOLOf(x), MajorityEOL(x), snap.FinalNewline, want)
		}
	}
}

func TestConvertEOL(t *testing.T) {
	const s = "a\nb\r\nc\rd\n\re"
	for e, want := range map[EOL]string{
		LF:    "a\nb\nc\nd\n\ne",
		CRLF:  "a\r\nb\r\nc\r\nd\r\n\r\ne",
		CR:    "a\rb\rc\rd\r\re",
		Mixed: s,
		None:  s,
	} {
		if got := ConvertEOL(s, e); got != want {
			t.Errorf("to %v: %q, want %q", e, got, want)
		}
		if got := ConvertEOL("no line end", e); got != "no line end" {
			t.Errorf("to %v: %q", e, got)
		}
	}
}
