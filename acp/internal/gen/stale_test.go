package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var headerLines = regexp.MustCompile(`(?m)^//\t(schema|generator|body) +([0-9a-f]{64})$`)

// generated reads the generated files: their headers and their bodies.
func generated(t *testing.T) (files map[string][]byte, headers map[string]map[string]string, bodies map[string][]byte) {
	t.Helper()
	paths, err := filepath.Glob("../../*.gen.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no generated files: %v", err)
	}
	files, headers, bodies = map[string][]byte{}, map[string]map[string]string{}, map[string][]byte{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		head, body, ok := bytes.Cut(text, []byte("\n\npackage"))
		if !ok {
			t.Fatalf("%s has no header", name)
		}
		files[name], bodies[name], headers[name] = text, append([]byte("package"), body...), map[string]string{}
		for _, m := range headerLines.FindAllSubmatch(head, -1) {
			headers[name][string(m[1])] = string(m[2])
		}
	}
	return files, headers, bodies
}

// Without the schema: each file is what this generator wrote, and nobody touched it since.
func TestGeneratedFilesAreOfThisGeneratorAndUntouched(t *testing.T) {
	self, err := SourceHash()
	if err != nil {
		t.Fatal(err)
	}
	_, headers, bodies := generated(t)
	schema := ""
	for name, header := range headers {
		if header["generator"] != self {
			t.Errorf("acp/%s is from another state of the generator: run make generate", name)
		}
		if header["body"] != hash(bodies[name]) {
			t.Errorf("acp/%s was edited by hand: change the generator and run make generate", name)
		}
		if schema != "" && header["schema"] != schema {
			t.Errorf("acp/%s is from another schema than its neighbours: run make generate", name)
		}
		schema = header["schema"]
	}
	if want := map[string]bool{"types.gen.go": true, "enums.gen.go": true, "unions.gen.go": true, "methods.gen.go": true}; len(headers) != len(want) {
		t.Errorf("have %d generated files, want %d", len(headers), len(want))
	}
}

// With the schema, which is on the machine after make generate or named by ACP_SCHEMA: the files are generated anew.
func TestGeneratedFilesAreWhatTheSchemaGives(t *testing.T) {
	path := os.Getenv("ACP_SCHEMA")
	if path == "" {
		cached, err := Cached()
		if err != nil {
			t.Logf("no cache folder, so the headers have to do: %v", err)
			return
		}
		path = cached
	}
	schema, err := os.ReadFile(path)
	if os.IsNotExist(err) && os.Getenv("ACP_SCHEMA") == "" {
		t.Log("no schema on this machine, so the headers have to do; make generate installs it")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	want, err := Generate(schema)
	if err != nil {
		t.Fatal(err)
	}
	have, _, _ := generated(t)
	for name, text := range want {
		if !bytes.Equal(have[name], text) {
			t.Errorf("acp/%s is stale: run make generate", name)
		}
	}
}

func TestGoNames(t *testing.T) {
	for name, want := range map[string]string{
		"sessionId": "SessionID", "mcpServers": "MCPServers", "McpServerHttp": "MCPServerHTTP", "uri": "URI", "mimeType": "MIMEType",
		"fs/read_text_file": "FSReadTextFile", "$/cancel_request": "CancelRequest", "date-time": "DateTime", "sse": "SSE", "_meta": "Meta",
		"ElicitationUrlMode": "ElicitationURLMode", "session_info_update": "SessionInfoUpdate", "optionId": "OptionID",
	} {
		if got := goName(name); got != want {
			t.Errorf("goName(%q) = %q, want %q", name, got, want)
		}
	}
}

// A change of the schema that the tables do not know is an error that says what to do, not code that guesses.
func TestUnknownDefinitionsStopTheGeneration(t *testing.T) {
	for schema, want := range map[string]string{
		`{"$defs":{}}`: "written by hand but no longer in the schema",
		`{}`:           "no $defs",
		`[`:            "parse the schema",
	} {
		if _, err := Generate([]byte(schema)); err == nil || !regexp.MustCompile(regexp.QuoteMeta(want)).MatchString(err.Error()) {
			t.Errorf("%s: have %v, want %s", schema, err, want)
		}
	}
}
