// Command gen writes the Go types of the Agent Client Protocol, version 1, from the schema in the npm package
// @agentclientprotocol/sdk. Package acp reads and writes them by their tags.
//
// The schema is not part of this repository. Without -schema it is taken from a folder in the user's cache, into which npm
// installs the pinned package when it is not there yet. What the schema cannot say is in rules.go (names, definitions that
// are written by hand, leniency beyond the marks) and docs.txt (what each type is, in our words); a definition that is
// in neither makes the generation fail, so that an upgrade of the package is looked at and not merely run.
//
//	go run ./internal/gen [-schema schema.json] [-out .]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("gen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	path := flags.String("schema", "", "schema.json of protocol version 1 (default: installed by npm into the user's cache)")
	out := flags.String("out", ".", "folder of package acp")
	where := flags.Bool("fetch", false, "only install the schema and print where it is")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *path == "" {
		fetched, err := fetch(stderr)
		if err != nil {
			return err
		}
		*path = fetched
	}
	if *where {
		fmt.Println(*path)
		return nil
	}
	schema, err := os.ReadFile(*path)
	if err != nil {
		return fmt.Errorf("read the schema: %w", err)
	}
	files, err := Generate(schema)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(*out, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
