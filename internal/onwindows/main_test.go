package main

import (
	"os"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) { os.Exit(await.Watch(m).Run()) }

const listed = "## Tests that are skipped\n\n| package | test | why |\n|---|---|---|\n| `a` | `TestSkipped` | Wine has no links |\n| `a` | `TestPart` | Wine has no links |\n\n" +
	"## Tests that still fail\n\n| `a` | `TestFails` | writes / |\n| `b` | `*` | hangs |\n\n## More\n\n| `a` | `TestOther` | not in a list |\n"

// said is go test -json of results like "a TestX fail", and of packages: "a - pass".
func said(results ...string) string {
	var b strings.Builder
	for _, r := range results {
		f := strings.Fields(r)
		test := ""
		if f[1] != "-" {
			test = `,"Test":"` + f[1] + `"`
		}
		b.WriteString(`{"Action":"` + f[2] + `","Package":"` + module + f[0] + `"` + test + "}\n")
	}
	return b.String()
}

func TestTheListsAreHeldToTheRun(t *testing.T) {
	good := []string{"a TestPasses pass", "a TestSkipped skip", "a TestPart/links skip", "a TestPart/rest pass", "a TestPart pass", "a TestFails/x fail", "a TestFails fail", "a - fail", "b TestAny fail", "b - fail"}
	with := func(from string, to ...string) []string {
		var out []string
		for _, r := range good {
			if r == from {
				out = append(out, to...)
			} else {
				out = append(out, r)
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		results []string
		says    string
	}{
		"as listed":              {good, ""},
		"a new failure":          {with("a TestPasses pass", "a TestPasses fail"), "a TestPasses fails"},
		"a new skip":             {with("a TestPasses pass", "a TestPasses skip"), "a TestPasses is skipped and not listed"},
		"a new skip below":       {append(with(""), "a TestPasses/rest skip"), "a TestPasses/rest is skipped and not listed"},
		"a skip that runs":       {with("a TestSkipped skip", "a TestSkipped pass"), "listed as skipped and is not"},
		"a part that runs":       {with("a TestPart/links skip", "a TestPart/links pass"), "listed as skipped and is not"},
		"a failure that is gone": {with("a TestFails fail", "a TestFails pass"), "a TestFails is listed as failing and passes"},
		"a package that is gone": {with("b - fail", "b - pass"), "b is listed as failing and passes"},
		"a test that is gone":    {with("a TestSkipped skip"), "a TestSkipped is listed and was not run"},
		"not run":                {with("b - fail"), "its package was not run"},
		"fails after its tests":  {append(with("a TestFails fail"), "c TestX pass", "c - fail"), "package c fails outside its tests"},
		"a skip of all":          {[]string{"a TestSkipped skip", "a TestPart skip", "a - pass", "b - fail"}, "runs none of its tests"},
		"nothing":                {nil, "no test was run"},
	} {
		var out strings.Builder
		err := run(strings.NewReader("# compiler\n"+said(c.results...)), &out, parse(listed))
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(out.String()+err.Error(), c.says) {
			t.Errorf("%s: %v\n%s", name, err, &out)
		}
	}
}
