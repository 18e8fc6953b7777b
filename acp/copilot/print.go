package copilot

import (
	"slices"
	"strings"
)

// Print is one call of the print mode, `copilot -p`: one prompt, one answer, and the program ends. Nobody can be asked
// in it: what would need a permission is refused by Copilot itself (1.0.102: "Permission denied because no interactive
// user response was available").
type Print struct {
	Features Features // what the program has; options it does not have are left out
	Prompt   string   // on the command line; with Stdin it comes on standard input instead
	Stdin    bool
	NoTools  bool // it is not to do anything: the editor tools are left out, and its own are switched off

	// At most one of these says which session of Copilot's own the prompt belongs to.
	New      string // a UUID for a new one
	Resume   string // the id of one that is there
	Continue bool   // the newest one of all
}

// PrintArgv is the command line of a call. Options of the user's own stay, but for those that make an ACP server. The
// only permission that is given is for the editor tools, where the bridge asks: --allow-tool=editor.
func (l Launch) PrintArgv(p Print) []string {
	argv := slices.DeleteFunc(slices.Clone(l.Command), func(w string) bool { return w == "--acp" || w == "--stdio" })
	given := readFlags(argv)
	add := func(has bool, words ...string) {
		name, _, _ := strings.Cut(words[0], "=")
		if has && !given.has(name) {
			argv = append(argv, words...)
		}
	}
	switch {
	case p.New != "":
		add(p.Features.SessionID, "--session-id="+p.New)
	case p.Resume != "":
		add(p.Features.Resume, "--resume", p.Resume)
	case p.Continue:
		add(p.Features.Continue, "--continue")
	}
	add(p.Features.Silent, "-s")
	add(p.Features.Stream, "--stream", "on")
	add(p.Features.JSON, "--output-format", "json")
	if p.NoTools {
		add(p.Features.ExcludedTools, "--excluded-tools="+strings.Join(slices.Concat(fileTools, shellTools), ","))
	} else if p.Features.EditorTools() {
		argv = append(argv, l.toolFlags(given)...)
	}
	prompt := p.Prompt
	if p.Stdin {
		prompt = "" // standard input is read then; "-" would be the prompt itself (1.0.102)
	}
	return append(argv, "-p", prompt)
}
