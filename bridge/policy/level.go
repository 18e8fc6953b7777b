package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Level says how much is asked in a session. It is the user's alone: from their own configuration and from what they switch, never
// from a workspace or an agent. The zero value is [LevelAsk].
type Level string

// The levels, the narrowest first.
const (
	LevelReadOnly Level = "read-only" // nothing is changed and nothing is run
	LevelAsk      Level = "ask"       // every change and every command asks
	LevelEdits    Level = "edits"     // changes of files in the session's folders do not ask
	LevelAll      Level = "all"       // and neither does anything else but what always asks
)

// LevelInfo is a level in words for people.
type LevelInfo struct {
	ID                Level
	Name, Description string
}

// Levels are all of them, the narrowest first.
func Levels() []LevelInfo {
	return []LevelInfo{
		{LevelReadOnly, "Read only", "Change no file and run no command"},
		{LevelAsk, "Ask", "Ask before each change and each command"},
		{LevelEdits, "Allow edits", "Edit files of the workspace without asking, ask before each command"},
		{LevelAll, "Allow all", "Ask only about control files, secrets and what is outside the workspace"},
	}
}

// LevelIDs are the ids of all levels, the narrowest first.
func LevelIDs() (ids []Level) {
	for _, l := range Levels() {
		ids = append(ids, l.ID)
	}
	return ids
}

// ParseLevel reads a level; the error names all there are.
func ParseLevel(word string) (Level, error) {
	ids := LevelIDs()
	if i := slices.Index(ids, Level(word)); i >= 0 {
		return ids[i], nil
	}
	var words []string
	for _, id := range ids {
		words = append(words, string(id))
	}
	return "", fmt.Errorf("there is no level %q; it is one of %s", word, strings.Join(words, ", "))
}

// Narrower is the one of two levels at which less is allowed. "" is LevelAsk, as everywhere.
func (l Level) Narrower(other Level) Level {
	ids := LevelIDs()
	l, other = cmp.Or(l, LevelAsk), cmp.Or(other, LevelAsk)
	return ids[min(max(slices.Index(ids, l), 0), max(slices.Index(ids, other), 0))]
}

// refuses says whether nothing of a request's kind is done at a level. What a workspace has for Copilot to start is no command of the agent's:
// it asks.
func (l Level) refuses(r Request) bool {
	return l == LevelReadOnly && (r.Tool == ToolEdit || r.Tool == ToolShell && !r.Brought)
}

// frees says whether a level allows a request of which no rule speaks and which does not ask for what it is, and why.
func (l Level) frees(r Request) (why string, ok bool) {
	switch {
	case r.Tool == ToolEdit && (l == LevelEdits || l == LevelAll):
		return fmt.Sprintf("the session's level is %q: a change of a file in its folders is not asked about", string(l)), true
	case l == LevelAll && r.harmlessEnv() && !r.Brought:
		return fmt.Sprintf("the session's level is %q", string(l)), true
	}
	return "", false
}
