package main

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonVersion is the shape of what --json writes: one object with this as its member "v". Members may come without a new one.
const jsonVersion = 1

// printDocument writes what a command has found as JSON: an object with the version and one more member.
func printDocument(w io.Writer, name string, v any) error {
	return printJSON(w, map[string]any{"v": jsonVersion, name: v})
}

// printJSON writes a value so that people can read it too.
func printJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v, jsontext.WithIndent("  "), json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return err
}
