package agent

import "strings"

// Quirks are the ways of an agent that has to be given the editor's tools, as an MCP server of each session: it reads
// and writes the disk itself and never asks the client. The zero value is an agent that gets none: one that asks the
// client, or one of which nothing is known. Those of Copilot CLI, which takes the tools on its command line, are in
// package copilot.
type Quirks struct {
	// IgnoresClientFS: what it reads it reads from the disk, so it sees unsaved text only through the editor's tools.
	IgnoresClientFS bool

	// MissingIsEmpty: it takes any error of fs/read_text_file for the end of what it wants to do, and an empty text for a file
	// that is not there.
	MissingIsEmpty bool
	// ReplaysLate: it answers session/load before it has sent the history.
	ReplaysLate bool

	// Options is where, inside `_meta` of session/new, load and resume, it takes lists of tools: "disallowedTools" switches
	// its own off, "allowedTools" are run without a question of its own. nil: there is no such place, its own stay on.
	Options []string
	// AsksByMarks: it asks about the tools of a server that are marked as destructive, or has a model decide about them.
	AsksByMarks bool
	// Files and Shell are its own tools that the editor's replace.
	Files, Shell []string
}

// QuirksOf are the ways of an agent by the name that it gives itself in initialize (ACP v1 agentInfo.name); what is in
// front of a slash is the publisher. Measured: claude-agent-acp 0.100.0, codex-acp 2.6.0 and the older one, 0.16.0, opencode 1.18.33,
// kilo 7.7.7, gemini-cli 0.61.0.
func QuirksOf(name string) Quirks {
	switch name[strings.LastIndexByte(name, '/')+1:] {
	case "claude-agent-acp":
		// It passes these options on to its SDK, whose lists hold for its sub-agents too.
		return Quirks{
			IgnoresClientFS: true, Options: []string{"claudeCode", "options"},
			Files: []string{"Read", "Edit", "MultiEdit", "Write", "NotebookEdit", "Grep", "Glob"},
			Shell: []string{"Bash", "BashOutput", "KillShell", "PowerShell", "Monitor"},
		}
	case "codex-acp":
		// It makes its configuration when it starts and takes nothing of it from a session. In its first mode a model of its
		// own decides about destructive tools, in the others it asks: "Allow the editor MCP server to run tool …".
		return Quirks{IgnoresClientFS: true, AsksByMarks: true}
	case "OpenCode", "Kilo":
		// They read the disk, and write it before they ask the client for the same write.
		return Quirks{IgnoresClientFS: true}
	case "gemini-cli":
		return Quirks{IgnoresClientFS: true, MissingIsEmpty: true, ReplaysLate: true}
	}
	return Quirks{}
}

// WithoutMCP are the agents that take no MCP servers, by name: pi-acp 0.0.34.
func WithoutMCP() []string { return []string{"pi-acp"} }

// ReadThroughClient are the agents that read files through the client, by name: qwen-code 0.15 and 0.24, claude-code-acp 0.16.
func ReadThroughClient() []string { return []string{"qwen-code", "@zed-industries/claude-code-acp"} }

// TurnedOff are its own tools that are to be off, given which groups of the editor's it has.
func (q Quirks) TurnedOff(files, shell bool) (names []string) {
	if len(q.Options) == 0 {
		return nil
	}
	if files {
		names = append(names, q.Files...)
	}
	if shell {
		names = append(names, q.Shell...)
	}
	return names
}
