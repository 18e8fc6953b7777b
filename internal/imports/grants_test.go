package imports

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var function = regexp.MustCompile(`(?ms)^func (?:\([^)]*\) )?(\w+)\(.*?^}`)

// road is a word of package bridge and of the rooms below it that serve an agent that makes, keeps or uses a permission, or does what one is needed for, and the files
// that may have it. A new one is a new way past the questions until somebody has looked at it.
type road struct {
	what  string
	finds *regexp.Regexp
	only  []string
}

var roads = []road{
	{"makes a grant", regexp.MustCompile(`(?:^|[^\]\w])Grant\{|new\((?:permission\.)?Grant\)|\bvar \w+ (?:permission\.)?Grant\b`), []string{"permission/grants.go"}},
	{"changes a grant", regexp.MustCompile(`\b(?:c|Grant)\.(?:file|exists|before|after|argv|dir|env|program|gone|to)\s*=[^=]`), []string{"permission/grants.go"}},
	{"says that a grant is the user's", regexp.MustCompile(`\.yes(?:\s*=[^=]|, )`), []string{"permission/grants.go", "permission/changes.go", "permission/requests.go", "permission/agent_question.go"}},
	{"makes a user's yes", regexp.MustCompile(`&?\byes\{|\byesTo\(`), []string{"permission/still.go", "permission/decide.go", "permission/changes.go"}},
	{"keeps or counts grants", regexp.MustCompile(`\bg\.grants\b`), []string{"permission/grants.go", "permission/gate.go"}}, // the latter forgets them
	{"issues a grant", regexp.MustCompile(`\.Issue\(`), []string{"session/serve_permission.go"}},
	{"uses a grant", regexp.MustCompile(`\b(?:g|[gG]ate)\.Use\(`), []string{"host/client_files.go", "permission/requests.go"}},
	{"makes a grant for a change", regexp.MustCompile(`\b(?:Change|Whole)Grant\(`), []string{"permission/grants.go", "permission/changes.go", "permission/agent_changes.go", "host/client_files.go", "host/tool_files.go"}},
	{"makes a grant for a command", regexp.MustCompile(`\bcommandGrant\(`), []string{"permission/grants.go", "permission/agent_question.go", "permission/requests.go"}},
	{"reads an agent's input", regexp.MustCompile(`\bmeaning\.Read(?:Call)?\(`), []string{"permission/agent_question.go"}},
	{"asks the user", regexp.MustCompile(`\.AskUser\(`), []string{"permission/decide.go"}},
	{"answers without the rules", regexp.MustCompile(`\bEditor\.Ask\(`), []string{"session/ask.go", "agents.go"}}, // the latter is about how the agent is run

	{"writes a file", regexp.MustCompile(`\b(?:fs|FS)\.(?:Write|Edit)\(`), []string{"host/change.go", "tracking/review.go"}}, // the latter is an undo of the user's
	{"carries out a change", regexp.MustCompile(`\bs\.carryOut\(`), []string{"host/change.go"}},
	{"removes or renames a file", regexp.MustCompile(`\b(?:fs|FS)\.(?:Remove|Rename)\(`), []string{"host/change_whole.go", "tracking/review.go"}}, // the latter is an undo too
	{"writes a file without a grant", regexp.MustCompile(`\bs\.bring\(`), []string{"host/reconcile.go", "host/lent.go"}},
	{"changes a lent buffer", regexp.MustCompile(`\.WriteLent\(`), []string{"tracking/lent.go"}},
	{"starts a terminal", regexp.MustCompile(`\b[rR]unner\.Create\(`), []string{"host/client_terminals.go"}},
	{"starts a terminal of the editor's", regexp.MustCompile(`\bTerminals\.Call\(ctx, `), []string{"session/terminal_editor.go"}},
	{"runs a command of the shell tools", regexp.MustCompile(`\b[sS]hells\.Bash\(`), []string{"host/tool_shell.go"}},
}

// inTheRooms is the name of a source of package bridge, or of a room in which something is done for an agent, below bridge.
func inTheRooms(path string) (name string, ok bool) {
	dir, name := filepath.Split(filepath.ToSlash(path))
	for _, room := range []string{"", "permission/", "host/", "session/", "tracking/", "wire/"} {
		if strings.HasSuffix(dir, "/bridge/"+room) {
			return room + name, true
		}
	}
	return "", false
}

// TestNothingGoesPastTheGrants: what a yes covers is made, kept and used in one place, and nothing is written or run but
// through it.
func TestNothingGoesPastTheGrants(t *testing.T) {
	seen := map[string]int{}
	for path, source := range ofTheProgram(t) {
		name, ok := inTheRooms(path)
		if !ok {
			continue
		}
		for _, r := range roads {
			n := len(r.finds.FindAllString(source, -1))
			seen[r.what] += n
			if n > 0 && !slices.Contains(r.only, name) {
				t.Errorf("%s %s", name, r.what)
			}
		}
	}
	for _, r := range roads {
		if seen[r.what] == 0 && r.what != "changes a grant" {
			t.Errorf("nothing %s any more: the rule guards nothing", r.what)
		}
	}
}

// TestEachRoadAsks: a function that writes or starts something asks first, or calls one that does.
func TestEachRoadAsks(t *testing.T) {
	asks := regexp.MustCompile(`\b(?:PermitWrite|PermitChanges|permitCommand|mayRun|MayRun|editAsShown|writeWhole)\(`)
	does := regexp.MustCompile(`\bs\.(?:write|edit|writeChosen|moveFile|removeFile)\(|\b[rR]unner\.Create\(|\bTerminals\.Call\(ctx, |\b[sS]hells\.Bash\(`)
	found := 0
	for path, source := range ofTheProgram(t) {
		name, ok := inTheRooms(path)
		if !ok {
			continue
		}
		for _, m := range function.FindAllStringSubmatch(source, -1) {
			at := does.FindStringIndex(m[0])
			if at == nil || m[1] == "writePart" { // called with what PermitWrite has answered
				continue
			}
			found++
			if before := asks.FindStringIndex(m[0]); before == nil || before[0] > at[0] {
				t.Errorf("%s: %s acts before it asks", name, m[1])
			}
		}
	}
	if found < 6 {
		t.Errorf("only %d functions act", found)
	}
}

// lastLooks are the functions after which something is done, and what each has to call last for it: nothing that takes time comes between
// that look and the effect.
var lastLooks = []struct{ file, name, calls, then string }{
	{"host/change.go", "begin", `Gate\.Starts\(`, `\n\tif again != nil {\n\t\tagain\(\)\n\t}\n\treturn err\n}`},
	{"host/change_whole.go", "begin", `Gate\.Starts\(`, `\n\treturn err\n}`},
	{"host/flush.go", "beforeCommand", `Gate\.StillRuns\(`, `\n\t\trelease\(\)\n\t\treturn nil, err\n\t}\n\treturn release, nil\n}`},
	{"host/flush.go", "saveFirst", `\bstill\(\)`, `\n\t\t\treturn err\n\t\t}\n\t\tsave := `},
	{"session/serve_permission.go", "requestPermission", `gate\.StartsAsked\(`, `\n\t}\)\n`},
	{"host/client_terminals.go", "MayRun", `\.beforeCommand\(`, `\n\treturn spec, release, err\n}`},
	{"host/client_terminals.go", "CreateTerminal", `\.MayRun\(`, `\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tterm, err := s\.all\.Runner\.Create\(`},
	{"session/terminal_editor.go", "terminalInEditor", `\.MayRun\(`, `\n\t\tif err != nil {\n\t\t\treturn nil, err\n\t\t}\n\t\traw, err := s\.all\.cfg\.Terminals\.Call\(`},
	{"host/tool_shell.go", "bashAsShown", `\.beforeCommand\(`, `\n\tif err != nil {\n\t\treturn "", err\n\t}\n\tbegun := false\n\ttext, err := s\.all\.Shells\.Bash\(`},
}

// TestWhatIsAllowedIsLookedAtLast: a level, plan mode or a rule that has come since the decision holds on every road. The writes all begin
// in change or wholeChange, see the roads above.
func TestWhatIsAllowedIsLookedAtLast(t *testing.T) {
	sources := map[string]string{}
	for path, source := range ofTheProgram(t) {
		if name, ok := inTheRooms(path); ok {
			sources[name] = source
		}
	}
	for _, l := range lastLooks {
		found := false
		for _, m := range function.FindAllStringSubmatch(sources[l.file], -1) {
			found = found || m[1] == l.name && regexp.MustCompile(l.calls+`[^\n]*`+l.then).MatchString(m[0])
		}
		if !found {
			t.Errorf("%s: %s does not look at what is allowed right before it is done", l.file, l.name)
		}
	}
	begins := 0
	for name, source := range sources {
		for _, m := range regexp.MustCompile(`\bBegin(?::|\s=)\s*([\w.]+)`).FindAllStringSubmatch(source, -1) {
			if begins++; m[1] != "c.begin" && m[1] != "w.begin" && !strings.HasPrefix(name, "tracking/") { // the last is the user's undo
				t.Errorf("%s: a change begins with %s", name, m[1])
			}
		}
	}
	if begins < 3 {
		t.Errorf("only %d changes begin", begins)
	}
}
