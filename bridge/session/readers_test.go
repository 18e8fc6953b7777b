package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// What a call that was not done says to the user goes with its last update, beside the text that is for the model.
func TestWhyACallFailedIsSaidToTheUser(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer Answer
		old    string
		want   string
	}{
		"words":    {Answer{OptionID: optReject, Words: "use the helper"}, "two", "You declined this: use the helper"},
		"no words": {Answer{OptionID: optReject}, "two", "Rejected"},
		"closed":   {Answer{}, "two", "Rejected"},
		"no match": {Answer{OptionID: optOnce}, "nowhere", "The text to change is not in the file; it reads again"},
		"hidden":   {Answer{OptionID: optReject, Words: "a\u202eb\nc"}, "two", "You declined this: a<U+202E>b⏎c"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": "one\ntwo\n"}, hello+`
expect@p session/prompt
update tool_call {"toolCallId":"c1","title":"editor-edit","rawInput":{"path":"$cwd/a.txt","old_str":"`+c.old+`","new_str":"TWO"}}
mark began
wait go
update tool_call_update {"toolCallId":"c1","status":"failed","content":[{"type":"content","content":{"type":"text","text":"for the model"}}]}
reply@p {"stopReason":"end_turn"}`).open()
			r.screen.ask = func(context.Context, *Question) (Answer, error) { return c.answer, nil }
			turn := r.prompt("go")
			r.await("began")
			if _, err := r.edit(r.link(), "a.txt", c.old, "TWO"); err == nil {
				t.Error("it was done")
			}
			r.set("go")
			r.ended(turn)
			last := ""
			for _, e := range r.events() {
				if m, ok := e.(*Message); ok {
					if u, ok := m.Update().(*acp.ToolCallUpdate); ok && u.Status != nil {
						last = bridge.FailureReason("editor-edit", u)
						if !strings.Contains(u.LastText(), "for the model") {
							t.Errorf("its text is %q", u.LastText())
						}
					}
				}
			}
			if last != c.want {
				t.Errorf("the user reads %q", last)
			}
		})
	}
}

// A no to a tool of the agent's own is said so too; an editor tool of which the bridge knows nothing says nothing of the model's.
func TestWhyAToolOfTheAgentsWasNotDone(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+`
expect@p session/prompt
update tool_call {"toolCallId":"c1","title":"Deploy","kind":"other"}
request@q session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c1","title":"Deploy"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}
answer@q {"outcome":{"outcome":"selected","optionId":"n"}}
update tool_call_update {"toolCallId":"c1","status":"failed","rawOutput":{"message":"for the model"}}
update tool_call {"toolCallId":"c2","title":"editor-view","status":"failed","rawOutput":{"message":"for the model"}}
reply@p {"stopReason":"end_turn"}`).open()
	r.screen.ask = func(context.Context, *Question) (Answer, error) {
		return Answer{OptionID: optReject, Words: "not today"}, nil
	}
	r.run("go")
	said := map[acp.ToolCallID]string{}
	for _, e := range r.events() {
		if m, ok := e.(*Message); ok {
			if u := acp.CallOf(m.Update()); u != nil && u.Status != nil {
				title := map[acp.ToolCallID]string{"c1": "Deploy", "c2": "editor-view"}[u.ToolCallID]
				said[u.ToolCallID] = bridge.FailureReason(title, u)
			}
		}
	}
	if said["c1"] != "You declined this: not today" || said["c2"] != "" {
		t.Errorf("the user reads %q", said)
	}
}
