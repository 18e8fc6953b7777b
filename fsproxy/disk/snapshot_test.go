package disk

import (
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

func TestEOL(t *testing.T) {
	for s, want := range map[string]struct {
		is, most text.EOL
		final    bool
	}{
		"":             {text.None, text.None, false},
		"a":            {text.None, text.None, false},
		"a\u2028b\v":   {text.None, text.None, false},
		"a\nb\n":       {text.LF, text.LF, true},
		"a\r\nb":       {text.CRLF, text.CRLF, false},
		"a\rb\r":       {text.CR, text.CR, true},
		"a\r\nb\n":     {text.Mixed, text.LF, true},
		"a\r\nb\r\n\n": {text.Mixed, text.CRLF, true},
		"a\r\r\r\n":    {text.Mixed, text.CR, true},
		"a\rb\r\n":     {text.Mixed, text.CRLF, true},
	} {
		x := text.New(s)
		snap := NewSnapshot("/f", x)
		if text.EOLOf(x) != want.is || text.MajorityEOL(x) != want.most || snap.EOL != want.is || snap.FinalNewline != want.final {
			t.Errorf("%q: %v, mostly %v, final %v; want %v", s, text.EOLOf(x), text.MajorityEOL(x), snap.FinalNewline, want)
		}
	}
}

func TestConvertEOL(t *testing.T) {
	const s = "a\nb\r\nc\rd\n\re"
	for e, want := range map[text.EOL]string{
		text.LF:    "a\nb\nc\nd\n\ne",
		text.CRLF:  "a\r\nb\r\nc\r\nd\r\n\r\ne",
		text.CR:    "a\rb\rc\rd\r\re",
		text.Mixed: s,
		text.None:  s,
	} {
		if got := text.ConvertEOL(s, e); got != want {
			t.Errorf("to %v: %q, want %q", e, got, want)
		}
		if got := text.ConvertEOL("no line end", e); got != "no line end" {
			t.Errorf("to %v: %q", e, got)
		}
	}
}
