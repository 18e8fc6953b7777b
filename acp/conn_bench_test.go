package acp

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// BenchmarkUpdates is what one update costs from the bytes to the Handler,
// without and with decoding.
func BenchmarkUpdates(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"24198fa1-4d4c-4c1d-a113-5f23e723afce","update":` +
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + strings.Repeat("x", 150) + `"}}}}` + "\n")
	handlers := map[string]func(params jsontext.Value){
		"raw": func(jsontext.Value) {},
		"typed": func(params jsontext.Value) {
			var n SessionNotification
			if err := Unmarshal(params, &n); err != nil {
				b.Error(err)
			}
		},
	}
	for name, handle := range handlers {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(line)))
			n := 0
			h := recorder{notify: func(_ string, params jsontext.Value) { n++; handle(params) }}
			c := NewConn(&source{text: bytes.Repeat(line, 1000), left: b.N * len(line)}, h, Options{})
			<-c.Done()
			if n != b.N {
				b.Errorf("%d of %d updates", n, b.N)
			}
		})
	}
}

// source is a peer that repeats its text and is never written to.
type source struct {
	text      []byte
	pos, left int
}

func (s *source) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.left)], s.text[s.pos:])
	s.pos, s.left = (s.pos+n)%len(s.text), s.left-n
	return n, nil
}

func (s *source) Write(p []byte) (int, error) { return len(p), nil }
func (s *source) Close() error                { return nil }
