package acptest

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// ScriptFile is the file of the archive that holds the script.
const ScriptFile = "agent"

// A Scenario is a parsed script with the files beside it. It can be played any number of times.
type Scenario struct {
	Name  string            // for error messages
	Doc   string            // the prose before the first file
	Files map[string]string // the files of the archive but the script

	source []byte
	steps  []*step
}

// Parse reads a scenario from a txtar archive.
func Parse(name string, data []byte) (*Scenario, error) {
	archive := txtar.Parse(data)
	s := &Scenario{Name: name, Doc: strings.TrimSpace(string(archive.Comment)), Files: map[string]string{}, source: slices.Clone(data)}
	script, found := "", false
	offset := strings.Count(string(archive.Comment), "\n")
	line := offset
	for _, file := range archive.Files {
		line++ // the line that names the file
		if file.Name == ScriptFile {
			script, found, offset = string(file.Data), true, line
		} else {
			s.Files[file.Name] = string(file.Data)
		}
		line += strings.Count(string(file.Data), "\n")
	}
	if !found {
		return nil, fmt.Errorf("%s: no file %q in the archive", name, ScriptFile)
	}
	steps, err := parseScript(script, offset)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	s.steps = steps
	return s, nil
}

// Script is a scenario of a script alone. It panics when the script is wrong: it is for tests that have theirs in the code.
func Script(script string) *Scenario {
	s, err := Parse("script", []byte("-- "+ScriptFile+" --\n"+script))
	if err != nil {
		panic(err)
	}
	return s
}

// Load reads a scenario from a file.
func Load(path string) (*Scenario, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("load a scenario: %w", err)
	}
	return Parse(filepath.Base(path), data)
}

//go:embed scenarios/*.txtar
var builtin embed.FS

// Builtin returns one of the scenarios that come with the package, in the folder scenarios.
func Builtin(name string) (*Scenario, error) {
	data, err := builtin.ReadFile("scenarios/" + name + ".txtar")
	if err != nil {
		return nil, fmt.Errorf("no scenario %q comes with the program", name)
	}
	return Parse(name+".txtar", data)
}

// Save writes the scenario into a folder and returns the path: a process that plays it reads it from there.
func (s *Scenario) Save(dir string) (string, error) {
	path := filepath.Join(dir, "scenario.txtar")
	return path, os.WriteFile(path, s.source, 0o600)
}
