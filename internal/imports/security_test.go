package imports

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// catalogue are the rows that docs/dev/security.md must have.
var catalogue = []struct{ from, to int }{{1, 11}, {20, 29}, {40, 47}, {60, 70}, {80, 97}}

var (
	tableRow = regexp.MustCompile(`(?m)^\| (S-\d\d) \|[^|]*\|(.*)\|$`)
	testName = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*`)
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// goFiles are the sources below the top of the module.
func goFiles(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// allTests are the names of the tests of the module.
func allTests(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	for path, source := range goFiles(t) {
		if strings.HasSuffix(path, "_test.go") {
			for _, m := range testFunc.FindAllStringSubmatch(source, -1) {
				tests[m[1]] = true
			}
		}
	}
	return tests
}

// TestEveryAttackHasItsTest guards docs/dev/security.md: each row of its catalogue names tests that exist, or says why there
// is none.
func TestEveryAttackHasItsTest(t *testing.T) {
	page, err := os.ReadFile("../../docs/dev/security.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := allTests(t)
	for _, name := range testName.FindAllString(string(page), -1) {
		if !tests[name] {
			t.Errorf("the page names %s, which is no test", name)
		}
	}
	var rows []string
	for _, m := range tableRow.FindAllStringSubmatch(string(page), -1) {
		rows = append(rows, m[1])
		names := testName.FindAllString(m[2], -1)
		for _, name := range names {
			if !tests[name] {
				t.Errorf("%s: there is no test %s", m[1], name)
			}
		}
		if len(names) == 0 && len(strings.TrimSpace(m[2])) < 30 {
			t.Errorf("%s: neither a test nor a reason", m[1])
		}
	}
	var want []string
	for _, r := range catalogue {
		for i := r.from; i <= r.to; i++ {
			want = append(want, fmt.Sprintf("S-%02d", i))
		}
	}
	if !slices.Equal(rows, want) {
		t.Errorf("the rows are %q, want %q", rows, want)
	}
}

// ofTheProgram are the sources that are in the program, not in its tests.
func ofTheProgram(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-f", "{{$d := .Dir}}{{range .GoFiles}}{{$.ImportPath}} {{$d}}/{{.}}\n{{end}}", module+"cmd/copilot-bridge").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(name, module) {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = string(b)
	}
	if len(files) < 100 {
		t.Fatalf("only %d files", len(files))
	}
	return files
}

// TestTheProgramListensOnNoPort knows one exception: the scripted model of a trial, of which
// TestTheModelAnswersOnlyWhoKnowsItsPath says what it is.
func TestTheProgramListensOnNoPort(t *testing.T) {
	listens := regexp.MustCompile(`net\.Listen\w*\("?(\w*)|http\.(?:Listen|Serve)\w*\(|net\.ListenConfig|\.ListenAndServe`)
	for path, source := range ofTheProgram(t) {
		for _, m := range listens.FindAllStringSubmatch(source, -1) {
			trial := strings.HasSuffix(filepath.ToSlash(path), "/acp/acptest/model/server.go") && strings.Count(source, ".Listen") == 1 && strings.Contains(source, `net.Listen("tcp", "127.0.0.1:0")`)
			if m[1] != "unix" && !trial {
				t.Errorf("%s: %s", path, m[0])
			}
		}
	}
}

func TestTheProgramRunsNoGit(t *testing.T) {
	runs := regexp.MustCompile(`(?:exec\.Command\w*|LookPath)\([^)]*"git"|Argv:\s*\[\]string\{"git"`)
	for path, source := range ofTheProgram(t) {
		if m := runs.FindString(source); m != "" {
			t.Errorf("%s: %s", path, m)
		}
	}
}
