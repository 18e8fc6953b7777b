package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// TestAPathThatIsTooLongIsRefusedAtOnce: on every road by which an agent names a file. What has 200 KB kept a processor busy
// for longer than the turn.
func TestAPathThatIsTooLongIsRefusedAtOnce(t *testing.T) {
	for kind, path := range map[string]string{
		"folders": "/" + strings.Repeat("ab/", 70_000), "one name": "/" + strings.Repeat("x", 200_000), "up and down": "/" + strings.Repeat("x/../", 40_000) + "etc",
	} {
		t.Run(kind, func(t *testing.T) {
			location := `{"toolCallId":"c","title":"t","kind":"edit","locations":[{"path":"` + path + `"}]}`
			r := newRig(t, map[string]string{"a.txt": "one\n"}, hello+`
expect@p session/prompt
update tool_call `+location+`
request fs/read_text_file {"sessionId":"$session","path":"`+path+`"}
refused
request fs/write_text_file {"sessionId":"$session","path":"`+path+`","content":""}
refused
request terminal/create {"sessionId":"$session","command":"true","args":["x"],"cwd":"`+path+`"}
refused
request session/request_permission {"sessionId":"$session","toolCall":`+location+`,"options":[{"optionId":"y","name":"y","kind":"allow_once"},{"optionId":"n","name":"n","kind":"reject_once"}]}
answer {"outcome":{"outcome":"selected","optionId":"n"}}
mark running
wait done
reply@p {"stopReason":"end_turn"}`).open()
			began := time.Now()
			r.inTurn(func(l *link) {
				ctx, c := r.ctx, caller()
				for tool, call := range map[string]func() (string, error){
					"view":        func() (string, error) { return l.View(ctx, c, tools.ViewArgs{Path: path}) },
					"edit":        func() (string, error) { return l.Edit(ctx, c, tools.EditArgs{Path: path, Old: "a", New: "b"}) },
					"create":      func() (string, error) { return l.Create(ctx, c, tools.CreateArgs{Path: path}) },
					"diagnostics": func() (string, error) { return l.Diagnostics(ctx, c, tools.DiagnosticsArgs{Path: path}) },
					"grep":        func() (string, error) { return l.Grep(ctx, c, tools.GrepArgs{Pattern: "x", Paths: []string{path}}) },
					"a glob":      func() (string, error) { return l.Grep(ctx, c, tools.GrepArgs{Pattern: "x", Glob: path}) },
				} {
					if text, err := call(); err == nil || len(err.Error()) > 1000 {
						t.Errorf("%s: %.200s, %.200v", tool, text, err)
					}
				}
			})
			if n := len(r.screen.questions()); n != 0 {
				t.Errorf("asked %d times", n)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestTheFilesOfACallAreCounted: what one call names is bounded before any of it is looked at.
func TestTheFilesOfACallAreCounted(t *testing.T) {
	r := newRig(t, map[string]string{"a.txt": "x\n"}, toolTurn).open()
	s := r.theSession()
	call := &acp.ToolCallUpdate{ToolCallID: "c"}
	for i := range 200_000 {
		call.Locations = append(call.Locations, acp.ToolCallLocation{Path: r.path(fmt.Sprintf("f%d", i))})
	}
	began := time.Now()
	ask := func(call *acp.ToolCallUpdate) policy.Verdict {
		a := s.Gate().AgentQuestion(r.ctx, call, nil, nil, false)
		if len(a.Targets) > 0 && len(call.Locations) > 1 {
			t.Errorf("%d files were looked at", len(a.Targets))
		}
		return s.Gate().Decide(&a.Request).Verdict
	}
	if got := ask(call); got != policy.Deny {
		t.Errorf("200,000 locations: %s", got)
	}
	same := &acp.ToolCallUpdate{ToolCallID: "c"}
	for range 200_000 {
		same.Content = append(same.Content, &acp.Diff{Path: r.path("a.txt"), NewText: "y"})
	}
	if got := ask(same); got != policy.Deny {
		t.Errorf("200,000 changes of one file: %s", got)
	}
	paths := `["` + strings.Repeat(r.path("a.txt")+`","`, 3) + `x"]`
	if got := ask(&acp.ToolCallUpdate{ToolCallID: "c", RawInput: []byte(`{"paths":` + paths + `}`)}); got == policy.Deny {
		t.Error("a few are refused")
	}
	var many strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&many, `"f%d",`, i)
	}
	if got := ask(&acp.ToolCallUpdate{ToolCallID: "c", RawInput: []byte(`{"paths":[` + many.String() + `"x"]}`)}); got != policy.Deny {
		t.Errorf("5,000 in the input: %s", got)
	}
	r.inTurn(func(l *link) {
		if _, err := l.Grep(r.ctx, caller(), tools.GrepArgs{Pattern: "x", Paths: make([]string, 5_000)}); err == nil {
			t.Error("a search in 5,000 places")
		}
		if _, err := l.Grep(context.WithoutCancel(r.ctx), caller(), tools.GrepArgs{Pattern: "x", Glob: strings.Repeat("{a,b}", 40)}); err == nil {
			t.Error("a glob with 2^40 alternatives")
		}
	})
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("it took %v", took)
	}
}
