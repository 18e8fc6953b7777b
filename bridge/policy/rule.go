package policy

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Rule is one permission rule (docs/protocol.md, permission rules). The first that matches decides.
type Rule struct {
	Tool     Tool     `json:"tool"`
	Path     string   `json:"path,omitzero"` // glob, relative to the session's folder unless it starts with / or ~
	Argv     []string `json:"argv,omitzero"` // the exact words of a command; ["*"] is every command
	Decision Verdict  `json:"decision"`
	// Dir is where a remembered command may run; "" in a rule of the person's is anywhere.
	Dir string `json:"dir,omitzero"`
	// Content is the hash of what a remembered command runs; "" if it runs no file of the workspace.
	Content string `json:"content,omitzero"`
}

// AllCommands is the argv of a rule that covers every command.
var AllCommands = []string{"*"}

// String is the rule as a person reads it.
func (r Rule) String() string {
	b, err := json.Marshal(r, json.Deterministic(true))
	if err != nil {
		return fmt.Sprint(r.Tool, " ", r.Decision)
	}
	return string(b)
}

// ParseRules reads rules as they stand in a configuration. An error names the rule and the field.
func ParseRules(data []byte) ([]Rule, error) {
	var raw []jsontext.Value
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("permission.rules is not an array: %w", err)
	}
	out := make([]Rule, 0, len(raw))
	for i, v := range raw {
		var r Rule
		if err := json.Unmarshal(v, &r, json.RejectUnknownMembers(true)); err != nil {
			return nil, fmt.Errorf("permission.rules[%d]: %w", i, err)
		}
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("permission.rules[%d].%w", i, err)
		}
		out = append(out, r)
	}
	return out, nil
}

func (r Rule) check() error {
	switch r.Tool {
	case ToolRead, ToolEdit, ToolShell, ToolMCP, ToolAny:
	default:
		return fmt.Errorf("tool is %q; write read, edit, shell, mcp or *", r.Tool)
	}
	switch r.Decision {
	case Allow, Deny, Ask:
	default:
		return fmt.Errorf("decision is %q; write allow, deny or ask", r.Decision)
	}
	if r.Path != "" {
		if _, err := path.Match(r.Path, ""); err != nil {
			return fmt.Errorf("path %q: %w", r.Path, err)
		}
	}
	if len(r.Argv) > 0 && r.Tool != ToolShell && r.Tool != ToolAny {
		return fmt.Errorf("argv goes with the tool shell, not with %s", r.Tool)
	}
	return nil
}

// matches says whether the rule speaks of a request. A rule with a path must cover every path of the request.
func (r Rule) matches(q Request) bool {
	if r.Tool != ToolAny && r.Tool != q.Tool {
		return false
	}
	if q.Tool == ToolShell && !r.coversCommand(q) {
		return false
	}
	if r.Path == "" {
		return true
	}
	if len(q.Paths) == 0 {
		return false
	}
	for _, p := range q.Paths {
		if !r.coversPath(p, q) {
			return false
		}
	}
	return true
}

// coversCommand compares the whole argv. A rule without argv covers no command, unless it denies or asks: what tightens
// may be broad.
func (r Rule) coversCommand(q Request) bool {
	switch {
	case len(r.Argv) == 0:
		return r.Decision != Allow
	case slices.Equal(r.Argv, AllCommands):
		return true
	}
	return len(q.Env) == 0 && slices.Equal(r.Argv, q.Argv) &&
		(r.Dir == "" || r.Dir == q.CommandDir) && (r.Content == "" || r.Content == q.Content)
}

func (r Rule) coversPath(p Path, q Request) bool {
	glob := r.Path
	switch {
	case strings.HasPrefix(glob, "~/"):
		if q.Home == "" {
			return false
		}
		return Glob(filepath.ToSlash(q.Home)+glob[1:], filepath.ToSlash(p.Real))
	case strings.HasPrefix(glob, "/"), filepath.VolumeName(filepath.FromSlash(glob)) != "":
		return Glob(glob, filepath.ToSlash(p.Real))
	}
	return p.Rel != "" && !p.Outside && Glob(glob, p.Rel)
}

// Glob matches a slash-separated path: * and ? stay inside a component, ** is any number of components.
func Glob(pattern, name string) bool {
	return globParts(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

func globParts(pattern, name []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for i := 0; i <= len(name); i++ {
				if globParts(pattern[1:], name[i:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], name[0]); err != nil || !ok {
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0
}
