package acp

import (
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// FuzzConn sends anything at all and then a request, which must be answered; and
// every line in between must be an answer that any JSON-RPC program can read.
func FuzzConn(f *testing.F) {
	for _, seed := range []string{
		"noise\n\n\r\n\x00\n", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}`, `{"jsonrpc":"2.0","id":"\u0061","method":"x"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":1,"error":{"code":1e3,"message":1}}`, `[]`, "{\"jsonrpc\":\"\xff",
		`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`, `{"jsonrpc":"2.0","id":-0,"method":"m"}` + "\n" + `{"jsonrpc":"2.0","id":0,"method":"m"}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"m"}`, `{"jsonrpc":"2.0","id":"acp id 1","method":"panic"}`, strings.Repeat("x", 300) + "\n{}",
	} {
		f.Add([]byte(seed))
	}
	h := recorder{
		notify: func(method string, _ jsontext.Value) { panic(method) },
		request: func(r *Request) {
			if len(r.Params()) == 0 {
				panic("no params")
			}
			r.Reply(r.Params(), nil)
		},
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		p := connect(t, h, Options{MaxLine: 200})
		calls := make(chan error, 1)
		go func() { calls <- callInto(t.Context(), p.conn, "open", nil, nil) }()
		p.next()
		if _, err := io.WriteString(p.w, string(input)+"\n"); err != nil {
			t.Fatal(err)
		}
		p.send(`{"jsonrpc":"2.0","id":"alive?","method":"echo","params":["yes"]}`)
		for {
			line := p.next()
			var answer struct {
				Version string         `json:"jsonrpc"`
				ID      jsontext.Value `json:"id"`
				Result  jsontext.Value `json:"result"`
				Error   *Error         `json:"error"`
			}
			if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.Version != "2.0" || len(answer.ID) == 0 || (answer.Result == nil) == (answer.Error == nil) {
				t.Fatalf("after %q: sent %s (%v)", input, line, err)
			}
			if string(answer.ID) == `"alive?"` && string(answer.Result) == `["yes"]` {
				break
			}
		}
		p.conn.Close()
		must(t, calls)
		if err := p.conn.Err(); err != nil {
			t.Errorf("after %q: %v", input, err)
		}
	})
}
