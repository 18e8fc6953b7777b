package clifront

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// TestEveryLineOfJSONIsAsDocumented: each type of event once, with all that it can have, and no other members.
func TestEveryLineOfJSONIsAsDocumented(t *testing.T) {
	raw, err := os.ReadFile("../../docs/cli-events.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	f := New(Options{Stdout: &out, Stderr: &out, Policy: Yes, JSON: true})
	title, code := "t", uint32(1)
	for _, ev := range []bridge.Event{
		chunk("hello"), &bridge.TurnStarted{Session: "s", Turn: "t"},
		&bridge.TurnEnded{Session: "s", Turn: "t", StopReason: acp.StopReasonEndTurn, Files: []bridge.FileCount{{Path: "/w/a", Added: 1}}, Usage: []byte("{}"), Err: &bridge.Error{Message: "no"}},
		&bridge.ReviewChanged{Path: "/w/a", Hunks: []review.Hunk{{ID: "h"}}},
		&bridge.TerminalOutput{Session: "s", Data: "x", Exit: &terminalproxy.Exit{Code: &code}},
		&bridge.StatusChanged{Kind: bridge.StatusOK}, &bridge.SessionChanged{Session: "s", Title: &title, Context: &bridge.ContextUse{Used: 1, Size: 2}, Event: &bridge.Happening{Type: "notice"}},
	} {
		f.Show(t.Context(), ev)
	}
	q := question("Run it")
	q.Argv, q.Notes, q.Diffs = []string{"ls"}, []string{"n"}, []bridge.FileDiff{{Path: "/w/a"}}
	if _, err := f.Ask(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		seen[v["type"].(string)] = true
		if err := resolved.Validate(v); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for name := range schema.Defs {
		if !seen[name] {
			t.Errorf("the schema has %q, and nothing wrote one", name)
		}
	}
}

// TestNoLineOfJSONIsWrittenTwice: a status, or the hunks of a file, is written when it is another.
func TestNoLineOfJSONIsWrittenTwice(t *testing.T) {
	var out bytes.Buffer
	f := New(Options{Stdout: &out, Stderr: &out, JSON: true})
	for _, message := range []string{"busy", "busy", "ready", "busy"} {
		f.Show(t.Context(), &bridge.StatusChanged{Session: "s", Kind: bridge.StatusBusy, Message: message})
	}
	f.Show(t.Context(), &bridge.StatusChanged{Session: "other", Kind: bridge.StatusBusy, Message: "busy"})
	if got := strings.Count(out.String(), "\n"); got != 4 {
		t.Errorf("%d lines:\n%s", got, out.String())
	}
	for range 2 { // of a command each line counts
		f.Show(t.Context(), &bridge.TerminalOutput{Session: "s", Data: "x"})
	}
	if got := strings.Count(out.String(), "\n"); got != 6 {
		t.Errorf("%d lines:\n%s", got, out.String())
	}
}
