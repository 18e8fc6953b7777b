//go:build e2e && versions

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest/realcopilot"
)

// page has the table between these two lines.
const (
	page  = "../docs/dev/copilot-versions.md"
	begin = "<!-- made by make copilot-matrix -->\n"
	end   = "<!-- end -->\n"
)

// work is what a version is tried with through the bridge, in the order of the table. Each is a test below, run by itself in
// a process of its own with COPILOT set to that version: a test that fails is a "no" in the table.
var work = []struct{ column, test string }{
	{"reads unsaved text", "TestVersionReadsUnsavedText"},
	{"edit with a question", "TestVersionEditsWithAQuestion"},
	{"command", "TestVersionRunsACommand"},
}

// TestMatrix tries each version in VERSIONS, a list with blanks, which npm installs, and writes the table. It fails if the
// table of quirks says something else than what is measured here.
func TestMatrix(t *testing.T) {
	versions := strings.Fields(os.Getenv("VERSIONS"))
	if len(versions) == 0 {
		t.Fatal("VERSIONS names no version")
	}
	var table strings.Builder
	fmt.Fprintf(&table, "\nMeasured on %s with npm's packages for Linux, offline, the model replaced by a scripted one.\n\n", time.Now().UTC().Format(time.DateOnly))
	head := []string{"version", "takes a model of your own", "asks by itself", "its tools can be switched off"}
	for _, c := range work {
		head = append(head, c.column)
	}
	head = append(head, "whole", "`doctor --no-trial`")
	fmt.Fprintf(&table, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, v := range versions {
		row := try(t, v)
		t.Logf("%s", row)
		fmt.Fprintln(&table, row)
	}
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := bytes.Cut(old, []byte(begin))
	_, after, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", page)
	}
	if err := os.WriteFile(page, slices.Concat(before, []byte(begin), []byte(table.String()), []byte("\n"+end), after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// report is what doctor --json prints.
type report struct {
	Version string   `json:"version"`
	Quirks  []string `json:"quirks"`
	Checks  []struct {
		Name   string `json:"name"`
		OK     bool   `json:"ok"`
		Detail string `json:"detail"`
	} `json:"checks"`
}

// check is whether a check was made, and went well, and what it says.
func (r report) check(name string) (made, ok bool, detail string) {
	for _, c := range r.Checks {
		if c.Name == name {
			return true, c.OK, c.Detail
		}
	}
	return false, false, ""
}

// doctor looks at the program of a world.
func (w *world) doctor(args ...string) (r report) {
	w.t.Helper()
	cmd := exec.Command(binary, slices.Concat([]string{"doctor", "--json"}, args, []string{"--"}, w.agent)...)
	cmd.Env, cmd.Dir = w.env, w.ws
	out, err := cmd.Output() // status 1 where something has to be fixed
	if e := json.Unmarshal(out, &r); e != nil {
		w.t.Fatalf("doctor: %v, %v: %s", err, e, out)
	}
	return r
}

// try is the row of a version.
func try(t *testing.T, version string) string {
	t.Helper()
	exe, err := realcopilot.Installed(version)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, nil)
	w.agent = []string{exe}
	told := w.doctor("--no-trial") // first: nothing has been tried yet
	if told.Version != version {
		t.Fatalf("%s says that it is %q", exe, told.Version)
	}
	row := []string{version}
	whole := true
	say := func(made, ok bool) {
		switch {
		case !made:
			row = append(row, "–")
		case ok:
			row = append(row, "yes")
		default:
			row = append(row, "**no**")
		}
		whole = whole && made && ok
	}
	known := func(quirk string, ok bool) {
		if slices.Contains(told.Quirks, quirk) == ok {
			t.Errorf("%s: acp/copilot's table says %s: %v, measured is another", version, quirk, !ok)
		}
	}
	_, signedIn, _ := told.check("sign-in")
	_, young, _ := told.check("version")
	say(young, signedIn)
	if young {
		known("NoOwnProvider", signedIn)
	}
	made, passed, detail := false, false, ""
	if signedIn = signedIn && young; signedIn {
		made, passed, detail = w.doctor().check("trial")
		if strings.Contains(detail, "has not been tried") || strings.Contains(detail, "looked at instead") {
			made = false // it could not be
			t.Logf("%s: %s", version, detail)
		}
	}
	asks := passed || !strings.Contains(detail, "without asking")
	say(made, asks)
	say(made, passed || !strings.Contains(detail, "switched off"))
	if made {
		known("NoPermissionAsked", asks)
	}
	results := run(t, exe, signedIn)
	for _, c := range work {
		ok, made := results[c.test]
		say(made, ok)
	}
	row = append(row, map[bool]string{true: "**whole**", false: "no"}[whole], wrong(told))
	return "| " + strings.Join(row, " | ") + " |"
}

// wrong is what doctor finds fault with, in its own words.
func wrong(r report) string {
	var out []string
	for _, c := range r.Checks {
		if !c.OK {
			out = append(out, c.Name+": "+c.Detail)
		}
	}
	if len(out) == 0 {
		return "nothing to fix"
	}
	return strings.ReplaceAll(strings.Join(out, "; "), "|", "\\|")
}

var verdict = regexp.MustCompile(`(?m)^--- (PASS|FAIL): (\w+)`)

// run runs the work with a version and says what came of each. A version that opens no session does none.
func run(t *testing.T, exe string, signedIn bool) map[string]bool {
	t.Helper()
	results := map[string]bool{}
	if !signedIn {
		return results
	}
	for _, c := range work {
		cmd := exec.Command(os.Args[0], "-test.run", "^"+c.test+"$", "-test.v", "-test.timeout", "5m")
		cmd.Env = append(os.Environ(), "COPILOT="+exe)
		out, _ := cmd.CombinedOutput()
		for _, m := range verdict.FindAllSubmatch(out, -1) {
			results[string(m[2])] = string(m[1]) == "PASS"
		}
		if ok, ran := results[c.test]; !ran || !ok {
			results[c.test] = false
			t.Logf("%s:\n%s", c.test, out)
		}
	}
	return results
}

func TestVersionReadsUnsavedText(t *testing.T) {
	w := copilot(t, map[string]string{"unsaved.txt": "on disk\n"})
	e := w.start()
	e.open("unsaved.txt", "only in the buffer\n")
	e.turn(e.newSession(), "read "+model.Script(tool("view", obj{"path": w.path("unsaved.txt")}), model.Say("fin")))
	if r := w.results(); len(r) != 1 || !strings.Contains(r[0], "only in the buffer") || !strings.Contains(e.said(), "fin") {
		t.Errorf("the model was given %q, the editor was told %q", r, e.said())
	}
	if strings.Contains(e.said(), "Disabled tools") || strings.Contains(e.said(), "Unknown tool name") {
		t.Errorf("the editor was told %q", e.said())
	}
}

func TestVersionEditsWithAQuestion(t *testing.T) {
	w := copilot(t, map[string]string{"a.txt": "one\r\ntwo\r\n"})
	e := w.start()
	s := e.newSession()
	edit := model.Script(tool("edit", obj{"path": w.path("a.txt"), "old_str": "two", "new_str": "TWO"}), model.Say("went on"))
	e.permit = func(question) string { return "reject_once" }
	e.turn(s, "no "+edit)
	if len(e.questions()) != 1 || w.read("a.txt") != "one\r\ntwo\r\n" || !strings.Contains(e.said(), "went on") {
		t.Errorf("after a no: %d questions, the file is %q, said %q", len(e.questions()), w.read("a.txt"), e.said())
	}
	e.permit = func(question) string { return "allow_once" }
	e.turn(s, "yes "+edit)
	if len(e.questions()) != 2 || w.read("a.txt") != "one\r\nTWO\r\n" || len(e.hunks("a.txt")) != 1 {
		t.Errorf("after a yes: %d questions, the file is %q, %d hunks", len(e.questions()), w.read("a.txt"), len(e.hunks("a.txt")))
	}
}

func TestVersionRunsACommand(t *testing.T) {
	w := copilot(t, map[string]string{"a.txt": "one\n"})
	e := w.start()
	e.turn(e.newSession(), "run "+model.Script(tool("bash", obj{"command": "sed -i s/one/ONE/ a.txt; pwd", "description": "change"}), model.Say("ok")))
	if r := w.results(); len(r) != 1 || !strings.Contains(r[0], filepath.Base(w.ws)) || !strings.Contains(r[0], "exit code 0") {
		t.Errorf("the model was given %q", r)
	}
	if q := e.questions(); len(q) != 1 || w.read("a.txt") != "ONE\n" || len(e.hunks("a.txt")) != 1 {
		t.Errorf("%d questions, the file is %q, %d hunks", len(q), w.read("a.txt"), len(e.hunks("a.txt")))
	}
}
