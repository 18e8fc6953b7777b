package conversation

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// FuzzRestore guards that whatever the entries of a log say, a session comes out of them that can be shown, read and
// gone on with, with numbers that only grow and without gaps.
func FuzzRestore(f *testing.F) {
	f.Add([]byte(`{"k":"prompt","turn":"t1","v":[{"type":"text","text":"hello"}]}
{"k":"update","turn":"t1","n":1,"ends":[2,4],"v":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"abcd"}}}
{"k":"update","turn":"t1","n":3,"v":{"sessionUpdate":"tool_call","toolCallId":"c","title":"x","status":"pending"}}
{"k":"gap"}
{"k":"note","v":{"type":"error","message":"m"}}
{"k":"end","turn":"t1","v":{"stopReason":"end_turn"}}`))
	f.Add([]byte(`{"k":"update","n":18446744073709551615,"ends":[4],"v":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"abcd"}}}
{"k":"update","n":5,"ends":[4,2],"v":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"ab"}}}
{"k":"end","v":null}
{"k":"prompt","v":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := New(Config{ID: "s"})
		for line := range bytes.Lines(data) {
			var e store.Entry
			if json.Unmarshal(line, &e, jsontext.AllowInvalidUTF8(true)) == nil {
				c.restore(e)
			}
		}
		c.closeOpen()
		next := c.next
		for _, since := range []uint64{0, 1, next / 2} {
			last := since
			got, _ := c.Since(since)
			for _, ev := range got {
				if n := numberOf(ev); n <= last {
					t.Fatalf("number %d after %d", n, last)
				} else {
					last = n
				}
			}
		}
		for i, ev := range c.Replay() {
			if n := numberOf(ev); n != uint64(i+1) {
				t.Fatalf("event %d of the replay has number %d", i+1, n)
			}
		}
		c.Markdown()
		c.summary()
	})
}
