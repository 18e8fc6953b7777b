package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const lspfront = "../.."

// TestTheClientsTypesAreCurrent guards the generated files: a change of a Go type that is not in them would compile on both
// sides and fail on the wire.
func TestTheClientsTypesAreCurrent(t *testing.T) {
	files, err := generate(lspfront)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(lspfront, name))
		if err != nil || string(got) != want {
			t.Errorf("%s is stale: run go generate ./bridge/lspfront (%v)", name, err)
		}
	}
}

// TestEveryMethodHasTypes guards that a request or a notification is in the clients' files with the types it is on the wire.
func TestEveryMethodHasTypes(t *testing.T) {
	files, err := generate(lspfront)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`"session/load": [LoadSessionParams, SessionInfo];`,
		`"permissions/revoke": [RevokeParams, Record<string, never>];`,
		`"permission/request": [Question, Answer];`,
		`"input/request": [InputRequest, InputResult | null];`,
		`"turn/ended": TurnEnded;`,
		`"focus/didChange": FocusParams;`,
		`action: "keep" | "undo";`,
		`decision: "allow" | "deny" | "ask";`,
		`version: number | null;`,
		`range?: Range;`,
		`NotSignedIn: -32050,`,
	} {
		if !strings.Contains(files[typeScriptFile], "  "+line) {
			t.Errorf("the TypeScript has no line %s", line)
		}
	}
	for _, line := range []string{
		`import type { Meta } from "./wire";`,
		`export type AgentMessageChunk = ContentChunk;`,
		`  | ({ sessionUpdate: "tool_call_update" } & ToolCallUpdate)`,
		`  | ({ type?: "agent" } & AuthMethodAgent);`,
		`  options: SessionConfigSelectOption[] | SessionConfigSelectGroup[];`,
		`} & SessionConfigVariant;`,
		`  oldText?: string | null;`,
		`  rawInput?: unknown;`,
		`  _meta?: Meta | null;`,
	} {
		if !strings.Contains(files[acpFile], "\n"+line+"\n") {
			t.Errorf("ACP's types have no line %s", line)
		}
	}
	if strings.Contains(files[acpFile], "InitializeResponse") {
		t.Error("types that no message of ours has are among ACP's")
	}
	for _, line := range []string{
		`---@class copilot-bridge.wire.Hunk`,
		`---@field decision "allow"|"deny"|"ask"`,
		`---@field version integer|vim.NIL null for a file that is not open`,
		`---@field options table[] ACP PermissionOption`,
		`---| "permission/request" # copilot-bridge.wire.Question → copilot-bridge.wire.Answer`,
	} {
		if !strings.Contains(files[luaFile], line+"\n") {
			t.Errorf("the Lua has no line %s", line)
		}
	}
	if strings.Contains(files[typeScriptFile], "text?: string;\n  uri?") {
		t.Error("members of commands only are in the TypeScript")
	}
}

// TestThePageNamesEveryMember guards docs/dev/protocol.md: a member of a message that is not on the page is known to nobody who
// writes a plugin.
func TestThePageNamesEveryMember(t *testing.T) {
	m, err := read(lspfront)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(lspfront, "../../docs/dev/protocol.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, code := range regexp.MustCompile("(?s)```.*?```|`[^`]+`").FindAllString(string(page), -1) {
		for _, word := range regexp.MustCompile(`[A-Za-z_-]+`).FindAllString(code, -1) {
			words[word] = true
		}
	}
	for _, o := range m.structs {
		for _, f := range o.members {
			if !words[f.name] {
				t.Errorf("docs/dev/protocol.md does not have %s of %s", f.name, o.name)
			}
			for _, word := range f.of.words {
				if word != "*" && !words[word] {
					t.Errorf("docs/dev/protocol.md does not have %q, a value of %s of %s", word, f.name, o.name)
				}
			}
		}
	}
}
