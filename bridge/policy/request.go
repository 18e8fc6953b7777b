package policy

import "strings"

// Tool is the kind of thing a tool does. A rule names one of them, or [ToolAny].
type Tool string

const (
	ToolRead  Tool = "read"  // reads files, or tells what is in them
	ToolEdit  Tool = "edit"  // changes, makes, removes or renames files
	ToolShell Tool = "shell" // runs a command
	ToolMCP   Tool = "mcp"   // a tool of somebody else
	ToolAny   Tool = "*"
)

// UnmarshalText reads the name of a tool in a rule. "run", what the question calls it, is [ToolShell].
func (t *Tool) UnmarshalText(text []byte) error {
	*t = Tool(text)
	if *t == "run" {
		*t = ToolShell
	}
	return nil
}

// Op is what happens to a path.
type Op string

const (
	OpRead   Op = "read"
	OpWrite  Op = "write"
	OpCreate Op = "create"
	OpDelete Op = "delete"
	OpRename Op = "rename" // either end of it
)

// Path is one file or folder a request is about, as the caller resolved it.
type Path struct {
	Given   string   // absolute, cleaned, symbolic links as they were named
	Real    string   // absolute, links resolved, also for what does not exist yet
	Rel     string   // Real relative to the session's folder, with slashes; "" if that cannot be said
	Op      Op       // what happens to it
	Outside bool     // not in a folder of the session
	Exists  bool     // there is something by that name
	Folder  bool     // and it is a folder
	SameAs  []string // further names of the same file (hard links, links that lead to it), absolute
	// Nameless says that it has further names, or may have them, which the caller did not find: one may be a control file's.
	Nameless bool
	Roots    []string // the session's folders, as named and resolved: only what lies below them is compared
}

// names are all names under which a path may be known.
func (p Path) names() []string {
	out := []string{p.Given}
	if p.Real != "" && p.Real != p.Given {
		out = append(out, p.Real)
	}
	return append(out, p.SameAs...)
}

// goes says whether the file is not there any more afterwards, or is another one's text: no answer that was given for changes
// of it covers that.
func (p Path) goes() bool { return p.Op == OpDelete || p.Op == OpRename }

// EnvVar is an addition to a command's environment.
type EnvVar struct{ Name, Value string }

// String is the addition as the user reads it. A name with a blank is no variable's and says itself what has become of one.
func (v EnvVar) String() string {
	if strings.Contains(v.Name, " ") {
		return v.Name
	}
	return v.Name + "=" + v.Value
}

// Request is one thing an agent wants to do.
type Request struct {
	Tool       Tool
	Name       string   // the tool's own name, for the reason and the log
	Cwd        string   // the session's folder, absolute
	Home       string   // the user's home, for ~ in rules
	Paths      []Path   // what it reads or changes, as far as it is a matter of files
	Argv       []string // of a command: the exact words
	CommandDir string   // where it runs, resolved
	Where      []Path   // the same as the rules see it, empty where that is not known
	Env        []EnvVar // what the agent adds to its environment
	EnvLeft    bool     // Env is what earlier commands in the same shell have left there, and nothing of it makes a harmless command do something else
	Named      []Named  // what the words of a command name, of those after its program; nil where nobody looked: then a rule with a * does not count
	Content    string   // what the command runs: its programs, resolved, and what is in those of the workspace; "" if none was found
	// Odd says why it is not wholly known what the agent wants, "" if it is. Then nothing allows the request but an answer to
	// this one question; a rule that denies matches if it speaks of anything that it may be.
	Odd       string
	Maybe     [][]string // of an odd request: what may be its command
	Plan      bool       // the session is in plan mode: nothing is changed or run
	AllowAll  bool       // the user has switched the agent's allow_all or its autopilot on
	Level     Level      // how much is asked in the session
	Brought   bool       // a command that the workspace brings along and that somebody else runs: only an answer to exactly this counts
	Saves     bool       // unsaved text of the user's is saved before the command runs, which they have not been asked about
	Untrusted bool       // this version of the agent was found to change or run things without asking

	words map[string]wordSeen // what is known of the words in Named, see [Engine.lookAt]
}

// harmlessEnv says whether a command has no variables of the agent's but what its shell has left: a line may set that anyway.
func (r Request) harmlessEnv() bool { return len(r.Env) == 0 || r.EnvLeft }

// Verdict is what is to be done with a request.
type Verdict string

const (
	Allow Verdict = "allow"
	Deny  Verdict = "deny"
	Ask   Verdict = "ask"
)

// Decision is a verdict with its reason, one sentence for the user.
type Decision struct {
	Verdict    Verdict
	Reason     string
	Rule       *Rule // the rule that decided, nil if none did
	Must       bool  // it asks because of what it is, whatever is allowed; Reason says why
	Usual      bool  // it asks as all of its kind do: there is no reason that the user need be told
	Remember   bool  // an "always" may be offered
	RememberAs Rule  // and this is what it would remember
}
