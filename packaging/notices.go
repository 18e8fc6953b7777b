package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// rule is drawn between the notices of two modules.
var rule = strings.Repeat("-", 80)

// writeNotices writes what the licences of the program's parts want to go along with it.
func writeNotices(root, out string) error {
	all, err := linked(root)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("copilot-bridge is licensed under the Apache License 2.0, see LICENSE. It has these works of others in it:\n\n")
	for _, m := range all {
		ids, err := m.licences()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "  %s %s (%s)\n", m.Path, m.Version, strings.Join(ids, ", "))
	}
	for _, m := range all {
		files, err := m.legalFiles()
		if err != nil {
			return err
		}
		for _, f := range files {
			fmt.Fprintf(&b, "\n%s\n%s %s: %s\n%s\n\n%s\n", rule, m.Path, m.Version, f.name, rule, strings.TrimSpace(f.text))
		}
	}
	return write(out, b.String())
}

// writeCopyright writes what Debian has a package say (machine-readable debian/copyright).
func writeCopyright(root, out string) error {
	all, err := linked(root)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(`Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: copilot-bridge
Source: https://github.com/copilot-bridge/copilot-bridge

Files: *
Copyright: The copilot-bridge authors
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0; it is beside this file as LICENSE too.
Comment: The program has these works of others linked in; their licences are in THIRD_PARTY_NOTICES.txt beside this file.
`)
	for _, m := range all {
		ids, err := m.licences()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, " %s %s: %s\n", m.Path, m.Version, strings.Join(ids, " and "))
	}
	return write(out, b.String())
}

func write(out, text string) error { return writeFile(out, []byte(text), 0o644) }

// writeFile writes a file with exactly that mode, whatever the umask: the mode is packed too.
func writeFile(out string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(out, data, mode); err != nil {
		return err
	}
	return os.Chmod(out, mode)
}
