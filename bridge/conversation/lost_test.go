package conversation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// A lost prompt can be taken once, by its turn or as the newest, and given back; the oldest make room for new ones.
func TestALostPromptIsTakenOnce(t *testing.T) {
	c := New(Config{ID: "s"})
	for i := range maxLost + 2 {
		c.Lose(LostPrompt{Turn: fmt.Sprint("t", i)})
	}
	newest := fmt.Sprint("t", maxLost+1)
	for _, step := range []struct {
		turn, want string
	}{{"t0", ""}, {"t1", ""}, {"t2", "t2"}, {"t2", ""}, {"", newest}, {newest, ""}, {"", fmt.Sprint("t", maxLost)}} {
		l, ok := c.TakeLost(step.turn)
		if ok != (step.want != "") || l.Turn != step.want {
			t.Fatalf("taken for %q: %q, %v, want %q", step.turn, l.Turn, ok, step.want)
		}
	}
	c.Lose(LostPrompt{Turn: newest})
	if l, ok := c.TakeLost(""); !ok || l.Turn != newest {
		t.Fatalf("what was given back is not there: %q, %v", l.Turn, ok)
	}
}

// What was under way, and what waited, when a process was killed comes back as lost, once: the next restart finds both
// ended, and offers again only what the agent may have begun.
func TestWhatWasCutOffComesBackAsLost(t *testing.T) {
	st := store.Open(store.Config{Dir: t.TempDir()})
	c := New(Config{ID: "s", Store: st})
	if err := c.Create(store.Meta{Cwd: "/w", Turns: 1}); err != nil {
		t.Fatal(err)
	}
	words := func(s string) []acp.ContentBlock { return []acp.ContentBlock{acp.Text(s)} }
	c.AddPrompt("t1", words("done"), nil)
	c.AddEnd("t1", End{StopReason: acp.StopReasonEndTurn})
	c.AddQueued("t3", words("first words"), nil)
	c.AddQueued("t4", words("taken out"), nil)
	c.AddPrompt("t2", words("cut off"), []ContextRef{{Path: "/w/a", StartLine: 1, EndLine: 2}})
	c.Add(&Message{Turn: "t2", Message: acp.NewUpdate("", &acp.ToolCall{ToolCallID: "c", Title: "T"})})
	c.AddPrompt("t2", words("and this"), nil)
	c.AddQueued("t3", words("waits"), nil)
	c.AddEnd("t4", End{StopReason: acp.StopReasonCancelled})
	c.Close()
	for run, want := range []string{"t2:cut off\nand this sent=true over=false refs=1; t3:waits sent=false over=false refs=0", "t2:cut off\nand this sent=true over=true refs=1"} {
		saved, err := st.Load("s")
		if err != nil {
			t.Fatal(err)
		}
		c := New(Config{ID: "s", Store: st})
		lost, _, err := c.Restore(saved)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range lost {
			got = append(got, fmt.Sprintf("%s:%s sent=%v over=%v refs=%d", l.Turn, PromptText(l.Prompt), l.Sent, l.Over, len(l.Refs)))
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("run %d: lost %q, want %q", run+1, text, want)
		}
		closed := 0
		for _, u := range c.Updates() {
			if u, ok := u.Update().(*acp.ToolCallUpdate); ok && u.ToolCallID == "c" && *u.Status == acp.ToolCallStatusFailed {
				closed++
			}
		}
		if closed != 1 {
			t.Errorf("run %d: the open call is closed %d times", run+1, closed)
		}
		c.Close()
	}
}
