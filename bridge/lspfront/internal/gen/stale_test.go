package main

import (
	"os"
	"path/filepath"
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
