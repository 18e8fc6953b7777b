// Command onwindows reads what `go test -json` says on Windows, and holds it against the lists in a Markdown file: every test
// that is skipped is in the first list, with why, and every test that fails is in the second, which is what is still to be
// done. A test that is in a list and passes is as wrong as one that fails and is in none: the lists are true or the run fails.
//
//	go test -json ./... | go run ./internal/onwindows docs/dev/windows.md
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go test -json ./... | onwindows LISTS.md")
		os.Exit(2)
	}
	text, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = run(os.Stdin, os.Stdout, parse(string(text)))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// lists are the tests that a file names, "package Test", and the reason of each. A test that is listed may also skip only parts
// of it. A failing package may be named as a whole,
// "package *", while it does not get to its tests.
type lists struct{ skips, open map[string]string }

// Headings of the two lists.
const (
	skipsHeading = "## Tests that are skipped"
	openHeading  = "## Tests that still fail"
)

var row = regexp.MustCompile("^\\| `([^`]+)` \\| `([^`]+)` \\| (.*[^ ]) \\|$")

// parse reads the rows of both tables: | `package` | `Test` | reason |.
func parse(text string) lists {
	l := lists{map[string]string{}, map[string]string{}}
	var into map[string]string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == skipsHeading:
			into = l.skips
		case line == openHeading:
			into = l.open
		case strings.HasPrefix(line, "## "):
			into = nil
		}
		if m := row.FindStringSubmatch(line); m != nil && into != nil {
			into[m[1]+" "+m[2]] = m[3]
		}
	}
	return l
}

// event is a line of go test -json (go doc test2json).
type event struct {
	Action, Package, Test, Output string
}

const module = "github.com/copilot-bridge/copilot-bridge/"

// results are how tests ended. Those below a test are part of it, except where they alone are skipped.
type results struct {
	ended    map[string]string // by "package Test": pass, fail or skip
	packages map[string]string
	ran      map[string]int // tests by package that were not skipped
	output   map[string][]string
}

func read(in io.Reader, out io.Writer) (results, error) {
	r := results{map[string]string{}, map[string]string{}, map[string]int{}, map[string][]string{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20) // a test may print a whole transcript in one line
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue // what the compiler says comes as it is
		}
		pkg := strings.TrimPrefix(e.Package, module)
		name := pkg + " " + e.Test
		switch e.Action {
		case "build-output":
			fmt.Fprint(out, e.Output)
		case "output":
			r.output[name] = append(r.output[name], e.Output)
		case "pass", "fail", "skip":
			if e.Test == "" {
				r.packages[pkg] = e.Action
				continue
			}
			if e.Action != "skip" {
				r.ran[pkg]++
			}
			r.ended[name] = e.Action
		}
	}
	return r, lines.Err()
}

// run compares, and prints what is not as the lists say, and the figures.
func run(in io.Reader, out io.Writer, want lists) error {
	got, err := read(in, out)
	if err != nil {
		return err
	}
	if len(got.packages) == 0 {
		return errors.New("no test was run")
	}
	wrong := 0
	complain := func(format string, args ...any) {
		wrong++
		fmt.Fprintf(out, format+"\n", args...)
	}
	skipped := map[string]bool{}     // tests that were skipped or had a part that was
	failedBelow := map[string]bool{} // packages whose failure is explained by a test's
	figures := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(got.ended)) {
		pkg, test, _ := strings.Cut(name, " ")
		action := got.ended[name]
		if action == "fail" {
			failedBelow[pkg] = true
		}
		_, skips := want.skips[name]
		if top, _, below := strings.Cut(test, "/"); below {
			if action != "skip" {
				continue // its test has failed or passed with it
			}
			_, skips = want.skips[pkg+" "+top]
			skipped[pkg+" "+top] = true
		} else {
			figures[action]++
			skipped[name] = skipped[name] || action == "skip"
		}
		_, open := want.open[name]
		_, whole := want.open[pkg+" *"]
		switch {
		case action == "skip" && !skips:
			complain("%s is skipped and not listed:\n%s", name, strings.Join(got.output[name], ""))
		case action == "fail" && !open && !whole:
			complain("%s fails:\n%s", name, strings.Join(got.output[name], ""))
		case action == "pass" && open:
			complain("%s is listed as failing and passes", name)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(got.packages)) {
		_, whole := want.open[pkg+" *"]
		switch action := got.packages[pkg]; {
		case action == "fail" && !whole && !failedBelow[pkg]:
			complain("package %s fails outside its tests:\n%s", pkg, strings.Join(got.output[pkg+" "], ""))
		case action == "pass" && whole:
			complain("package %s is listed as failing and passes", pkg)
		case action != "fail" && got.ran[pkg] == 0 && skipsAny(want, pkg):
			complain("package %s runs none of its tests", pkg)
		}
	}
	for name := range want.skips {
		if _, ran := got.ended[name]; ran && !skipped[name] {
			complain("%s is listed as skipped and is not", name)
		}
	}
	for _, name := range all(want) {
		pkg, test, _ := strings.Cut(name, " ")
		if _, there := got.packages[pkg]; !there {
			complain("%s is listed, and its package was not run", name)
		} else if _, there := got.ended[name]; !there && test != "*" {
			if _, whole := want.open[pkg+" *"]; !whole {
				complain("%s is listed and was not run", name)
			}
		}
	}
	fmt.Fprintf(out, "on Windows: %d packages, %d tests pass, %d are skipped for a reason, %d still fail\n", len(got.packages), figures["pass"], figures["skip"], figures["fail"])
	if wrong > 0 {
		return fmt.Errorf("%d results are not as listed", wrong)
	}
	return nil
}

// skipsAny says whether a package has tests that are skipped.
func skipsAny(l lists, pkg string) bool {
	for name := range l.skips {
		if p, _, _ := strings.Cut(name, " "); p == pkg {
			return true
		}
	}
	return false
}

// all are the names in both lists, in order.
func all(l lists) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(l.skips)), maps.Keys(l.open))
	slices.Sort(names)
	return names
}
