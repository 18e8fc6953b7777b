package brought

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// Each of these says what a file of its kind starts, and whether it is on the list at all.

// hooks are run by themselves, at the first prompt of a session and around each tool. Every such file counts.
func hooks(b []byte) ([]string, bool) {
	top, err := object(b)
	if err != nil {
		return raw(b), true
	}
	lines := leaves("", top["hooks"])
	if len(lines) == 0 {
		lines = leaves("", top) // of another version, perhaps
	}
	return lines, true
}

// servers are started by themselves: those of .mcp.json in folders that Copilot trusts, language servers by its lsp tool.
func servers(b []byte) ([]string, bool) {
	top, err := object(b)
	if err != nil {
		return raw(b), true
	}
	lines := leaves("", top)
	return lines, len(lines) > 0
}

// harmless are members of a settings file that start nothing and allow nothing. All others count: hooks and servers,
// marketplaces and plugins, permissions, and what is not known.
var harmless = []string{"$schema", "model", "effortLevel", "companyAnnouncements", "includeCoAuthoredBy"}

func settings(b []byte) ([]string, bool) {
	top, err := object(b)
	if err != nil {
		return raw(b), true
	}
	for _, name := range harmless {
		delete(top, name)
	}
	if len(top) == 0 {
		return nil, false
	}
	hooks := leaves("", top["hooks"])
	delete(top, "hooks")
	return append(hooks, leaves("", top)...), true
}

func object(b []byte) (map[string]any, error) {
	var top map[string]any
	if err := json.Unmarshal(b, &top); err != nil {
		return nil, err
	}
	return top, nil
}

// raw are the lines of a file that is none of what it should be.
func raw(b []byte) []string {
	return append([]string{"not understood, so it is shown as it is"}, strings.Split(strings.TrimRight(string(b), "\n"), "\n")...)
}

// leaves are the values in a JSON value, each with where it is. A command stands with its event alone.
func leaves(at string, v any) (out []string) {
	under := func(name string) string {
		if at == "" {
			return name
		}
		return at + "." + name
	}
	switch v := v.(type) {
	case nil:
		return nil
	case map[string]any:
		for _, name := range sorted(v) {
			switch text, ok := v[name].(string); {
			case ok && name == "type" && text == "command":
			case ok && slices.Contains([]string{"bash", "powershell", "command"}, name) && at != "":
				if line := at + ": " + text; !slices.Contains(out, line) {
					out = append(out, line)
				}
			default:
				out = append(out, leaves(under(name), v[name])...)
			}
		}
		return out
	case []any:
		if words, ok := allText(v); ok {
			return []string{at + ": " + words}
		}
		for _, x := range v {
			for _, line := range leaves(at, x) {
				if !slices.Contains(out, line) {
					out = append(out, line)
				}
			}
		}
		return out
	case string:
		return []string{at + ": " + v}
	}
	return []string{fmt.Sprintf("%s: %v", at, v)}
}

func allText(list []any) (string, bool) {
	var words []string
	for _, x := range list {
		s, ok := x.(string)
		if !ok {
			return "", false
		}
		words = append(words, strconv.Quote(s))
	}
	return strings.Join(words, " "), len(list) > 0
}

func sorted(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// agent brings servers and hooks along, which are started when the model calls it. It counts unless its head is plainly
// without: YAML can spell a name in many ways.
func agent(b []byte) ([]string, bool) {
	head, plain := agentHead(string(b))
	if plain && !serversNamed().Match(b) {
		return nil, false
	}
	return strings.Split(head, "\n"), true
}

var serversNamed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)mcp[-_.]?servers`) })

// member is a line of a head that names a member, at the beginning of the line and in plain letters.
var member = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z][A-Za-z-]*)[ \t]*:(?:[ \t].*)?$`) })

// known are the members of an agent's head that start nothing.
var known = []string{"name", "description", "tools", "model", "target", "infer", "argument-hint", "user-invocable", "disable-model-invocation", "include-custom-instructions", "color"}

// agentHead is the part of an agent's file before its text, all of it where that cannot be told, and whether it is one that
// could only be read in one way: members at the beginning of their lines, all of them known.
func agentHead(text string) (head string, plain bool) {
	if !utf8.ValidString(text) {
		return text, false
	}
	text = strings.TrimPrefix(text, "\ufeff")
	if !strings.HasPrefix(strings.TrimLeft(text, "\ufeff \t\r\n"), "---") {
		return "", true // no head
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	end := -1
	for i, line := range lines {
		if i > 0 && strings.TrimRight(line, " \t") == "---" {
			end = i
			break
		}
	}
	if strings.TrimRight(lines[0], " \t") != "---" || end < 0 {
		return text, false
	}
	head = strings.Join(lines[1:end], "\n")
	if strings.ContainsAny(head, "\r\u0085\u2028\u2029") { // line ends, for YAML
		return head, false
	}
	began := false
	for _, line := range lines[1:end] {
		m := member().FindStringSubmatch(line)
		switch {
		case strings.TrimSpace(line) == "", line[0] == '#':
		case m != nil && slices.Contains(known, m[1]):
			began = true
		case began && (line[0] == ' ' || strings.HasPrefix(line, "- ")):
		default:
			return head, false
		}
	}
	return head, true
}
