package conversation

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// What is in the store is what is in memory, runs and numbers and all.
func TestWhatIsReadBackIsWhatWasSaid(t *testing.T) {
	st := store.Open(store.Config{Dir: t.TempDir()})
	c := New(Config{ID: "s", Store: st})
	if err := c.Create(store.Meta{Cwd: "/w", Turns: 1}); err != nil {
		t.Fatal(err)
	}
	done := acp.ToolCallStatusCompleted
	text := func(s string) acp.SessionUpdate {
		return &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(s)}}
	}
	c.put(item{turn: "t1", prompt: []acp.ContentBlock{acp.Text("hello")}})
	for i := range 40 {
		c.Add(&Message{Turn: "t1", Message: acp.NewUpdate("", text(strings.Repeat("é", i%3)))})
		switch i {
		case 7, 20:
			c.Sync() // a run is saved in pieces
		case 15:
			c.put(item{note: &Happening{Type: "truncation", Message: "m", Data: map[string]any{"n": 1.0}}})
		case 25:
			c.Add(&Message{Turn: "t1", Message: acp.NewUpdate("", &acp.ToolCall{ToolCallID: "c", Title: "T", Status: &done}), Paths: []string{"/w/a"}})
		}
	}
	c.put(item{turn: "t1", end: &End{StopReason: acp.StopReasonEndTurn}})
	c.Close()
	saved, err := st.Load("s")
	if err != nil {
		t.Fatal(err)
	}
	got := New(Config{ID: "s", Store: st})
	lost, skipped, err := got.Restore(saved)
	if err != nil || skipped || len(lost) > 0 {
		t.Fatalf("lost %v, skipped %v: %v", lost, skipped, err)
	}
	defer got.Close()
	for seq := range c.next {
		a, na := c.Since(seq)
		b, nb := got.Since(seq)
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if na != nb || string(x) != string(y) {
			t.Fatalf("since %d:\n%s\nwant\n%s", seq, y, x)
		}
	}
	x, _ := c.Markdown()
	if y, _ := got.Markdown(); x != y {
		t.Fatalf("the transcript is\n%s\nwant\n%s", y, x)
	}
}

// TestASessionOnDiskOnlyIsTakenUpAgain: whatever was open in it, and also if nothing was said.
func TestASessionOnDiskOnlyIsTakenUpAgain(t *testing.T) {
	for name, said := range map[string][]acp.SessionUpdate{
		"nothing":   nil,
		"a call":    {&acp.ToolCall{ToolCallID: "c", Title: "T"}},
		"two calls": {&acp.ToolCall{ToolCallID: "c", Title: "T"}, &acp.ToolCall{ToolCallID: "d", Title: "U"}},
		"text":      {&acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text("hi")}}},
	} {
		t.Run(name, func(t *testing.T) {
			st := store.Open(store.Config{Dir: t.TempDir()})
			c := New(Config{ID: "s", Store: st, DiskOnly: true})
			if err := c.Create(store.Meta{Cwd: "/w", Turns: 1}); err != nil {
				t.Fatal(err)
			}
			for _, u := range said {
				c.Add(&Message{Message: acp.NewUpdate("", u)})
			}
			c.Close()
			saved, err := st.Load("s")
			if err != nil {
				t.Fatal(err)
			}
			again := New(Config{ID: "s", Store: st, DiskOnly: true})
			if _, _, err := again.Restore(saved); err != nil {
				t.Fatal(err)
			}
			again.Close()
			whole, err := (&Archive{Store: st}).Open("s")
			if err != nil {
				t.Fatal(err)
			}
			if text, _ := whole.Markdown(); strings.Count(text, "failed") != strings.Count(name, "call")*len(said) {
				t.Errorf("the transcript is %q", text)
			}
		})
	}
}
