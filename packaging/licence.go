package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// Allowed are the licences, by their SPDX names, of what may be in the program or in the extension: they ask for no more than
// that their text goes along, which the notices do. editors/vscode/notices.mjs has the same list, a test says so.
var Allowed = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "Python-2.0"}

// read are licences outside the list that somebody has read: what they are of is not in the program.
var read = map[string]string{
	"github.com/modelcontextprotocol/go-sdk": "CC-BY-4.0", // its documentation; the code is under Apache-2.0, what came before under MIT
}

// coverage is how much of a licence's file has to be the licence; the rest is the names of the holders.
const coverage = 75

// licences are the SPDX names of what a module is under. The error is that one of them is not allowed, or that it is not known
// what it is under.
func (m Module) licences() ([]string, error) {
	files, err := m.legalFiles()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, f := range files {
		found, err := identify(f)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", m.Path, m.Version, err)
		}
		ids = append(ids, found...)
	}
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == read[m.Path] })
	if len(ids) == 0 {
		return nil, fmt.Errorf("%s %s: none of its files has a licence", m.Path, m.Version)
	}
	for _, id := range ids {
		if !slices.Contains(Allowed, id) {
			return nil, fmt.Errorf("%s %s is under %s, which is none of %s", m.Path, m.Version, id, strings.Join(Allowed, ", "))
		}
	}
	return ids, nil
}

// identify names the licences in a file. NOTICE and PATENTS go along with a licence and are none.
func identify(f legalFile) ([]string, error) {
	if name := strings.ToUpper(f.name); strings.HasPrefix(name, "NOTICE") || strings.HasPrefix(name, "PATENTS") {
		return nil, nil
	}
	found := licensecheck.Scan([]byte(f.text))
	if found.Percent < coverage {
		return nil, fmt.Errorf("%s: %.0f %% of it is a known licence: read it, and decide", f.name, found.Percent)
	}
	var ids []string
	for _, m := range found.Match {
		ids = append(ids, m.ID)
	}
	return ids, nil
}
