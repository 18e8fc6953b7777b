package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// inCode is what a page shows as code: a block, an indented line, or a span.
	inCode = regexp.MustCompile("(?s:```.*?\n```)|`[^`\n]+`|(?m:^    .*$)")

	// commandLine is the program and what follows on the line, but for what is no command of ours: a path, a package, a pipe.
	commandLine = regexp.MustCompile("(?m)(?:^|[\\s`$(\"])copilot-bridge +([a-z-]+)([^`\"|)\n]*)")

	longFlag = regexp.MustCompile(`(?:^|\s)--([a-z][a-z-]*)`)
)

// pages are those for people, and README.
func pages(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(names) < 10 {
		t.Fatalf("only %d pages, %v", len(names), err)
	}
	texts := map[string]string{}
	for _, name := range append(names, "../../README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(name)] = string(text)
	}
	return texts
}

// TestTheCommandsOnThePagesExist guards the pages: every command and flag that they name is there.
func TestTheCommandsOnThePagesExist(t *testing.T) {
	root, n := newRoot(), 0
	for name, text := range pages(t) {
		for _, code := range inCode.FindAllString(text, -1) {
			for _, m := range commandLine.FindAllStringSubmatch(code, -1) {
				if strings.HasPrefix(m[2], ":") {
					continue // an address, after the name of a package
				}
				n++
				cmd, _, err := root.Find(append([]string{m[1]}, strings.Fields(m[2])...))
				if err != nil || cmd == root {
					t.Errorf("%s: %q is no command", name, strings.TrimSpace(m[0]))
					continue
				}
				own, _, _ := strings.Cut(m[2], " -- ")
				for _, f := range longFlag.FindAllStringSubmatch(own, -1) {
					if cmd.Flags().Lookup(f[1]) == nil && cmd.InheritedFlags().Lookup(f[1]) == nil && f[1] != "help" {
						t.Errorf("%s: %s has no flag --%s", name, cmd.CommandPath(), f[1])
					}
				}
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d commands were found", n)
	}
}
