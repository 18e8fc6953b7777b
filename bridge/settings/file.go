package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// maxFile bounds the file; nobody writes a megabyte of settings.
const maxFile = 1 << 20

// File is the user's own configuration file. The zero value sets nothing.
type File struct {
	Folder string // that it is in, or would be
	set    []setting
}

type setting struct {
	name string
	raw  jsontext.Value
}

// Folder is where the file is looked for: $XDG_CONFIG_HOME/copilot-bridge, else ~/.config/copilot-bridge; "" without a home.
func Folder(configHome, home string) string {
	switch {
	case filepath.IsAbs(configHome): // others are not heeded, says the specification
		return filepath.Join(configHome, "copilot-bridge")
	case home != "":
		return filepath.Join(home, ".config", "copilot-bridge")
	}
	return ""
}

// Read reads config.json in a folder; none is no error. An error is for the user: the file, the line, the column, and what was expected.
func Read(folder, home string) (File, error) {
	f := File{Folder: folder}
	if folder == "" {
		return f, nil
	}
	path := filepath.Join(folder, "config.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("read the configuration: %w", err)
	}
	if err := durable.Trusted(path, home); err != nil {
		return f, fmt.Errorf("the configuration %s is not used: %w", path, err)
	}
	if f.set, err = parse(text); err != nil {
		var at *policy.RuleError
		if errors.As(err, &at) {
			line, column := at.In(text)
			return f, fmt.Errorf("%s:%d:%d: %w", path, line, column, at)
		}
		return f, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Without is the file without a setting, which the command line has.
func (f File) Without(name string) File {
	f.set = slices.DeleteFunc(slices.Clone(f.set), func(s setting) bool { return s.name == name })
	return f
}

// Has says whether the file has a setting.
func (f File) Has(name string) bool {
	return slices.ContainsFunc(f.set, func(s setting) bool { return s.name == name })
}

// Apply lays the settings of the file over others.
func (f File) Apply(s *Settings) {
	for _, one := range f.set {
		_ = Fields[one.name](one.raw, s) // it was read before without an error
	}
}

// parse reads the text of the file. An error of a place is a [*policy.RuleError].
func parse(text []byte) (set []setting, err error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("it has %d bytes; %d are the most", len(text), maxFile)
	}
	plain, err := withoutComments(text)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(plain)) == 0 {
		return nil, nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(plain))
	whole, err := dec.ReadValue()
	if err != nil {
		return nil, syntaxError(err)
	}
	start := int(dec.InputOffset()) - len(whole)
	if rest := bytes.TrimSpace(plain[dec.InputOffset():]); len(rest) > 0 {
		return nil, &policy.RuleError{What: "something stands behind the object; write one object { … }", Offset: len(plain) - len(rest)}
	}
	return members("", whole, start)
}

// members reads the members of one level; at is where it begins in the text.
func members(prefix string, object jsontext.Value, at int) (set []setting, err error) {
	if object.Kind() != '{' {
		what := "the configuration"
		if prefix != "" {
			what = strings.TrimSuffix(prefix, ".")
		}
		return nil, &policy.RuleError{What: what + " must be an object, { … }", Offset: at}
	}
	dec := jsontext.NewDecoder(bytes.NewReader(object))
	if _, err := dec.ReadToken(); err != nil {
		return nil, syntaxError(err)
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return nil, syntaxError(err)
		}
		name, where := prefix+key.String(), at+int(dec.InputOffset())-len(key.String())-2
		value, err := dec.ReadValue()
		if err != nil {
			return nil, syntaxError(err)
		}
		value = value.Clone()
		start := at + int(dec.InputOffset()) - len(value)
		field, known := Fields[name]
		switch {
		case known:
			var s Settings
			if err := field(value, &s); err != nil {
				return nil, placed(name, err, start)
			}
			set = append(set, setting{name, value})
		case IsGroup(name):
			more, err := members(name+".", value, start)
			if err != nil {
				return nil, err
			}
			set = append(set, more...)
		default:
			return nil, &policy.RuleError{What: fmt.Sprintf("%s is not a setting; there are %s", name, strings.Join(namesAt(prefix), ", ")), Offset: where}
		}
	}
	return set, nil
}

// namesAt are the names that a level of the settings has.
func namesAt(prefix string) (names []string) {
	for full := range Fields {
		if rest, ok := strings.CutPrefix(full, prefix); ok {
			name, _, _ := strings.Cut(rest, ".")
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// placed is the error of a value that begins at start.
func placed(name string, err error, start int) error {
	var rule *policy.RuleError
	if errors.As(err, &rule) {
		return &policy.RuleError{What: rule.What, Offset: start + rule.Offset}
	}
	return &policy.RuleError{What: name + " " + err.Error(), Offset: start}
}

func syntaxError(err error) error {
	var wrong *jsontext.SyntacticError
	if errors.As(err, &wrong) {
		return &policy.RuleError{What: "it is no valid JSON: " + wrong.Err.Error(), Offset: int(wrong.ByteOffset)}
	}
	return err
}
