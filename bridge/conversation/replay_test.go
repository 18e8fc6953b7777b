package conversation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

func chunk(text string) *Message {
	return &Message{Turn: "t", Message: acp.NewUpdate("", &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(text)}})}
}

func thought(text string) *Message {
	return &Message{Turn: "t", Message: acp.NewUpdate("", &acp.AgentThoughtChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(text)}})}
}

// TestAnyGapCanBeRepaired adds random updates and asks for what came after every number.
func TestAnyGapCanBeRepaired(t *testing.T) {
	for seed := range uint64(50) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		c := New(Config{ID: "s"})
		var all []string // the text of each update, by number
		for i := range 200 {
			var u *Message
			switch rnd.IntN(6) {
			case 0:
				u = &Message{Session: "s", Turn: "t", Message: acp.NewUpdate("", &acp.ToolCall{ToolCallID: acp.ToolCallID(fmt.Sprint(i)), Title: "x"})}
			case 1:
				u = thought(strings.Repeat("é", rnd.IntN(3)))
			default:
				u = chunk(fmt.Sprintf("<%d>", i))
			}
			if rnd.IntN(30) == 0 {
				u.Turn = fmt.Sprint("t", i)
			}
			c.Add(u)
			if u.Seq != uint64(i+1) {
				t.Fatalf("seed %d: number %d for update %d", seed, u.Seq, i+1)
			}
			all = append(all, flat(u))
		}
		for seq := range uint64(201) {
			got, last := c.Since(seq)
			if last != 200 {
				t.Fatalf("seed %d: the newest is %d", seed, last)
			}
			var text strings.Builder
			at := seq
			for _, ev := range got {
				u := ev.(*Message)
				if u.Seq <= at {
					t.Fatalf("seed %d, since %d: number %d after %d", seed, seq, u.Seq, at)
				}
				at = u.Seq
				text.WriteString(flat(u))
			}
			if want := strings.Join(all[seq:], ""); text.String() != want {
				t.Fatalf("seed %d, since %d: %q, want %q", seed, seq, text.String(), want)
			}
		}
	}
}

func flat(u *Message) string {
	switch v := u.Update().(type) {
	case *acp.ToolCall:
		return "[" + string(v.ToolCallID) + "]"
	case *acp.AgentThoughtChunk:
		return PlainText(v).Text
	}
	return PlainText(u.Update()).Text
}
