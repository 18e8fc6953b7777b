package acptest

import (
	"bufio"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
)

func TestHelloAnswersEveryPrompt(t *testing.T) {
	s, err := Builtin("hello")
	must(t, err)
	stream, _ := s.Pipe(t, Options{})
	p := newPeer(t, stream)
	p.says(initialize)
	p.hears(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,…`)
	p.says(newSession)
	p.hears(`{"jsonrpc":"2.0","id":"two","result":{"sessionId":"hello"}}`)
	for range 3 {
		p.says(prompt)
		p.hears(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello"}}}}`,
			`{"jsonrpc":"2.0","method":"session/update",…`, `{"jsonrpc":"2.0","method":"session/update",…`, `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`)
		p.says(`{"jsonrpc":"2.0","id":4,"method":"session/list","params":{}}`)
		p.hears(`{"jsonrpc":"2.0","id":4,"result":{"sessions":[]}}`)
		p.says(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}`)
	}
}

func TestEditDoesAWholeTurn(t *testing.T) {
	s, err := Builtin("edit")
	must(t, err)
	stream, _ := s.Pipe(t, Options{})
	p := newPeer(t, stream)
	p.says(initialize)
	p.hears(`{"jsonrpc":"2.0","id":1,…`)
	p.says(newSession)
	p.hears(`{"jsonrpc":"2.0","id":"two","result":{"sessionId":"edit","modes":…`)
	p.says(strings.Replace(prompt, `"s"`, `"edit"`, 1))
	const update = `{"jsonrpc":"2.0","method":"session/update",…`
	p.hears(update, update, update, update, `{"jsonrpc":"2.0","id":0,"method":"fs/read_text_file","params":{"sessionId":"edit","path":"/w/a.txt"}}`)
	p.says(`{"jsonrpc":"2.0","id":0,"result":{"content":"say \"hello\"\n"}}`)
	p.hears(update, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"edit","update":{"sessionUpdate":"tool_call","toolCallId":"write","title":"Edit a.txt","kind":"edit","status":"pending","locations":[{"path":"/w/a.txt"}],"content":[{"type":"diff","path":"/w/a.txt","oldText":"say \"hello\"\n","newText":"Hello, world\n"}]}}}`)
	p.hears(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission",…`)
	p.says(`{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`)
	p.hears(`{"jsonrpc":"2.0","id":2,"method":"fs/write_text_file","params":{"sessionId":"edit","path":"/w/a.txt","content":"Hello, world\n"}}`)
	p.says(`{"jsonrpc":"2.0","id":2,"result":{}}`)
	p.hears(update, `{"jsonrpc":"2.0","id":3,"method":"terminal/create",…`)
	p.says(`{"jsonrpc":"2.0","id":3,"result":{"terminalId":"t9"}}`)
	p.hears(update, `{"jsonrpc":"2.0","id":4,"method":"terminal/wait_for_exit","params":{"sessionId":"edit","terminalId":"t9"}}`)
	p.says(`{"jsonrpc":"2.0","id":4,"result":{"exitCode":0}}`)
	p.hears(`{"jsonrpc":"2.0","id":5,"method":"terminal/output",…`)
	p.says(`{"jsonrpc":"2.0","id":5,"result":{"output":"Hello, world\n","truncated":false}}`)
	p.hears(`{"jsonrpc":"2.0","id":6,"method":"terminal/release",…`)
	p.says(`{"jsonrpc":"2.0","id":6,"result":{}}`)
	p.hears(update, update, update, update, `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`)
}

func TestStepsDoWhatTheySay(t *testing.T) {
	file := filepath.ToSlash(filepath.Join(t.TempDir(), "dir", "f"))
	s := Script(`
set file ` + file + `
# labels tell open messages apart; find takes them out of order
find@b b {"n":2}
expect@a a
expect@c c {"list":["*","re:^x+$"],"deep":{"yes":true}}
set deep @params.deep
reply@b {"was":"b"}
fail@a -32002 no such thing
reply@c {"deep":$deep,"quoted":"$deep","dollar":"$$5"}
none d
request@x one {"i":1}
request@y two
cancel@x
refused@x -32800
answer@y {"ok":true}
repeat 2 notify tick {"n":$i}
raw "{\"a\":"
write 3
raw "}\n"
send {"any":
  "thing"}
put $file one two
holds $file one two
remove $file
`)
	stream, _ := s.Pipe(t, Options{})
	p := newPeer(t, stream)
	p.says(`{"id":1,"method":"a"}`, `{"id":2,"method":"b","params":{"n":2,"more":0}}`, `{"id":3,"method":"c","params":{"list":[1,"xx"],"deep":{"yes":true}}}`)
	p.hears(`{"jsonrpc":"2.0","id":2,"result":{"was":"b"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"no such thing"}}`)
	p.hears(`{"jsonrpc":"2.0","id":3,"result":{"deep":{"yes":true},"quoted":"{\"yes\":true}","dollar":"$5"}}`)
	p.hears(`{"jsonrpc":"2.0","id":0,"method":"one","params":{"i":1}}`, `{"jsonrpc":"2.0","id":1,"method":"two"}`, `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":0}}`)
	p.says(`{"id":1,"result":{"ok":true}}`, `{"id":0,"error":{"code":-32800,"message":"cancelled"}}`)
	p.hears(`{"jsonrpc":"2.0","method":"tick","params":{"n":0}}`, `{"jsonrpc":"2.0","method":"tick","params":{"n":1}}`, `{"a":xxx}`, `{"any":"thing"}`)
}

// A wait that cannot come true fails at once, and says where and why. None of these tests has a time-out: a script that kept
// waiting would hang them.
func TestDeviationsFailAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		says   []string
		hangUp bool
		want   string
	}{
		"another message":        {"\nexpect session/prompt", []string{initialize}, false, "script:3: expect session/prompt: have initialize {\"protocolVersion\":1}"},
		"another value":          {`expect initialize {"protocolVersion":2}`, []string{initialize}, false, "/protocolVersion: want 2, have 1"},
		"no such member":         {`expect initialize {"clientInfo":"*"}`, []string{initialize}, false, "no member clientInfo"},
		"peer hangs up":          {"expect initialize\nreply\nexpect session/new", []string{initialize}, true, "script:4: expect session/new: the peer has hung up"},
		"no answer":              {"request a\nanswer", nil, true, "answer: the peer has hung up"},
		"an error for a result":  {"request a\nanswer", []string{`{"id":0,"error":{"code":-1,"message":"m"}}`}, false, "want a result, have error to 0"},
		"a result for an error":  {"request a\nrefused", []string{`{"id":0,"result":null}`}, false, "want an error, have result to 0 null"},
		"another error":          {"request a\nrefused -32601", []string{`{"id":0,"error":{"code":-1,"message":"m"}}`}, false, "/code: want -32601, have -1"},
		"two answers":            {"expect x", []string{`{"id":0,"result":1}`, `{"id":0,"result":2}`}, false, "answered request 0 twice"},
		"no message":             {"expect x", []string{"hello?"}, false, "a line that is no message"},
		"too much":               {"expect initialize\nreply", []string{initialize, prompt}, false, "the end of the script: want nothing more, have session/prompt"},
		"what must not come":     {"expect initialize\nnone session/prompt\nreply\nexpect session/prompt\nnone initialize\nnone session/prompt", []string{initialize, prompt, prompt}, false, "have session/prompt"},
		"marker of nobody":       {"wait go", nil, false, "the test is over and did not set the marker go"},
		"nothing to answer":      {"reply", nil, false, "there is nothing to answer"},
		"a notification":         {"expect n\nreply", []string{`{"method":"n"}`}, false, "n is a notification"},
		"no variable":            {"say $nothing", nil, false, `no variable and no file "nothing"`},
		"no process":             {"spawn tree", nil, false, "spawn needs a process of its own"},
		"inside of a repetition": {"repeat 3 answer", nil, false, "answer: time 0: there is no request to wait for"},
	} {
		t.Run(name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			defer ours.Close()
			a := Script(c.script).Start(within(t), theirs, Options{})
			heard := make(chan struct{}, 10)
			go func() {
				for lines := bufio.NewScanner(ours); lines.Scan(); {
					heard <- struct{}{}
				}
			}()
			for _, line := range c.says {
				if _, err := ours.Write([]byte(line + "\n")); err != nil {
					break // the script failed before it could read this
				}
			}
			if c.hangUp {
				<-heard
				ours.Close()
			}
			if strings.HasPrefix(name, "marker") {
				a.player.testOver()
			}
			var d *Deviation
			if err := a.Wait(); !errors.As(err, &d) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("have %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestAScriptStopsAndEndsWhereItSays(t *testing.T) {
	for script, code := range map[string]int{"exit 3": 3, "hang": 0, "expect never": 0, "deaf\nwrite 100000": 0} {
		ours, theirs := net.Pipe()
		a := Script(script).Start(within(t), theirs, Options{})
		if code == 0 {
			a.Stop()
		}
		if err := a.Wait(); err != nil || a.ExitCode() != code {
			t.Errorf("%s: %v, exit code %d", script, err, a.ExitCode())
		}
		if _, err := ours.Read(make([]byte, 1)); err == nil && code != 0 {
			t.Errorf("%s: the stream is still open", script)
		}
		ours.Close()
	}
}

func TestMarkersKeepTestAndScriptInStep(t *testing.T) {
	ours, theirs := net.Pipe()
	a := Script("set x 7\nmark first\nset x 8\nwait go\nmark second").Start(within(t), theirs, Options{})
	must(t, a.Await(within(t), "first"))
	if a.Var("x") != "7" {
		t.Errorf("x is %q", a.Var("x"))
	}
	a.Set("go")
	must(t, a.Await(within(t), "second"))
	must(t, a.Await(within(t), "first"))
	ours.Close()
	must(t, a.Wait())
	if err := a.Await(within(t), "third"); err == nil || !strings.Contains(err.Error(), "over") {
		t.Errorf("have %v", err)
	}
}
