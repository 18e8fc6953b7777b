package wire

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

func chunk(session, text string) *Message {
	return &Message{Session: session, Turn: "t", Message: acp.NewUpdate("", &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(text)}})}
}

func thought(session, text string) *Message {
	return &Message{Session: session, Turn: "t", Message: acp.NewUpdate("", &acp.AgentThoughtChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(text)}})}
}

// testOutbox is an outbox in front of a conversation.
func testOutbox(c *conversation.Conversation) *Outbox {
	return New(true, func(ev Event, show func(Event)) {
		if u, ok := ev.(*Message); ok {
			c.Add(u)
		}
		show(ev)
	})
}

// TestASlowEditorGetsEverythingInOrderInFewPieces pushes random events while the editor takes them at random times, and
// compares what it was shown with what was pushed.
func TestASlowEditorGetsEverythingInOrderInFewPieces(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		c := conversation.New(conversation.Config{})
		o := testOutbox(c)
		step := make(chan struct{})
		s := newScreen()
		s.show = func(context.Context, Event) { <-step }
		ctx, cancel := context.WithCancel(context.Background())
		over := make(chan struct{})
		go func() { defer close(over); o.Run(ctx, s.Show) }()
		var want []string
		add := func(kind, text string) {
			if n := len(want); n > 0 && text != "" && strings.HasPrefix(want[n-1], kind+" ") {
				want[n-1] += text
				return
			}
			want = append(want, kind+" "+text)
		}
		for i := range 300 {
			switch rnd.IntN(12) {
			case 0:
				o.Push(&Message{Session: "s", Turn: "t", Message: acp.NewUpdate("", &acp.ToolCall{ToolCallID: acp.ToolCallID(fmt.Sprint(i)), Title: "x"})})
				want = append(want, fmt.Sprintf("call %d", i))
			case 1:
				o.Push(thought("s", fmt.Sprintf("<%d>", i)))
				add("thought", fmt.Sprintf("<%d>", i))
			case 2:
				o.Push(&StatusChanged{Message: fmt.Sprint(i)})
				want = append(want, fmt.Sprintf("status %d", i))
			case 3:
				o.Push(chunk("other", fmt.Sprintf("<%d>", i)))
				add("other", fmt.Sprintf("<%d>", i))
			default:
				o.Push(chunk("s", fmt.Sprintf("<%d>", i)))
				add("text", fmt.Sprintf("<%d>", i))
			}
			if rnd.IntN(20) == 0 {
				select {
				case step <- struct{}{}:
				default:
				}
			}
		}
		close(step)
		o.Flush(context.Background())
		cancel()
		<-over
		events := s.seen()
		var got []string
		var seq uint64
		for _, ev := range events {
			switch e := ev.(type) {
			case *StatusChanged:
				got = append(got, "status "+e.Message)
			case *Message:
				if e.Seq != seq+1 {
					t.Fatalf("seed %d: number %d after %d", seed, e.Seq, seq)
				}
				seq = e.Seq
				text, kind := "", "call "
				switch u := e.Update().(type) {
				case *acp.ToolCall:
					text = string(u.ToolCallID)
				case *acp.AgentThoughtChunk:
					kind, text = "thought ", conversation.PlainText(u).Text
				default:
					kind, text = "text ", conversation.PlainText(u).Text
					if e.Session == "other" {
						kind = "other "
					}
				}
				if n := len(got); n > 0 && kind != "call " && strings.HasPrefix(got[n-1], kind) {
					got[n-1] += text
					continue
				}
				got = append(got, kind+text)
			}
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
			t.Fatalf("seed %d:\n%s\nwant\n%s", seed, g, w)
		}
		if pieces := len(events); pieces >= 300 {
			t.Errorf("seed %d: nothing was merged: %d events", seed, pieces)
		}
	}
}

func TestTextOfDifferentMessagesIsNotMerged(t *testing.T) {
	id := func(s string) *acp.MessageID { m := acp.MessageID(s); return &m }
	with := func(m *acp.MessageID, meta string) *Message {
		u := chunk("s", "x")
		c := u.Update().(*acp.AgentMessageChunk)
		c.MessageID, c.Meta = m, []byte(meta)
		if meta == "" {
			c.Meta = nil
		}
		return u
	}
	replay := chunk("s", "x")
	replay.Replay = true
	next := chunk("s", "x")
	next.Turn = "u"
	cases := map[string]struct {
		a, b  *Message
		items int
	}{
		"same":             {chunk("s", "x"), chunk("s", "x"), 1},
		"same id":          {with(id("1"), ""), with(id("1"), ""), 1},
		"another id":       {with(id("1"), ""), with(id("2"), ""), 2},
		"an id and none":   {with(id("1"), ""), with(nil, ""), 2},
		"meta":             {with(nil, ""), with(nil, `{"x":1}`), 2},
		"another speaker":  {chunk("s", "x"), thought("s", "x"), 2},
		"another session":  {chunk("s", "x"), chunk("r", "x"), 2},
		"another turn":     {chunk("s", "x"), next, 2},
		"history and news": {replay, chunk("s", "x"), 2},
	}
	for name, c := range cases {
		o := testOutbox(conversation.New(conversation.Config{}))
		o.Push(c.a)
		o.Push(c.b)
		if o.waiting != c.items {
			t.Errorf("%s: %d items, want %d", name, o.waiting, c.items)
		}
	}
}

func TestAFlushIsNotHeldUpByTheEnd(t *testing.T) {
	o := testOutbox(conversation.New(conversation.Config{}))
	o.Push(chunk("s", "x"))
	ctx, cancel := context.WithCancel(context.Background())
	s := newScreen()
	blocked := make(chan struct{}, 2)
	s.show = func(ctx context.Context, _ Event) { blocked <- struct{}{}; <-ctx.Done() }
	over := make(chan struct{})
	go func() { defer close(over); o.Run(ctx, s.Show) }()
	<-blocked
	o.Push(&StatusChanged{})
	flushed := make(chan struct{})
	go func() { defer close(flushed); o.Flush(context.Background()) }()
	cancel()
	<-over
	<-flushed
	o.Push(&StatusChanged{})
	o.Flush(context.Background()) // comes too late, and must not wait either
}
