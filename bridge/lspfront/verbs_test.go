package lspfront

import (
	"strings"
	"testing"
)

// TestOneEntryAVerb guards the table: no name is there twice, and each verb can be asked for.
func TestOneEntryAVerb(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range verbs() {
		if v.method == "" && v.command == "" {
			t.Errorf("%+v cannot be asked for", v)
		}
		for _, name := range []string{prefix + v.method, commandPrefix + v.command} {
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = name != prefix && name != commandPrefix
		}
		if v.title != "" && (v.command == "" || v.kind == "") {
			t.Errorf("%q is a code action without a command or a kind", v.title)
		}
	}
}

// TestParamsOfBothRoads guards that one struct serves a method and a command, and that each knows its own members only.
func TestParamsOfBothRoads(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		command   bool
		text      string // what is read of the command's own member
		wrong     string
	}{
		{"a method passes over what it does not know", `{"sessionId": "s", "later": 1}`, false, "", ""},
		{"and what is the command's", `{"sessionId": "s", "text": "x"}`, false, "", ""},
		{"a command reads its own", `{"text": "x"}`, true, "x", ""},
		{"a command refuses what nobody knows", `{"txt": "x"}`, true, "", "txt"},
		{"and what is the method's", `{"text": "x", "sessionId": "s"}`, true, "x", "sessionId"},
		{"a command takes an object", `"x"`, true, "", "one object"},
		{"names are exact", `{"TEXT": "x"}`, true, "", "TEXT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p promptParams
			err := decodeParams([]byte(c.raw), &p, c.command)
			if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
				t.Fatalf("the error is %v, want %q in it", err, c.wrong)
			}
			if p.Text != c.text {
				t.Errorf("text %q, want %q", p.Text, c.text)
			}
		})
	}
}
