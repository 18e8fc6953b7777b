package acpfront

import (
	"strings"
	"testing"
)

const geminiInfo = `{"protocolVersion":1,"agentInfo":{"name":"gemini-cli","version":"0.61.0"},"agentCapabilities":{"loadSession":true}}`

// TestGeminiMakesANewFile: it takes any error for the end of what it was at, and an empty text for a file that is not there. Others
// are told that it is missing.
func TestGeminiMakesANewFile(t *testing.T) {
	for info, missing := range map[string]bool{geminiInfo: false, agentInfo: true} {
		o := setup{info: info}
		r := newRig(t, o)
		r.editor.auto["session/request_permission"] = allowsOnce
		texts := r.buffers(map[string]string{})
		a, _ := r.connect(o)
		r.session(a, "s1")
		id, m := r.prompt(a, "s1", "go")
		read := a.response(a.request("fs/read_text_file", obj{"sessionId": "s1", "path": r.path("new.txt")}))
		if missing != (read.Error != nil) || !missing && str(read.Result, "content") != "" {
			t.Errorf("a file that is missing: %s %s", read.Result, read.Error)
		}
		a.answerTo("fs/write_text_file", obj{"sessionId": "s1", "path": r.path("new.txt"), "content": "new\n"})
		if got := texts("new.txt"); got != "new\n" {
			t.Errorf("the file holds %q", got)
		}
		r.end(a, id, m)
	}
}

// TestAHistoryThatComesBehindTheAnswerIsHistory: gemini-cli answers session/load before it has sent it. The answer is held until the
// agent, asked whether it is there, has sent nothing since the question before.
func TestAHistoryThatComesBehindTheAnswerIsHistory(t *testing.T) {
	o := setup{info: geminiInfo}
	r := newRig(t, o)
	a, _ := r.connect(o)
	chunk := func(text string) {
		a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + text + `"}}}}`)
	}
	id := r.editor.request("session/load", obj{"sessionId": "s1", "cwd": r.dir, "mcpServers": []any{}})
	a.answer(a.expect("session/load"), obj{})
	there := a.expect("_copilot-bridge/there")
	chunk("old one, ")
	a.answer(there, failure{-32601, "Method not found"})
	there = a.expect("_copilot-bridge/there")
	chunk("old two")
	a.answer(there, failure{-32601, "Method not found"})
	a.answer(a.expect("_copilot-bridge/there"), failure{-32601, "Method not found"})
	r.editor.response(id)
	r.editor.mu.Lock()
	var lines []string
	for _, m := range r.editor.got {
		lines = append(lines, m.line)
	}
	r.editor.mu.Unlock()
	all := strings.Join(lines, "\n")
	if answer := strings.LastIndex(all, `"result"`); strings.Index(all, "old two") > answer {
		t.Errorf("the history came behind the answer:\n%s", all)
	}
}
