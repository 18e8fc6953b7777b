package acptest

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// vars are the variables of a script in play.
type vars struct {
	values map[string]string
	files  map[string]string // of the archive; a variable of the same name hides one
}

// $$, $name, ${any text}
var reference = regexp.MustCompile(`\$(\$|\w+|\{[^}]*\})`)

// text puts in the variables.
func (v *vars) text(s string) (string, error) {
	return v.expand(s, func(_, s string) string { return s })
}

// json puts in the variables: inside of a string as a part of it, elsewhere as JSON. A whole argument that is the name of a file is its contents.
func (v *vars) json(s string) (string, error) {
	if name, ok := strings.CutPrefix(s, "@"); ok {
		text, ok := v.files[name]
		if !ok {
			return "", fmt.Errorf("no file %q in the archive", name)
		}
		s = text
	}
	s, err := v.expand(s, func(before, s string) string {
		if !insideString(before) {
			return s
		}
		quoted, _ := jsontext.AppendQuote(nil, s) // bytes that are no UTF-8 become U+FFFD
		return string(quoted[1 : len(quoted)-1])
	})
	if err != nil {
		return "", err
	}
	value := jsontext.Value(s)
	if err := value.Compact(); err != nil {
		return "", fmt.Errorf("no JSON: %w in %.200s", err, s)
	}
	return string(value), nil
}

// expand replaces the references in s by what insert makes of the text before them and their values.
func (v *vars) expand(s string, insert func(before, value string) string) (string, error) {
	var out strings.Builder
	from := 0
	for _, at := range reference.FindAllStringIndex(s, -1) {
		out.WriteString(s[from:at[0]])
		from = at[1]
		name := strings.Trim(s[at[0]+1:at[1]], "{}")
		value, ok := v.values[name]
		if !ok {
			value, ok = v.files[name]
		}
		switch {
		case name == "$":
			out.WriteByte('$')
		case ok:
			out.WriteString(insert(s[:at[0]], value))
		default:
			return "", fmt.Errorf("no variable and no file %q; a dollar is $$", name)
		}
	}
	out.WriteString(s[from:])
	return out.String(), nil
}

// insideString says whether a JSON text breaks off inside of a string.
func insideString(s string) bool {
	inside := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			inside = !inside
		case s[i] == '\\' && inside:
			i++
		}
	}
	return inside
}

// set gives a variable a value: the text, or what a path such as @params.update.path or @env.HOME leads to.
func (v *vars) set(name, value string, from map[string]jsontext.Value) error {
	path, ok := strings.CutPrefix(value, "@")
	if !ok {
		text, err := v.text(value)
		v.values[name] = text
		return err
	}
	root, rest, _ := strings.Cut(path, ".")
	if root == "env" {
		v.values[name] = os.Getenv(rest)
		return nil
	}
	raw, ok := from[root]
	if !ok || raw == nil {
		return fmt.Errorf("no %s to take %s from", root, path)
	}
	var at any
	if err := json.Unmarshal(raw, &at); err != nil {
		return err
	}
	for member := range strings.SplitSeq(rest, ".") {
		if member == "" {
			continue
		}
		object, ok := at.(map[string]any)
		if !ok || object[member] == nil {
			return fmt.Errorf("no member %q on the way to %s in %s", member, path, raw)
		}
		at = object[member]
	}
	if text, ok := at.(string); ok {
		v.values[name] = text
		return nil
	}
	out, err := json.Marshal(at)
	v.values[name] = string(out)
	return err
}

// learn sets the variables that messages carry.
func (v *vars) learn(payload jsontext.Value) {
	var known struct {
		SessionID  string `json:"sessionId"`
		Cwd        string `json:"cwd"`
		TerminalID string `json:"terminalId"`
	}
	if json.Unmarshal(payload, &known, jsontext.AllowDuplicateNames(true)) != nil {
		return
	}
	for name, value := range map[string]string{"session": known.SessionID, "cwd": known.Cwd, "terminal": known.TerminalID} {
		if value != "" {
			v.values[name] = value
		}
	}
}
