//go:build unix

package session_test

import (
	"strings"
	"testing"
)

// The shapes are those of the recordings: kimi-code 2.1 runs /bin/bash -c with a folder and variables, waits at once and
// polls the output meanwhile.
func TestAnAgentLikeKimiCode(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "hi\n"}, hello+`
expect@p session/prompt
request@c terminal/create {"sessionId":"s1","command":"/bin/bash","args":["-c","cd '$cwd' && cat a.txt && echo $$KIMI && exit 3"],"cwd":"$cwd","env":[{"name":"KIMI","value":"yes"},{"name":"PAGER","value":"cat"}],"outputByteLimit":4194304}
answer@c {"terminalId":"*"}
update tool_call {"toolCallId":"c","title":"Bash","content":[{"type":"terminal","terminalId":"$terminal"}]}
request@w terminal/wait_for_exit {"sessionId":"s1","terminalId":"$terminal"}
request@o terminal/output {"sessionId":"s1","terminalId":"$terminal"}
answer@o {"truncated":false}
answer@w {"exitCode":3}
request@o2 terminal/output {"sessionId":"s1","terminalId":"$terminal"}
answer@o2 {"output":"hi\nyes\n","truncated":false,"exitStatus":{"exitCode":3}}
request@r terminal/release {"sessionId":"s1","terminalId":"$terminal"}
answer@r
request@g terminal/output {"sessionId":"s1","terminalId":"$terminal"}
refused@g -32002
reply@p {"stopReason":"end_turn"}`).open()
	r.run("go")
	if text, exits := outputOf(r.events(), ""); text != "hi\nyes\n" || len(exits) != 1 || *exits[0].Code != 3 {
		t.Errorf("the user saw %q, %d ends", text, len(exits))
	}
	// The tool call still shows its terminal: an editor that loads the session is shown the output once more.
	seen := len(r.events())
	if _, err := r.b.LoadSession(r.ctx, r.session, ""); err != nil {
		t.Log(err) // the script knows no session/load
	}
	if text, _ := outputOf(r.events()[seen:], ""); text != "hi\nyes\n" {
		t.Errorf("after the release the output is %q", text)
	}
}

// kimi-code cancels by kill, output and release, claude-code-acp 0.16 by release only.
func TestAgentsThatEndTheirTerminalsThemselves(t *testing.T) {
	t.Parallel()
	for name, last := range map[string]string{
		"kimi": `
request@k terminal/kill {"sessionId":"s1","terminalId":"$terminal"}
answer@k
request@o terminal/output {"sessionId":"s1","terminalId":"$terminal"}
answer@o {"output":"ready\n","exitStatus":{"signal":"SIGTERM"}}
request@r terminal/release {"sessionId":"s1","terminalId":"$terminal"}
answer@r`,
		"claude-code-acp": `
request@r terminal/release {"sessionId":"s1","terminalId":"$terminal"}
answer@r`,
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil, hello+`
expect@p session/prompt
request@c terminal/create {"sessionId":"s1","command":"echo $$$$ >pids; echo ready; exec sleep 300","env":[{"name":"CLAUDECODE","value":"1"}],"outputByteLimit":32000}
answer@c {"terminalId":"*"}
mark runs
request@w terminal/wait_for_exit {"sessionId":"s1","terminalId":"$terminal"}
expect session/cancel`+last+`
answer@w
reply@p {"stopReason":"cancelled"}`).open()
			turn := r.prompt("go")
			r.await("runs")
			pids := r.pids("pids", 1)
			r.eventually("output", func() bool { text, _ := outputOf(r.events(), ""); return text == "ready\n" })
			r.b.Cancel(r.session, Cancellation{Turn: turn})
			r.ended(turn)
			if living(pids) {
				t.Error("the command is still there")
			}
		})
	}
}

// Requests about a terminal mean what they say in the order of the wire, however soon a release follows.
func TestAReleaseDoesNotOvertakeAWait(t *testing.T) {
	t.Parallel()
	const times = 25
	r := newRig(t, nil, hello+"\nexpect@p session/prompt"+strings.Repeat(`
request@c terminal/create {"sessionId":"s1","command":"exec sleep 300"}
answer@c {"terminalId":"*"}
request@w terminal/wait_for_exit {"sessionId":"s1","terminalId":"$terminal"}
request@k terminal/kill {"sessionId":"s1","terminalId":"$terminal"}
request@o terminal/output {"sessionId":"s1","terminalId":"$terminal"}
request@r terminal/release {"sessionId":"s1","terminalId":"$terminal"}
answer@w {"signal":"SIGTERM"}
answer@k
answer@o
answer@r`, times)+"\nreply@p {\"stopReason\":\"end_turn\"}").open()
	r.run("go")
}

// claude-code-acp 0.16 sends the whole line as the command, without arguments and without a folder.
func TestAnAgentLikeClaudeCodeACP(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "hi\n"}, hello+`
expect@p session/prompt
request@c terminal/create {"sessionId":"s1","command":"cat a.txt | tr a-z A-Z && echo \"$$CLAUDECODE\"; exit 1","env":[{"name":"CLAUDECODE","value":"1"}],"outputByteLimit":32000}
answer@c {"terminalId":"*"}
request@w terminal/wait_for_exit {"sessionId":"s1","terminalId":"$terminal"}
answer@w {"exitCode":1}
request@o terminal/output {"sessionId":"s1","terminalId":"$terminal"}
answer@o {"output":"HI\n1\n","truncated":false,"exitStatus":{"exitCode":1}}
request@r terminal/release {"sessionId":"s1","terminalId":"$terminal"}
answer@r
reply@p {"stopReason":"end_turn"}`).open()
	r.run("go")
	q := r.screen.questions()
	if len(q) != 1 || q[0].Title != `Run cat a.txt | tr a-z A-Z && echo "$CLAUDECODE"; exit 1` || q[0].Cwd != r.dir {
		t.Fatalf("asked %+v", q)
	}
	if len(q[0].Env) != 1 || q[0].Env[0].Name != "CLAUDECODE" || len(q[0].Notes) != 0 {
		t.Errorf("the question shows %v, notes %q", q[0].Env, q[0].Notes)
	}
}

// A command's folder outside the session's is asked about with what it really is; what makes a harmless command do
// something else is a note.
func TestTheQuestionShowsFolderAndEnvironment(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	r := newRig(t, nil, hello+`
expect@p session/prompt
request@c terminal/create {"sessionId":"s1","command":"true","cwd":"`+outside+`","env":[{"name":"LD_PRELOAD","value":"/tmp/x.so"},{"name":"A","value":"1"}]}
refused@c
request@d terminal/create {"sessionId":"s1","command":"true","cwd":"relative"}
refused@d -32602
request@e terminal/create {"sessionId":"s1","command":"true","env":[{"name":"A=B","value":""}]}
refused@e
reply@p {"stopReason":"end_turn"}`).open()
	r.screen.ask = no
	r.run("go")
	q := r.screen.questions()[0]
	notes := strings.Join(q.Notes, "\n")
	if q.Cwd != outside || !strings.Contains(notes, "outside") || !strings.Contains(notes, "LD_PRELOAD=/tmp/x.so") || len(q.Env) != 2 {
		t.Errorf("asked %+v", q)
	}
}

// Foreign ids are no error for anybody but whoever asks us about them, and kill nothing of ours.
func TestAForeignTerminalIsShown(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, hello+`
expect@p session/prompt
update tool_call {"toolCallId":"call_1","title":"ls","content":[{"type":"terminal","terminalId":"call_1"}],"_meta":{"terminal_info":{"terminal_id":"call_1","cwd":"$cwd"}}}
update tool_call_update {"toolCallId":"call_1","_meta":{"terminal_output_delta":{"terminal_id":"call_1","data":"a\n"}}}
update tool_call_update {"toolCallId":"call_1","_meta":{"terminal_output_delta":{"data":"b\n"}}}
update tool_call_update {"toolCallId":"call_1","status":"completed","_meta":{"terminal_exit":{"terminal_id":"call_1","exit_code":2,"signal":null}}}
update tool_call_update {"toolCallId":"call_1","_meta":{"terminal_output":{"terminal_id":"call_1","data":"too late"}}}
update tool_call_update {"toolCallId":"call_2","_meta":{"terminal_output":"nonsense"}}
update tool_call_update {"toolCallId":"call_3","content":[{"type":"terminal","terminalId":"never-heard-of"}]}
request@c terminal/create {"sessionId":"s1","command":"sleep 300"}
answer@c {"terminalId":"*"}
request@o terminal/output {"sessionId":"s1","terminalId":"call_1"}
refused@o -32002
request@k terminal/kill {"sessionId":"s1","terminalId":"call_1"}
refused@k -32002
request@r terminal/release {"sessionId":"s1","terminalId":"call_1"}
refused@r -32002
request@w terminal/wait_for_exit {"sessionId":"s1","terminalId":"call_1"}
refused@w -32002
request@mine terminal/output {"sessionId":"s1","terminalId":"$terminal"}
answer@mine {"output":"","truncated":false}
reply@p {"stopReason":"end_turn"}`).open()
	end := r.ended(r.prompt("go"))
	if end.Err != nil {
		t.Fatalf("%v; %v", end.Err, r.failures())
	}
	text, exits := outputOf(r.events(), "call_1")
	if text != "a\nb\n" || len(exits) != 1 || exits[0].Code == nil || *exits[0].Code != 2 {
		t.Errorf("shown %q, %d ends", text, len(exits))
	}
	before := len(r.events())
	if _, err := r.b.LoadSession(r.ctx, r.session, ""); err != nil {
		t.Fatal(err)
	}
	if text, exits := outputOf(r.events()[before:], "call_1"); text != "a\nb\n" || len(exits) != 1 {
		t.Errorf("shown again %q, %d ends", text, len(exits))
	}
}
