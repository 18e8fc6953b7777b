package permission

import (
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestANameThatMixesScriptsIsSpelledOut: in a path, a command, a variable. What people write their names in is not.
func TestANameThatMixesScriptsIsSpelledOut(t *testing.T) {
	for name, want := range map[string]bool{
		"plain.txt": false, "café.txt": false, "straße": false, "żółw.c": false, "ığdır": false, "привет.txt": false, "русский_файл.go": false, "αλφάβητο": false,
		"日本語.md": false, "データv2.csv": false, "한글 file": false, "שלום.txt": false, "naïve—draft.txt": false, "привет-world.txt": false, "don’t.txt": false,

		"p\u0430ckage.json": true, "\u0440\u0430\u0443\u0440\u0430l": true, "\u0441\u043e\u0440\u0443": true, "\u03bfk": true, "M\u0391KE": true, "\u0555K": true,
		"gi\uff54": true, "\U0001d5c5\U0001d5cc": true, "\ufb01le": true, "a\u2044b": true, "a\u2215b": true, "\u2212rf": true, "C\u2236": true, "\u0261it": true,
		"x/\u0430.txt/y": true, "\u13dain": true, "Makefile\u0430": true,
	} {
		if got := looksOtherwise(name); got != want {
			t.Errorf("%q looks like another one: %v", name, got)
		}
		spelt := spelledOut("/w/" + name)
		if want && (spelt == "" || strings.ContainsFunc(spelt, func(r rune) bool { return r >= 0x80 })) {
			t.Errorf("the path of %q is spelled %s", name, spelt)
		}
		q := Question{Argv: []string{"cat", "a " + name}, Env: []policy.EnvVar{{Name: "X", Value: name}}}
		q.Present()
		for _, of := range []string{"the command", "the environment"} {
			told := slices.ContainsFunc(q.Notes, func(n string) bool { return strings.HasPrefix(n, of) && strings.Contains(n, `\`) })
			if told != want {
				t.Errorf("%q in %s: told %v, %q", name, of, told, q.Notes)
			}
		}
	}
	if got := spelledWords(strings.Repeat("\u0430 ", maxSpelled+5)); !strings.HasSuffix(got, ", 5 more") {
		t.Errorf("of many: %s", got)
	}
}
