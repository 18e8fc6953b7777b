package policy

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Rule is one permission rule (docs/dev/protocol.md, permission rules). The first that matches decides.
type Rule struct {
	Tool     Tool     `json:"tool"`
	Path     string   `json:"path,omitzero"`    // glob, relative to the session's folder unless it starts with / or ~
	Argv     []string `json:"argv,omitzero"`    // the exact words of a command; ["*"] is every command
	Command  string   `json:"command,omitzero"` // plain words, see checkCommand; of the user's configuration only
	Decision Verdict  `json:"decision"`
	// Dir is where a remembered command may run. Rules of the user's configuration have none and hold anywhere.
	Dir string `json:"dir,omitzero"`
	// Content is what a remembered command runs, see [Request].
	Content string `json:"content,omitzero"`
}

// AllCommands is the argv of a rule of the user's that covers every command.
var AllCommands = []string{"*"}

// String is the rule as the user reads it.
func (r Rule) String() string {
	b, err := json.Marshal(r, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return fmt.Sprint(r.Tool, " ", r.Decision)
	}
	return string(b)
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
	if err := r.checkCommand(); err != nil {
		return err
	}
	if r.Path != "" {
		for part := range strings.SplitSeq(r.Path, "/") {
			if _, err := path.Match(part, ""); err != nil {
				return fmt.Errorf("path %q: %w", r.Path, err)
			}
		}
	}
	if len(r.Argv) > 0 && r.Tool != ToolShell && r.Tool != ToolAny {
		return fmt.Errorf("argv goes with the tool shell, not with %s", r.Tool)
	}
	return nil
}

// checkRemembered says why a rule cannot be an answer that was given for good.
func (r Rule) checkRemembered() error {
	switch {
	case r.Command != "":
		return errors.New("command belongs to your configuration")
	case r.Tool == ToolShell && (len(r.Argv) == 0 || slices.Equal(r.Argv, AllCommands)):
		return errors.New("argv does not name one command")
	case r.Tool == ToolShell && r.Dir == "":
		return errors.New("dir is missing: a remembered command runs in one folder")
	case r.Tool == ToolAny, r.Tool != ToolShell && r.Path == "":
		return errors.New("path does not name a file")
	}
	return r.check()
}

// matches says whether the rule speaks of a request. What allows must cover all of it and be exact; what denies or asks
// may be broad, so it is enough that it speaks of a part.
func (r Rule) matches(q Request, remembered bool) bool {
	switch {
	case q.Odd != "" && r.Decision == Allow:
		return false
	case q.Odd != "" && (len(r.Argv) > 0 || r.Command != ""): // whatever the agent calls it
		return slices.ContainsFunc(slices.Concat(q.Maybe, [][]string{q.Argv}), func(argv []string) bool {
			return argv != nil && (r.Command != "" && r.beginsAny(argv) || len(r.Argv) > 0 && (slices.Equal(r.Argv, AllCommands) || slices.Equal(r.Argv, argv)))
		})
	case q.Odd != "" && r.Path != "":
		return slices.ContainsFunc(q.Paths, func(p Path) bool { return r.coversPath(p, q) })
	case r.speaksOfFolders() && slices.ContainsFunc(q.Where, func(p Path) bool { return r.coversPath(p, q) }):
		return true
	case r.Tool != ToolAny && r.Tool != q.Tool:
		return false
	case q.Tool == ToolShell:
		if !r.coversCommand(q, remembered) {
			return false
		}
	case len(r.Argv) > 0 || r.Command != "":
		return false // of commands only
	}
	if r.Path == "" {
		return true
	}
	if remembered && r.Decision == Allow && slices.ContainsFunc(q.Paths, Path.goes) {
		return false // a yes to changes of a text
	}
	covers := func(p Path) bool { return r.coversPath(p, q) }
	if r.Decision != Allow {
		return slices.ContainsFunc(q.Paths, covers)
	}
	return len(q.Paths) > 0 && !slices.ContainsFunc(q.Paths, func(p Path) bool { return !covers(p) })
}

// speaksOfFolders says whether a rule holds for the folder that a command runs in: one about commands, or one that denies to read
// what is there.
func (r Rule) speaksOfFolders() bool {
	if r.Path == "" || len(r.Argv) > 0 {
		return false
	}
	return r.Decision == Deny && r.Tool == ToolRead || r.Decision != Allow && (r.Tool == ToolShell || r.Tool == ToolAny)
}

// coversCommand compares the whole argv. A rule without argv covers no command, unless it denies or asks. A remembered
// command is the same one only in the same folder, with the same file behind it and nothing added to its environment.
func (r Rule) coversCommand(q Request, remembered bool) bool {
	switch {
	case r.Command != "" && r.Decision == Allow:
		return !remembered && r.coversPlain(q)
	case r.Command != "":
		return r.beginsAny(q.Argv)
	case len(r.Argv) == 0:
		return r.Decision != Allow
	case slices.Equal(r.Argv, AllCommands) && !remembered:
		return true
	case !slices.Equal(r.Argv, q.Argv):
		return false
	case r.Decision != Allow:
		return true
	case remembered:
		return len(q.Env) == 0 && r.Dir != "" && r.Dir == q.CommandDir && r.Content == q.Content
	}
	return len(q.Env) == 0
}

// coversAllCommands says whether no command escapes a rule of the configuration, see coversCommand.
func (r Rule) coversAllCommands() bool {
	if r.Tool != ToolShell && r.Tool != ToolAny || r.Path != "" || r.Command != "" {
		return false
	}
	return slices.Equal(r.Argv, AllCommands) || len(r.Argv) == 0 && r.Decision != Allow
}

// coversPath compares a path with the rule's glob. An allow rule must fit the resolved path in every letter. One that
// denies or asks fits if any name of the file does, in upper or lower case: the file system may not tell them apart.
func (r Rule) coversPath(p Path, q Request) bool {
	glob, absolute := r.Path, true
	switch {
	case strings.HasPrefix(glob, "~/"):
		if q.Home == "" {
			return false
		}
		glob = globQuote(filepath.ToSlash(q.Home)) + glob[1:]
	case strings.HasPrefix(glob, "/"), filepath.VolumeName(filepath.FromSlash(glob)) != "":
	default:
		absolute = false
	}
	if r.Decision == Allow {
		if absolute {
			return p.Real != "" && Glob(glob, filepath.ToSlash(p.Real))
		}
		return p.Rel != "" && !p.Outside && Glob(glob, p.Rel)
	}
	names := p.names()
	if !absolute {
		names = append(relatives(names, q), p.Rel)
	}
	folded := Fold(glob)
	for i, name := range names {
		if name == "" || slices.Contains(names[:i], name) {
			continue
		}
		name = filepath.ToSlash(name)
		low := Fold(name)
		if Glob(folded, low) || (folded != glob || low != name) && Glob(glob, name) {
			return true
		}
	}
	return false
}

// relatives are names relative to the session's folder, those that lie in it.
func relatives(names []string, q Request) (out []string) {
	for _, name := range names {
		if rel, err := filepath.Rel(q.Cwd, name); q.Cwd != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			out = append(out, filepath.ToSlash(rel))
		}
	}
	return out
}
