package acp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
)

func TestCall(t *testing.T) {
	tests := []struct {
		name, member string
		want         string
		err          *Error
	}{
		{"result", `"result":{"a":1}`, `{"a":1}`, nil},
		{"null result", `"result":null`, `untouched`, nil},
		{"large result", `"result":"` + strings.Repeat("x", 1<<20) + `"`, `"` + strings.Repeat("x", 1<<20) + `"`, nil},
		{"error", `"error":{"code":-32602,"message":"bad \u00e9","data":{"x":[1]}}`, "",
			&Error{Code: -32602, Message: "bad é", Data: jsontext.Value(`{"x":[1]}`)}},
		{"error of another range", `"error":{"code":7,"message":""}`, "", &Error{Code: 7}},
		{"error that is a string", `"error":"boom"`, "",
			&Error{Code: CodeInternal, Message: "the peer answered with an error that is not one", Data: jsontext.Value(`"boom"`)}},
		{"error without code", `"error":{"message":"boom"}`, "",
			&Error{Code: CodeInternal, Message: "the peer answered with an error that is not one", Data: jsontext.Value(`{"message":"boom"}`)}},
		{"error with a huge code", `"error":{"code":1e9,"message":"boom"}`, "",
			&Error{Code: CodeInternal, Message: "the peer answered with an error that is not one", Data: jsontext.Value(`{"code":1e9,"message":"boom"}`)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := connect(t, echo, Options{})
			go func() { p.answer(p.next(), test.member) }()
			result := jsontext.Value("untouched")
			err := callInto(t.Context(), p.conn, "session/new", map[string]int{"a": 1}, &result)
			var got *Error
			if errors.As(err, &got); !cmp.Equal(got, test.err) {
				t.Errorf("error %v, want %v", err, test.err)
			}
			if test.err == nil && string(result) != test.want {
				t.Errorf("result %.100s", result)
			}
			p.alive()
		})
	}
}

func TestCallOnTheWire(t *testing.T) {
	p := connect(t, echo, Options{})
	replies := make(chan error, 1)
	go func() {
		_, err := p.conn.Call(t.Context(), "a", jsontext.Value("{\n  \"x\": 9007199254740993\r\n}"))
		replies <- err
	}()
	call := p.next()
	if want := `{"jsonrpc":"2.0","method":"a","params":{"x":9007199254740993},"id":1}`; call != want {
		t.Errorf("sent %s", call)
	}
	p.answer(call, `"result":{}`)
	if err := must(t, replies); err != nil {
		t.Error(err)
	}
	if err := p.conn.Notify(t.Context(), "session/cancel", nil); err != nil {
		t.Error(err)
	}
	p.want(`{"jsonrpc":"2.0","method":"session/cancel"}`)
	for _, raw := range []string{"{", "", "1 2", "{\"a\":\"\n\"}"} {
		if err := p.conn.Notify(t.Context(), "x", jsontext.Value(raw)); !errors.Is(err, errNotJSON) {
			t.Errorf("params %q: %v", raw, err)
		}
	}
	if err := callInto(t.Context(), p.conn, "x", func() {}, nil); err == nil {
		t.Error("params that cannot be encoded were sent")
	}
	p.alive()
}

func TestIDsComeBackAsTheyWere(t *testing.T) {
	p := connect(t, echo, Options{})
	for _, id := range []string{
		"0", "-0", "1", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808",
		`""`, `"1"`, `"abc"`, `"é"`, `"\u00e9"`, `"a\/b"`, `"\ud800"`, `"\"\\\n"`, `"null"`, `" <&>"`,
		`"acp id 1"`, `"acp id "`, `"` + strings.Repeat("x", maxID-2) + `"`, `"` + strings.Repeat(`\u0041`, 150) + `"`,
	} {
		p.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"m","params":[1]}`)
		p.want(`{"jsonrpc":"2.0","id":` + id + `,"result":[1]}`)
	}
	if n := len(p.conn.open.byKey); n != 0 {
		t.Errorf("%d requests are still open", n)
	}
}

func TestRequestIsWhatThePeerSent(t *testing.T) {
	requests := make(chan *Request, 1)
	p := connect(t, recorder{request: func(r *Request) { requests <- r }}, Options{})
	p.send(`{"jsonrpc":"2.0","params":{"b":1, "a":2},"id":"\u0041","method":"fs\/read_text_file","extra":1}`)
	r := must(t, requests)
	if r.Method() != "fs/read_text_file" || r.ID() != `"\u0041"` || string(r.Params()) != `{"b":1, "a":2}` {
		t.Errorf("got %s %s %s", r.Method(), r.ID(), r.Params())
	}
	if !r.Reply(nil, nil) || r.Reply(nil, nil) || r.Reply(nil, io.EOF) {
		t.Error("not exactly the first Reply counts")
	}
	p.want(`{"jsonrpc":"2.0","id":"\u0041","result":{}}`)
	if r.Context().Err() == nil {
		t.Error("the context outlives the answer")
	}
}

func TestReply(t *testing.T) {
	coded := &Error{Code: CodeResourceNotFound, Message: "no\nfile", Data: jsontext.Value(`{"path":"/x"}`)}
	tests := []struct {
		name   string
		result any
		err    error
		want   string
	}{
		{"nothing", nil, nil, `"result":{}`},
		{"value", map[string]string{"content": "a\nb\x00"}, nil, `"result":{"content":"a\nb\u0000"}`},
		{"raw", jsontext.Value("{ \"a\":\n1 }"), nil, `"result":{"a":1}`},
		{"raw null", jsontext.Value("null"), nil, `"result":null`},
		{"raw nonsense", jsontext.Value("{"), nil, `"error":{"code":-32603,"message":"encode the result: not valid JSON"}`},
		{"error", nil, coded, `"error":{"code":-32002,"message":"no\nfile","data":{"path":"/x"}}`},
		{"wrapped error", nil, fmt.Errorf("read: %w", coded), `"error":{"code":-32002,"message":"no\nfile","data":{"path":"/x"}}`},
		{"cancelled", nil, fmt.Errorf("ask: %w", context.Canceled), `"error":{"code":-32800,"message":"request cancelled"}`},
		{"other", 1, io.ErrUnexpectedEOF, `"error":{"code":-32603,"message":"unexpected EOF"}`},
		{"panic in Marshal", exploding{}, nil, `"error":{"code":-32603,"message":"encode the result: panic: boom"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := connect(t, recorder{request: func(r *Request) { r.Reply(test.result, test.err) }}, Options{})
			p.send(`{"jsonrpc":"2.0","id":1,"method":"m"}`)
			p.want(`{"jsonrpc":"2.0","id":1,` + test.want + `}`)
		})
	}
}

type exploding struct{}

func (exploding) MarshalJSON() ([]byte, error) { panic("boom") }

func TestPanicsOfTheHandlerAreNotTheConnections(t *testing.T) {
	p := connect(t, recorder{
		notify: func(string, jsontext.Value) { panic("note") },
		request: func(r *Request) {
			if r.Method() != "echo" {
				panic("request")
			}
			r.Reply(r.Params(), nil)
		},
	}, Options{})
	p.send(`{"jsonrpc":"2.0","method":"m"}`)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"m"}`)
	p.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error while handling m"}}`)
	p.alive()
	if n := p.conn.reader.count.panics; n != 2 {
		t.Errorf("%d panics counted", n)
	}
}

func TestTapSeesBothDirections(t *testing.T) {
	var seen []string
	tap := func(dir Direction, line []byte) { seen = append(seen, dir.String()+" "+string(line)) }
	p := connect(t, echo, Options{Tap: tap})
	p.send("noise", "", `{"jsonrpc":"2.0","id":1,"method":"m","params":[]}`)
	p.want(`{"jsonrpc":"2.0","id":1,"result":[]}`)
	p.send(`{"jsonrpc":"2.0","id":1}`+"\r", `[]`)
	p.next()
	p.conn.Close()
	want := []string{
		"received noise", "received ", `received {"jsonrpc":"2.0","id":1,"method":"m","params":[]}`,
		`sent {"jsonrpc":"2.0","id":1,"result":[]}`, `received {"jsonrpc":"2.0","id":1}` + "\r", "received []",
		`sent {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not part of ACP; send one message a line"}}`,
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}

func TestLogQuotesWhatIsSkippedAndStops(t *testing.T) {
	var log bytes.Buffer
	p := connect(t, echo, Options{Log: zerolog.New(&log), Name: "agent"})
	for range maxLoggedLines * 2 {
		p.send("\x1b]52;c;" + strings.Repeat("x", 1000))
	}
	p.send(`loading{"jsonrpc":"2.0","method":"m"}`)
	p.alive()
	p.conn.Close()
	text := log.String()
	if n := strings.Count(text, "skipped output"); n != maxLoggedLines {
		t.Errorf("%d lines logged", n)
	}
	if strings.Contains(text, "\x1b") || len(text) > maxLoggedLines*(2*maxLoggedBytes+200) {
		t.Errorf("log of %d bytes", len(text))
	}
	if !strings.Contains(text, `"level":"warn","peer":"agent"`) || !strings.Contains(text, `"stray":401`) {
		t.Errorf("log ends %s", text[len(text)-300:])
	}
	if got := p.conn.reader.count.stray; got != 2*maxLoggedLines+1 {
		t.Errorf("%d stray lines counted", got)
	}
}
