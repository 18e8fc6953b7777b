package acp

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// chunkParams are the parameters of the message that a streamed answer is made of, about 326 bytes on the wire.
var chunkParams = []byte(`{"sessionId":"24198fa1-4d4c-4c1d-a113-5f23e723afce","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` +
	strings.Repeat("The quick brown fox jumps\\nover ", 5)[:150] + `"}}}`)

// The budget is 2 µs: a reader of lines that decodes into a plain struct needs about that for the whole message.
func BenchmarkDecodeChunk(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(chunkParams)))
	for b.Loop() {
		var n SessionNotification
		if err := Unmarshal(chunkParams, &n); err != nil {
			b.Fatal(err)
		}
	}
}

// A message that no shortcut takes: the codec itself.
func BenchmarkDecodeToolCall(b *testing.B) {
	params := []byte(`{"sessionId":"24198fa1-4d4c-4c1d-a113-5f23e723afce","update":{"sessionUpdate":"tool_call","toolCallId":"call_1","title":"Edit main.go",` +
		`"kind":"edit","status":"in_progress","locations":[{"path":"/w/main.go","line":7}],"rawInput":{"path":"/w/main.go"},` +
		`"content":[{"type":"diff","path":"/w/main.go","oldText":"a\nb\n","newText":"a\nc\n"},{"type":"content","content":{"type":"text","text":"done"}}]}}`)
	b.ReportAllocs()
	b.SetBytes(int64(len(params)))
	for b.Loop() {
		var n SessionNotification
		if err := Unmarshal(params, &n); err != nil {
			b.Fatal(err)
		}
	}
}

// What the general decoder needs for the same, without unions, unknown members and leniency.
func BenchmarkDecodeChunkPlain(b *testing.B) {
	type plain struct {
		SessionID string `json:"sessionId"`
		Update    struct {
			Kind    string `json:"sessionUpdate"`
			Content struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"content"`
		} `json:"update"`
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(chunkParams)))
	for b.Loop() {
		var n plain
		if err := json.Unmarshal(chunkParams, &n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeChunk(b *testing.B) {
	n := &SessionNotification{SessionID: "24198fa1-4d4c-4c1d-a113-5f23e723afce", Update: &AgentMessageChunk{ContentChunk{Content: Text(strings.Repeat("The quick brown fox jumps over ", 5))}}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Marshal(n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeFile(b *testing.B) {
	for _, size := range []int{10 << 10, 1 << 20} {
		v := &ReadTextFileResponse{Content: strings.Repeat("\tfmt.Println(\"hello, world\")\n", size/30)}
		b.Run(map[int]string{10 << 10: "10KB", 1 << 20: "1MB"}[size], func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(v.Content)))
			for b.Loop() {
				if _, err := Marshal(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
