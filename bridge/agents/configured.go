package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// Agents that read and write the disk past the client, and take from their configuration which of their own tools they have. The
// bridge starts them with more of it, by the environment of the process: nothing that is the user's is changed. They are known by the
// name of their program before they start, and by the name that they give in initialize after it. Measured: opencode 1.18.33, kilo
// 7.7.7, gemini-cli 0.61.0.

// configured is such an agent. prepare returns the environment that the process gets beside env.
type configured struct {
	program, name string // agentInfo.name
	prepare       func(a *Process, env []string, set tools.ToolSet) (more []string, err error)
}

func configuredAgents() []configured {
	return []configured{
		{"opencode", "OpenCode", func(_ *Process, env []string, set tools.ToolSet) ([]string, error) {
			return inlineConfig("OPENCODE_CONFIG_CONTENT", env, set)
		}},
		{"kilo", "Kilo", func(_ *Process, env []string, set tools.ToolSet) ([]string, error) {
			return inlineConfig("KILO_CONFIG_CONTENT", env, set)
		}},
		{"gemini", "gemini-cli", geminiDefaults},
	}
}

// configuredProgram is the agent that a command line starts, as far as its name tells; nil for all others.
func configuredProgram(command []string) *configured {
	if len(command) == 0 {
		return nil
	}
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(command[0])), ".exe")
	all := configuredAgents()
	if at := slices.IndexFunc(all, func(c configured) bool { return c.program == name }); at >= 0 {
		return &all[at]
	}
	return nil
}

// opencodeFiles and opencodeShell are the tools of opencode and of its fork kilo that the editor's replace.
var (
	opencodeFiles = []string{"read", "edit", "write", "patch", "apply_patch", "multiedit", "grep", "glob", "list"}
	opencodeShell = []string{"bash"}
)

// inlineConfig switches tools off in the configuration that opencode reads from its environment, above all others. The tools of the
// server "editor" are allowed there, since the bridge asks about them.
func inlineConfig(variable string, env []string, set tools.ToolSet) ([]string, error) {
	config := jsontext.Value("{}")
	if given := lookup(env, variable); given != "" {
		config = jsontext.Value(given)
		if !config.IsValid() || config.Kind() != '{' {
			return nil, fmt.Errorf("%s is no JSON object; the agent's own tools stay on", variable)
		}
	}
	for _, name := range replaced(set, opencodeFiles, opencodeShell) {
		config = acp.SetWithin(config, []string{"tools"}, name, jsontext.Value("false"))
	}
	if kind := acp.Member(config, "permission").Kind(); kind == '{' || len(acp.Member(config, "permission")) == 0 {
		config = acp.SetWithin(config, []string{"permission"}, tools.ServerName+"_*", jsontext.Value(`"allow"`))
	}
	return []string{variable + "=" + string(config)}, nil
}

// geminiFiles and geminiShell are the tools of gemini-cli that the editor's replace.
var (
	geminiFiles = []string{"read_file", "read_many_files", "write_file", "replace", "glob", "grep_search", "search_file_content", "list_directory"}
	geminiShell = []string{"run_shell_command"}
)

// geminiDefaults switches tools off in the defaults of the system, to which gemini-cli adds the user's settings: lists of excluded
// tools are one list in the end. A file of defaults that is there already goes into ours.
func geminiDefaults(a *Process, env []string, set tools.ToolSet) ([]string, error) {
	const variable = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"
	config := jsontext.Value("{}")
	path := lookup(env, variable)
	if path == "" {
		path = filepath.Join(geminiSystemFolder(env), "system-defaults.json")
	}
	switch given, err := os.ReadFile(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("read the system's defaults of gemini-cli: %w", err)
	case !json.Valid(given) || jsontext.Value(given).Kind() != '{':
		return nil, fmt.Errorf("%s is no JSON object; the agent's own tools stay on", path)
	default:
		config = given
	}
	exclude := acp.Member(acp.Member(config, "tools"), "exclude")
	for _, name := range replaced(set, geminiFiles, geminiShell) {
		exclude = acp.PutLast(exclude, acp.Quote(name))
	}
	config = acp.SetWithin(config, []string{"tools"}, "exclude", exclude)
	// It takes the command of the server from the session, and from here that it need not ask about its tools.
	config = acp.SetWithin(config, []string{"mcpServers", tools.ServerName}, "trust", jsontext.Value("true"))
	file, remove, err := a.pool.configFile(defaultsFiles, config)
	if err != nil {
		return nil, err
	}
	a.leftovers = append(a.leftovers, remove) // it reads it again with each session
	return []string{variable + "=" + file}, nil
}

func geminiSystemFolder(env []string) string {
	if settings := lookup(env, "GEMINI_CLI_SYSTEM_SETTINGS_PATH"); settings != "" {
		return filepath.Dir(settings)
	}
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/GeminiCli"
	case "windows":
		return `C:\ProgramData\gemini-cli`
	}
	return "/etc/gemini-cli"
}

// replaced are an agent's own tools that are to be off.
func replaced(set tools.ToolSet, files, shell []string) (names []string) {
	if set.Files {
		names = append(names, files...)
	}
	if set.Shell {
		names = append(names, shell...)
	}
	return names
}

// lookup is a variable of an environment; of several the last.
func lookup(env []string, name string) (value string) {
	for _, v := range env {
		if n, rest, ok := strings.Cut(v, "="); ok && n == name {
			value = rest
		}
	}
	return value
}
