package copilot

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ServerName is the name Copilot gives the editor tools: the model sees them as "editor-view" and so on.
const ServerName = "editor"

// ToolSet says which groups of editor tools replace Copilot's own.
type ToolSet struct {
	Files       bool // view, edit, create, grep, glob
	Shell       bool // bash, read_bash, stop_bash, list_bash
	Diagnostics bool // diagnostics, selection, what language servers know: Copilot has none of these
}

// Launch is how Copilot CLI is started as an agent.
type Launch struct {
	Command []string // the user's own command line, Copilot and perhaps flags of its own
	Self    []string // the argv prefix that runs this binary
	Socket  string   // of the editor tools; "" starts Copilot without them
	Tools   ToolSet
	Extra   []MCPServer // the user's MCP servers, of which Copilot drops the stdio ones in session/new

	// ConfigFile has what [Launch.MCPConfig] returns, in a file that only the user can read: others can read a command line,
	// and the variables of a server may be secrets. "" puts it on the command line.
	ConfigFile string
}

// MCPServer is a stdio server for Copilot's configuration.
type MCPServer struct {
	Name    string
	Command string
	Args    []string
	Env     map[string]string
}

// Argv is the whole command line. Flags the user has given already are not given again; what is added comes last, as
// Copilot lets the last of two MCP servers of one name win (1.0.102), and lists add up.
func (l Launch) Argv() []string {
	argv := slices.Clone(l.Command)
	var rest []string
	if i := slices.Index(argv, "--"); i > 0 && program(argv[:i]) > 0 {
		argv, rest = argv[:i:i], argv[i:]
	}
	given := readFlags(argv)
	if !given.has("--acp") {
		argv = append(argv, "--acp")
	}
	if !given.has("--stdio") && !given.has("--port") {
		argv = append(argv, "--stdio")
	}
	argv = append(argv, l.toolFlags(given)...)
	return append(argv, rest...)
}

// toolFlags puts the editor tools, and the user's own servers, in the place of Copilot's tools.
func (l Launch) toolFlags(given flags) (argv []string) {
	if hidden := l.excluded(given); len(hidden) > 0 {
		argv = append(argv, "--excluded-tools="+strings.Join(hidden, ","))
	}
	if l.editorTools() {
		if len(given["--available-tools"]) > 0 && !given.lists("--available-tools", ServerName) {
			argv = append(argv, "--available-tools="+ServerName) // the user's list is of Copilot's own tools
		}
		if !given.lists("--allow-tool", ServerName) && !given.has("--allow-all-tools") && !given.has("--allow-all") && !given.has("--yolo") {
			argv = append(argv, "--allow-tool="+ServerName) // the bridge asks, not both
		}
	}
	if l.editorTools() || len(l.Extra) > 0 {
		config := string(l.MCPConfig())
		if l.ConfigFile != "" {
			config = "@" + l.ConfigFile
		}
		argv = append(argv, "--additional-mcp-config", config)
	}
	return argv
}

func (l Launch) editorTools() bool {
	return l.Socket != "" && len(l.Self) > 0 && l.Tools != ToolSet{}
}

// Own tools of Copilot that the editor tools replace, under all names they have on the systems and for the models
// Copilot serves. Copilot 1.0.102 knows each name, on every system, and so does not complain of it. glob is
// among them because it names files anywhere on the machine without a question. lsp belongs to both
// groups: it starts the language servers that a workspace's .github/lsp.json names, without a question, and its rename
// writes to the disk.
var (
	fileTools  = []string{"view", "edit", "create", "grep", "rg", "glob", "apply_patch", "str_replace_editor", "lsp"}
	shellTools = []string{"bash", "read_bash", "stop_bash", "list_bash", "powershell", "read_powershell", "stop_powershell", "list_powershell", "lsp"}
)

// OwnTools are the names of all those tools of Copilot's own.
func OwnTools() []string { return slices.Concat(fileTools, shellTools) }

// excluded are the tools to switch off that the user has not switched off already.
func (l Launch) excluded(given flags) []string {
	if !l.editorTools() {
		return nil
	}
	var names []string
	if l.Tools.Files {
		names = append(names, fileTools...)
	}
	if l.Tools.Shell {
		names = append(names, shellTools...)
	}
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) && !given.lists("--excluded-tools", n) {
			out = append(out, n)
		}
	}
	return out
}

// MCPConfig is the configuration in the form of Copilot's mcp-config.json.
func (l Launch) MCPConfig() []byte {
	type entry struct {
		Type    string            `json:"type"`
		Command string            `json:"command,omitzero"`
		Args    []string          `json:"args,omitzero"`
		Env     map[string]string `json:"env,omitempty"`
		Tools   []string          `json:"tools"`
	}
	servers := map[string]entry{}
	for _, s := range l.Extra {
		servers[s.Name] = entry{Type: "local", Command: s.Command, Args: append([]string{}, s.Args...), Env: s.Env, Tools: []string{"*"}}
	}
	if l.editorTools() {
		args := append(slices.Clone(l.Self[1:]), "mcp", "--socket", l.Socket)
		servers[ServerName] = entry{Type: "local", Command: l.Self[0], Args: args, Tools: []string{"*"}}
	}
	b, err := json.Marshal(map[string]any{"mcpServers": servers}, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic("copilot: MCP configuration: " + err.Error()) // strings and maps of strings
	}
	return b
}
