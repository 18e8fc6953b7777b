package tools

import (
	"context"
	"embed"
	"encoding/json"
	"runtime"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// toolTexts have, for each tool, what the model is told of it and the JSON schema of its arguments.
//
//go:embed catalog
var toolTexts embed.FS

// tool is one entry of the catalogue: what the model is told, and what a call does.
type tool struct {
	name, title, about string
	schema             []byte // JSON schema of the arguments, with the built-in tools' own names
	readOnly           bool
	known              []string // argument names, from the schema
	run                func(ctx context.Context, h Host, c Caller, f *fields, progress func(string)) (string, error)
}

// run1 ties a decoder to the Host method that takes what it decodes.
func run1[A any](decode func(*fields) A, do func(Host, context.Context, Caller, A) (string, error)) func(context.Context, Host, Caller, *fields, func(string)) (string, error) {
	return func(ctx context.Context, h Host, c Caller, f *fields, _ func(string)) (string, error) {
		a := decode(f)
		if err := f.err(); err != nil {
			return "", err
		}
		return do(h, ctx, c, a)
	}
}

// run0 is run1 for a tool without arguments.
func run0(do func(Host, context.Context, Caller) (string, error)) func(context.Context, Host, Caller, *fields, func(string)) (string, error) {
	return func(ctx context.Context, h Host, c Caller, _ *fields, _ func(string)) (string, error) {
		return do(h, ctx, c)
	}
}

func runBash(ctx context.Context, h Host, c Caller, f *fields, progress func(string)) (string, error) {
	a := decodeBash(f)
	if err := f.err(); err != nil {
		return "", err
	}
	return h.Bash(ctx, c, a, progress)
}

// catalogue lists the tools of a set. Names and arguments are those of Copilot CLI's own tools (1.0.102), so that a model
// that knows them needs no teaching; the model sees them as editor-view and so on.
func catalogue(set ToolSet) []*tool {
	var all []*tool
	if set.Files {
		all = append(all,
			&tool{name: "view", title: "View a file or folder", readOnly: true, run: run1(decodeView, Host.View)},
			&tool{name: "edit", title: "Edit a file", run: run1(decodeEdit, Host.Edit)},
			&tool{name: "create", title: "Create a file", run: run1(decodeCreate, Host.Create)},
			&tool{name: "grep", title: "Search in files", readOnly: true, run: run1(decodeGrep, Host.Grep)},
			&tool{name: "glob", title: "Find files by name", readOnly: true, run: run1(decodeGlob, Host.Glob)})
	}
	if set.Shell {
		all = append(all,
			&tool{name: "bash", title: "Run a command", run: runBash},
			&tool{name: "read_bash", title: "Read a command's output", readOnly: true, run: run1(decodeReadBash, Host.ReadBash)},
			&tool{name: "stop_bash", title: "Stop a command", run: run1(decodeStopBash, Host.StopBash)},
			&tool{name: "list_bash", title: "List shells", readOnly: true, run: run0(Host.ListBash)})
	}
	if set.Diagnostics {
		all = append(all,
			&tool{name: "diagnostics", title: "Errors and warnings in the editor", readOnly: true, run: run1(decodeDiagnostics, Host.Diagnostics)},
			&tool{name: "selection", title: "What the user is looking at", readOnly: true, run: run0(Host.Selection)})
	}
	all = append(all, languageTools(set.Language)...)
	if set.Ask {
		all = append(all, &tool{name: "ask", title: "Ask the user", readOnly: true, run: run1(decodeAsk, Host.Ask)})
	}
	for _, t := range all {
		about, err := toolTexts.ReadFile("catalog/" + t.name + ".md")
		if t.name == "bash" && runtime.GOOS == "windows" {
			about, err = toolTexts.ReadFile("catalog/bash_windows.md") // another language, and nothing is kept between calls
		}
		t.about = strings.TrimSuffix(string(about), "\n")
		if err == nil {
			t.schema, err = toolTexts.ReadFile("catalog/" + t.name + ".json")
		}
		var s struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if err == nil {
			err = json.Unmarshal(t.schema, &s)
		}
		if err != nil {
			panic("tools: catalogue entry " + t.name + ": " + err.Error()) // a file of this package
		}
		for name := range s.Properties {
			t.known = append(t.known, name)
		}
	}
	return all
}

// describe is the tool as a client is told of it. MCP has destructive tools asked about by the client; one that is told that
// they are asked about here need not do so too.
func (t *tool) describe(askedHere bool) *mcp.Tool {
	yes, no := !askedHere, false
	return &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: json.RawMessage(t.schema),
		Annotations: &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: t.readOnly, OpenWorldHint: &no, DestructiveHint: destructive(t.readOnly, &yes)},
		// claude-agent-acp (0.100) otherwise hides the tools of servers behind its ToolSearch, and its model edits the disk.
		Meta: mcp.Meta{"anthropic/alwaysLoad": true},
	}
}

// destructive is absent for tools that only read (MCP: meaningful only when readOnlyHint is false).
func destructive(readOnly bool, yes *bool) *bool {
	if readOnly {
		return nil
	}
	return yes
}
