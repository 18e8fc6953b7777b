package acptest

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestWrongScriptsAreRefusedWithTheirLine(t *testing.T) {
	for script, want := range map[string]string{
		"frobnicate":          `1: no step "frobnicate"`,
		"\n# x\nexpect":       "3: expect: want 1 arguments, have 0",
		"  more":              "1: nothing to continue",
		"loop\nexpect a":      "1: loop without end",
		"end":                 "1: end without loop",
		"repeat x say a":      `1: repeat: want a number, have "x"`,
		"repeat 2 frobnicate": `1: no step "frobnicate"`,
		"exit":                "1: exit: want 1 arguments, have 0",
	} {
		if _, err := parseScript(script, 0); err == nil || err.Error() != want {
			t.Errorf("%q: have %v, want %s", script, err, want)
		}
	}
	if _, err := Parse("x.txtar", []byte("prose\n-- other --\n")); err == nil || !strings.Contains(err.Error(), `no file "agent"`) {
		t.Errorf("have %v", err)
	}
	if _, err := Parse("x.txtar", []byte("prose\n-- other --\n1\n2\n-- agent --\nsay hi\nfrobnicate\n")); err == nil || !strings.Contains(err.Error(), "x.txtar:7: no step") {
		t.Errorf("have %v", err)
	}
	if _, err := Builtin("none"); err == nil {
		t.Error("found a scenario that is not there")
	}
}

func TestScenariosOfThePackageParse(t *testing.T) {
	all, err := builtin.ReadDir("scenarios")
	must(t, err)
	for _, entry := range all {
		s, err := Builtin(strings.TrimSuffix(entry.Name(), ".txtar"))
		if err != nil {
			t.Error(err)
		} else if s.Doc == "" {
			t.Errorf("%s does not say what it is", entry.Name())
		}
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct{ pattern, value, want string }{
		{``, `{"a":1}`, ""},
		{`{}`, `{"a":1}`, ""},
		{`{"a":1}`, `{"a":1.0,"b":2}`, ""},
		{`{"a":"*"}`, `{"a":null}`, ""},
		{`{"a":"*"}`, `{"b":null}`, "no member a"},
		{`{"a":"re:^x"}`, `{"a":"xyz"}`, ""},
		{`{"a":"re:^x"}`, `{"a":"yz"}`, `/a: want a match of ^x, have "yz"`},
		{`{"a":"re:("}`, `{"a":"yz"}`, "missing closing"},
		{`{"a":[1]}`, `{"a":[1,2]}`, "/a: want a list of 1, have [1,2]"},
		{`{"a":[1,{"b":2}]}`, `{"a":[1,{"b":3}]}`, "/a/1/b: want 2, have 3"},
		{`[]`, `{}`, "want a list of 0, have {}"},
		{`{"a":1}`, ``, "want an object, have null"},
		{`{"a"`, `{}`, "the pattern is no JSON"},
	} {
		if got := match(c.pattern, jsontext.Value(c.value)); got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%s against %s: have %q, want %q", c.value, c.pattern, got, c.want)
		}
	}
}
