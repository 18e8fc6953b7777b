package acp

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestFaultyLines sends one line at a time and a good request behind it.
func TestFaultyLines(t *testing.T) {
	const nul = "\x00"
	null := func(code int, text string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`, code, text)
	}
	to := func(id string, code int, text string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, text)
	}
	const (
		unparsed = "the line is not valid JSON in UTF-8"
		badID    = "id must be a string or a 64-bit integer"
	)
	tests := []struct {
		name, line, answer string
		count              func(counters) uint64
	}{
		{"text", "Loading model...", "", func(s counters) uint64 { return s.stray }},
		{"scalar", "42", "", func(s counters) uint64 { return s.stray }},
		{"zero bytes", nul + nul, "", func(s counters) uint64 { return s.stray }},
		{"colour codes around a message", "\x1b[0m" + `{"jsonrpc":"2.0","id":1,"method":"m"}` + "\x1b[0m", "", func(s counters) uint64 { return s.stray }},
		{"glued message", `log{"jsonrpc":"2.0","id":1,"method":"m"}`, "", func(s counters) uint64 { return s.stray }},
		{"JSON log", `{"level":"info","id":1,"method":"m"}`, "", func(s counters) uint64 { return s.stray }},
		{"no version", `{"id":1,"result":{}}`, "", func(s counters) uint64 { return s.stray }},
		{"blank", "", "", func(s counters) uint64 { return s.blank }},
		{"carriage return", "\r", "", func(s counters) uint64 { return s.blank }},
		{"byte order mark", "\ufeff", "", func(s counters) uint64 { return s.blank }},
		{"broken JSON", `{"jsonrpc":"2.0","id":1,`, null(-32700, unparsed), func(s counters) uint64 { return s.broken }},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", null(-32700, unparsed), func(s counters) uint64 { return s.broken }},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"m"},{"jsonrpc":"2.0","id":2,"method":"m"}]`,
			null(-32600, "batches are not part of ACP; send one message a line"), func(s counters) uint64 { return s.broken }},
		{"two methods", `{"jsonrpc":"2.0","id":1,"method":"m","method":"n"}`, to("1", -32600, "method occurs twice or in another spelling"), func(s counters) uint64 { return s.broken }},
		{"two ids", `{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}`, null(-32600, "id occurs twice or in another spelling"), func(s counters) uint64 { return s.broken }},
		{"id is null", `{"jsonrpc":"2.0","id":null,"method":"m"}`, null(-32600, badID), func(s counters) uint64 { return s.broken }},
		{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"m"}`, null(-32600, badID), func(s counters) uint64 { return s.broken }},
		{"id is a fraction", `{"jsonrpc":"2.0","id":1.0,"method":"m"}`, to("1.0", -32600, badID), func(s counters) uint64 { return s.broken }},
		{"id is beyond numbers", `{"jsonrpc":"2.0","id":1e400,"method":"m"}`, to("1e400", -32600, badID), func(s counters) uint64 { return s.broken }},
		{"params are text", `{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}`, to("1", -32602, "params must be an object or an array"), func(s counters) uint64 { return s.broken }},
		{"too deep", `{"jsonrpc":"2.0","id":1,"method":"m","params":` + strings.Repeat("[", 100_000), to("1", -32600, "message refused: nested too deeply"), func(s counters) uint64 { return s.broken }},
		{"neither call nor answer", `{"jsonrpc":"2.0","id":1}`, "", func(s counters) uint64 { return s.refused }},
		{"answer to nothing", `{"jsonrpc":"2.0","id":1,"result":{}}`, "", func(s counters) uint64 { return s.strayResponses }},
		{"answer with a string id", `{"jsonrpc":"2.0","id":"1","result":{}}`, "", func(s counters) uint64 { return s.strayResponses }},
		{"answer with a null id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, "", func(s counters) uint64 { return s.strayResponses }},
		{"answer with result and error", `{"jsonrpc":"2.0","id":1,"result":{},"error":null}`, "", func(s counters) uint64 { return s.refused }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := connect(t, echo, Options{})
			p.send(test.line)
			if test.answer != "" {
				p.want(test.answer)
			}
			p.alive()
			if n := test.count(p.conn.reader.count); n != 1 {
				t.Errorf("counted %d times: %+v", n, p.conn.reader.count)
			}
			if err := p.conn.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestNoiseIsNeverTheAnswer keeps a call open while everything that resembles
// its answer goes by.
func TestNoiseIsNeverTheAnswer(t *testing.T) {
	p := connect(t, echo, Options{})
	result := make(chan string, 1)
	go func() {
		raw, err := p.conn.Call(t.Context(), "m", nil)
		result <- fmt.Sprintf("%s %v", raw, err)
	}()
	p.next()
	p.send(
		`{"id":1,"result":"no version"}`, `{"jsonrpc":"1.0","id":1,"result":"old"}`, `{"jsonrpc":"2.0","id":1}`,
		`{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}`, `{"jsonrpc":"2.0","id":"1","result":"text id"}`,
		`{"jsonrpc":"2.0","id":1.0,"result":"fraction"}`, `{"jsonrpc":"2.0","id":1,"result":1,"Result":2}`,
		`{"jsonrpc":"2.0","id":2,"result":"another"}`, `{"level":"debug","id":1,"error":"x"}`,
	)
	p.alive()
	p.send(`{"jsonrpc":"2.0","id":1,"result":"the answer"}`, `{"jsonrpc":"2.0","id":1,"result":"a second one"}`)
	if got := must(t, result); got != `"the answer" <nil>` {
		t.Error(got)
	}
	p.alive()
	if n := p.conn.reader.count.strayResponses; n != 4 {
		t.Errorf("%d stray responses", n)
	}
}

func TestLineOverTheLimit(t *testing.T) {
	const limit = 1 << 20
	filler := strings.Repeat("x", 2*limit)
	notes := make(chan string, 10)
	h := recorder{request: echo.request, notify: func(method string, _ jsontext.Value) { notes <- method }}
	p := connect(t, h, Options{MaxLine: limit})

	request := `{"jsonrpc":"2.0","id":"big","method":"fs/write_text_file","params":{"content":"` + filler + `"}}`
	p.send(request)
	p.want(fmt.Sprintf(`{"jsonrpc":"2.0","id":"big","error":{"code":-32600,"message":"message of %d bytes is over the limit of %d"}}`, len(request), limit))

	p.send(`{"jsonrpc":"2.0","method":"session/update","params":{"x":"` + filler + `"}}`)
	p.send(`{"jsonrpc":"2.0","method":"small"}`)
	if got := must(t, notes); got != "small" {
		t.Errorf("delivered %s", got)
	}

	answered := make(chan error, 1)
	go func() { answered <- callInto(t.Context(), p.conn, "m", nil, nil) }()
	p.answer(p.next(), `"result":"`+filler+`"`)
	var got *Error
	if err := must(t, answered); !errors.As(err, &got) || got.Code != CodeInvalidRequest || !strings.Contains(got.Message, "over the limit") {
		t.Errorf("call got %v", err)
	}
	p.send(strings.Repeat("noise", limit))
	p.alive()
	if s := p.conn.reader.count; s.tooLong != 3 || s.stray != 1 {
		t.Errorf("%+v", s)
	}
}

func TestLastLineWithoutNewline(t *testing.T) {
	message := `{"jsonrpc":"2.0","method":"m","params":{"a":"b"}}`
	for cut := range len(message) + 1 {
		notes := make(chan string, 1)
		p := connect(t, recorder{notify: func(method string, params jsontext.Value) { notes <- method + string(params) }}, Options{})
		if _, err := io.WriteString(p.w, message[:cut]); err != nil {
			t.Fatal(err)
		}
		p.w.Close()
		if sent := p.rest(); sent != nil {
			t.Errorf("cut at %d: sent %s", cut, sent)
		}
		must(t, p.conn.Done())
		if err := p.conn.Err(); err != nil {
			t.Errorf("cut at %d: %v", cut, err)
		}
		if (len(notes) == 1) != (cut == len(message)) {
			t.Errorf("cut at %d: delivered %d", cut, len(notes))
		}
		if stray := p.conn.reader.count.stray; (stray == 1) != (cut > 0 && cut < len(message)) {
			t.Errorf("cut at %d: %d stray lines", cut, stray)
		}
	}
}

func TestAMillionLinesOfNoise(t *testing.T) {
	p := connect(t, echo, Options{})
	noise := []byte(strings.Repeat("[INFO] still loading, please wait\n", 10_000))
	for range 100 {
		if _, err := p.w.Write(noise); err != nil {
			t.Fatal(err)
		}
	}
	p.alive()
	if n := p.conn.reader.count.stray; n != 1_000_000 {
		t.Errorf("%d lines counted", n)
	}
}
