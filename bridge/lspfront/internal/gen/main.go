// Command gen writes the types of the rich tier (docs/dev/protocol.md) for the clients, from the Go types of package lspfront:
// TypeScript for VS Code, LuaCATS annotations for Neovim. It reads the source and not the compiled types, because the
// comments go along.
//
// The verbs are found in the table of verbs, other messages by a directive above the type of their params:
//
//	//wire:tell METHOD           a notification to the editor
//	//wire:ask METHOD RESULT     a request to the editor; a ? before the result says that it may be null
//	//wire:hear METHOD           a notification of the editor's
//	//wire:as NAME               no message of its own: what members tagged as:"NAME" are
//
// Of the tags of a member, enum:"a,b" lists the values of a string (* for others that may come), as:"NAME" names the type of
// a value that is encoded before, and only:"command" leaves a member out. NAME is that of a //wire:as directive or of a type of
// package acp; VS Code gets those of package acp too, with all that they lead to.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// The clients' files, from the folder of package lspfront.
const (
	typeScriptFile = "../../editors/vscode/src/protocol/wire.ts"
	acpFile        = "../../editors/vscode/src/protocol/acp.ts"
	luaFile        = "../../editors/neovim/lua/copilot-bridge/wire.lua"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run writes the clients' files; dir is that of package lspfront.
func run(dir string) error {
	files, err := generate(dir)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate is what belongs into the clients' files.
func generate(dir string) (map[string]string, error) {
	m, err := read(dir)
	if err != nil {
		return nil, err
	}
	return map[string]string{typeScriptFile: m.typeScript(), acpFile: m.acpTypes(), luaFile: m.lua()}, nil
}
