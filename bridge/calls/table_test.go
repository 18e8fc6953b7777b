package calls

import (
	"os"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) { os.Exit(await.Watch(m).Run()) }

// TestTheArgumentsOfACallAreFound: agents put them into rawInput in their own ways, and the call must be known for the one of
// our tool that it announces.
func TestTheArgumentsOfACallAreFound(t *testing.T) {
	const want = `{"path":"/a"}`
	for input, title := range map[string]string{
		`{"path":"/a"}`: "editor-view",
		`{"server":"editor","tool":"view","arguments":{"path":"/a"}}`:    "mcp.editor.view",
		`{ "arguments" : {"path":"/a"},"tool":"view","server":"editor"}`: "mcp.editor.view",
	} {
		table := New()
		use := &Use{tool: "view", input: canonical([]byte(want)), found: make(chan acp.ToolCallID, 1)}
		table.Add(use)
		if c := table.upsert("c", &title, nil, []byte(input)); c.Use != use {
			t.Errorf("%s is not known for a view", input)
		}
	}
	for _, input := range []string{`{"server":"editor","tool":"view"}`, `{"server":"editor","tool":"view","arguments":[]}`, `{"server":1,"tool":2,"arguments":{"path":"/a"},"x":1}`, `7`} {
		if string(argumentsOf([]byte(input))) != input {
			t.Errorf("%s has arguments inside", input)
		}
	}
}

// TestWhatTheAgentSaysDuringAQuestionIsHeard: each member that an editor would draw anew, and none that stays as it is.
func TestWhatTheAgentSaysDuringAQuestionIsHeard(t *testing.T) {
	title, other, edit, read := "T", "O", acp.ToolKindEdit, acp.ToolKindRead
	diff := []acp.ToolCallContent{&acp.Diff{Path: "/a", NewText: "x"}}
	place := []acp.ToolCallLocation{{Path: "/a"}}
	known := &acp.ToolCallUpdate{ToolCallID: "c", Title: &other, Kind: &edit, Content: diff}
	asked := &acp.ToolCallUpdate{ToolCallID: "c", Title: &title, RawInput: []byte(`{"a":1,"b":2}`), Locations: place}
	running := acp.ToolCallStatusInProgress
	for name, c := range map[string]struct {
		say    acp.ToolCallUpdate
		turned bool
	}{
		"all of it again":      {acp.ToolCallUpdate{ToolCallID: "c", Title: &title, Kind: &edit, Content: []acp.ToolCallContent{&acp.Diff{Path: "/a", NewText: "x"}}, RawInput: []byte(`{"b":2, "a":1}`), Locations: place}, false},
		"a status":             {acp.ToolCallUpdate{ToolCallID: "c", Status: &running}, false},
		"another call":         {acp.ToolCallUpdate{ToolCallID: "d", Title: &other}, false},
		"the title of before":  {acp.ToolCallUpdate{ToolCallID: "c", Title: &other}, true},
		"a kind":               {acp.ToolCallUpdate{ToolCallID: "c", Kind: &read}, true},
		"an input":             {acp.ToolCallUpdate{ToolCallID: "c", RawInput: []byte(`{"a":1}`)}, true},
		"a change":             {acp.ToolCallUpdate{ToolCallID: "c", Content: []acp.ToolCallContent{&acp.Diff{Path: "/a", NewText: "y"}}}, true},
		"no change any more":   {acp.ToolCallUpdate{ToolCallID: "c", Content: []acp.ToolCallContent{}}, true},
		"no place any more":    {acp.ToolCallUpdate{ToolCallID: "c", Locations: []acp.ToolCallLocation{}}, true},
		"an output":            {acp.ToolCallUpdate{ToolCallID: "c", RawOutput: []byte(`"done"`)}, true},
		"what cannot be read":  {acp.ToolCallUpdate{}, true},
		"after it is answered": {acp.ToolCallUpdate{ToolCallID: "c", Kind: &read}, false},
	} {
		table := New()
		w := NewWatch(known, asked)
		table.Watch(w)
		if name == "after it is answered" {
			table.Unwatch(w)
		}
		if name == "what cannot be read" {
			table.Unread()
		} else {
			table.Learn(&c.say, false)
		}
		if w.Changed != c.turned {
			t.Errorf("%s: %v", name, !c.turned)
		}
	}
}
