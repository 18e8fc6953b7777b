package imports

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"
)

// promises are the rows that docs/dev/sessions.md must have.
var promises = []struct{ from, to int }{{90, 99}, {110, 120}}

var promiseRow = regexp.MustCompile(`(?m)^\| (R-\d+) \|[^|]*\|(.*)\|$`)

// TestEveryPromiseHasItsTest guards docs/dev/sessions.md: each row of its catalogue names tests that exist.
func TestEveryPromiseHasItsTest(t *testing.T) {
	page, err := os.ReadFile("../../docs/dev/sessions.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := allTests(t)
	var rows, want []string
	for _, m := range promiseRow.FindAllStringSubmatch(string(page), -1) {
		rows = append(rows, m[1])
		names := testName.FindAllString(m[2], -1)
		if len(names) == 0 {
			t.Errorf("%s: no test", m[1])
		}
		for _, name := range names {
			if !tests[name] {
				t.Errorf("%s: there is no test %s", m[1], name)
			}
		}
	}
	for _, r := range promises {
		for i := r.from; i <= r.to; i++ {
			want = append(want, fmt.Sprintf("R-%d", i))
		}
	}
	if !slices.Equal(rows, want) {
		t.Errorf("the rows are %q, want %q", rows, want)
	}
}
