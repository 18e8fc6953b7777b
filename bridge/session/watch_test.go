package session

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission/meaning"
)

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
		st := &state{calls: newCallTable()}
		w := &watch{shown: onScreen(known, asked)}
		st.watches(w)
		if name == "after it is answered" {
			st.unwatch(w)
		}
		if name == "what cannot be read" {
			st.step(messageIn{msg: acp.NewMessage(acp.MethodSessionUpdate, jsontext.Value(`{"update":{"sessionUpdate":"tool_call","toolCallId":7}}`))})
		} else {
			st.step(messageIn{msg: acp.NewUpdate("s", &c.say)})
		}
		if w.changed != c.turned {
			t.Errorf("%s: %v", name, !c.turned)
		}
	}
}

// TestAnUpdateIsReadAsTheEditorReadsIt: a kind in escapes is the same kind.
func TestAnUpdateIsReadAsTheEditorReadsIt(t *testing.T) {
	for params, want := range map[string]struct{ teaches, readable bool }{
		`{"sessionId":"s","update":{"sessionUpdate":"tool\u005fcall_update","toolCallId":"c","title":"x"}}`:               {true, true},
		`{"update":{"sessionUpdate":"tool_call","toolCallId":7}}`:                                                         {true, false},
		`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"tool_call"}}}`: {false, true},
	} {
		m := acp.NewMessage(acp.MethodSessionUpdate, jsontext.Value(params))
		if got := teaches(m); got != want.teaches || (m.Update() != nil) != want.readable {
			t.Errorf("%s: teaches %v, read as %v", params, got, m.Update())
		}
	}
}

// TestTheFilesOfACallAreShownInPart: what one call names is bounded before it is passed on.
func TestTheFilesOfACallAreShownInPart(t *testing.T) {
	st := &state{known: known{Info: Info{ID: "s"}}, calls: newCallTable()}
	shown := 0
	for _, e := range st.step(messageIn{msg: acp.NewUpdate("s", &acp.ToolCall{ToolCallID: "c", Locations: make([]acp.ToolCallLocation, 5_000)})}) {
		if ev, ok := e.(emit); ok {
			u := ev.ev.(*Message)
			if shown++; len(u.Paths) > meaning.MaxFiles || len(u.Update().(*acp.ToolCall).Locations) > meaning.MaxFiles {
				t.Errorf("%d paths are shown", len(u.Paths))
			}
		}
	}
	if shown != 1 {
		t.Errorf("%d messages", shown)
	}
}
