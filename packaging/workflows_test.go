package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// setup are the commands of a workflow that only make ready what make needs.
var setup = regexp.MustCompile(`^(apt-get |choco |git config |command -v )`)

// TestWorkflowsDoWhatMakeDoes: whatever runs for a push can be run on any machine by the same name.
func TestWorkflowsDoWhatMakeDoes(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	if err != nil || len(files) < 3 {
		t.Fatalf("the workflows are %q (%v)", files, err)
	}
	makefile := source(t, "Makefile")
	ran := map[string]bool{}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		if !strings.Contains(text, "\npermissions:") {
			t.Errorf("%s leaves its token all that it may have", name)
		}
		if strings.Contains(text, "run: |") || strings.Contains(text, "run: >") {
			t.Errorf("%s has a script of its own", name)
		}
		for _, m := range regexp.MustCompile(`(?m)^ *(?:- )?run: (.*)$`).FindAllStringSubmatch(text, -1) {
			command := strings.Trim(m[1], `"'`)
			target, isMake := strings.CutPrefix(command, "make ")
			switch {
			case isMake:
				target, _, _ = strings.Cut(target, " ")
				if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(target) + `:`).MatchString(makefile) {
					t.Errorf("%s: there is no target %s", name, target)
				}
				ran[target] = true
			case strings.HasPrefix(command, ".ci/"):
				if _, err := os.Stat(filepath.Join(root, strings.Fields(command)[0])); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				ran[command] = true
			case !setup.MatchString(command):
				t.Errorf("%s runs %q, which make does not do", name, command)
			}
		}
	}
	for _, want := range []string{"test", "lint", "vulncheck", "release", ".ci/run"} {
		if !ran[want] {
			t.Errorf("no workflow runs %s", want)
		}
	}
}
