package conversation

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// passed is a chunk of text of the agent's, as it is on the wire.
func passed(t *testing.T, text string) *Message {
	t.Helper()
	params, err := acp.Marshal(&acp.SessionNotification{SessionID: "a", Update: &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(text)}}})
	if err != nil {
		t.Fatal(err)
	}
	m := acp.NewMessage(acp.MethodSessionUpdate, params)
	if _, ok := m.Chunk(); !ok {
		t.Fatalf("%s is no plain chunk", params)
	}
	return &Message{Turn: "t", Message: m}
}

// A conversation that is on disk only holds a run of text in memory, whatever is said in it, and all of it is read from
// disk: for a summary, and when the session is listed.
func TestWhatIsOnDiskOnlyIsNotInMemory(t *testing.T) {
	st := store.Open(store.Config{Dir: t.TempDir()})
	c := New(Config{ID: "s", Store: st, DiskOnly: true})
	if err := c.Create(store.Meta{Cwd: "/w", Turns: 1}); err != nil {
		t.Fatal(err)
	}
	c.AddPrompt("t", []acp.ContentBlock{acp.Text("remember RED")}, nil)
	long := strings.Repeat("x", 1000)
	for range 3 * maxRunOnDisk / len(long) {
		c.Add(passed(t, long))
		if held := c.held(); held > 2*maxRunOnDisk {
			t.Fatalf("%d bytes are in memory", held)
		}
	}
	c.Add(&Message{Turn: "t", Message: acp.NewUpdate("a", &acp.ToolCall{ToolCallID: "c", Title: "T"})})
	if held := c.held(); held != 0 {
		t.Errorf("%d bytes are in memory behind an update", held)
	}
	c.Add(passed(t, "the END"))
	c.AddEnd("t", End{StopReason: acp.StopReasonEndTurn})
	c.CarryOver()
	for range 2 {
		text, err := c.Carried()
		if err != nil || !strings.Contains(text, "RED") || !strings.Contains(text, "the END") || len(text) > MaxSummary+1024 {
			t.Fatalf("the summary has %d bytes, %v: %.200q", len(text), err, text)
		}
	}
	c.Arrived()
	if text, err := c.Carried(); text != "" || err != nil {
		t.Fatalf("it is carried once more: %q, %v", text, err)
	}
	c.Close()
	whole, err := (&Archive{Store: st}).Open("s")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := whole.Markdown()
	if n := strings.Count(text, "x"); n < 3*maxRunOnDisk/len(long)*len(long) || !strings.Contains(text, "RED") || !strings.Contains(text, "the END") {
		t.Errorf("%d bytes of text are on disk", n)
	}
}

// held is how much text is in memory.
func (c *Conversation) held() (n int) {
	c.each(func(e *item) { n += len(e.text) })
	return n
}

// Numbers have no gap and nothing is lost while others read, sync and close.
func TestReadersDoNotDisturbWhoAdds(t *testing.T) {
	st := store.Open(store.Config{Dir: t.TempDir()})
	c := New(Config{ID: "s", Store: st})
	if err := c.Create(store.Meta{Cwd: "/w", Turns: 1}); err != nil {
		t.Fatal(err)
	}
	const n = 2000
	var all sync.WaitGroup
	over := make(chan struct{})
	for _, reads := range []func(){
		func() { c.Since(n / 2) },
		func() { c.Preview() },
		func() { c.Markdown() },
		c.Sync,
		func() { c.SetMeta(func(m *store.Meta) { m.Turns++ }) },
	} {
		all.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					reads()
				}
			}
		})
	}
	var want strings.Builder
	for i := range n {
		u := chunk(fmt.Sprintf("<%d>", i))
		if c.Add(u); u.Seq != uint64(i+1) {
			t.Fatalf("number %d for update %d", u.Seq, i+1)
		}
		want.WriteString(flat(u))
	}
	c.Close()
	close(over)
	all.Wait()
	back, err := Read(st, "s")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, u := range back.Updates() {
		got.WriteString(flat(u))
	}
	if got.String() != want.String() {
		t.Errorf("%d bytes are on disk, %d were said", got.Len(), want.Len())
	}
}
