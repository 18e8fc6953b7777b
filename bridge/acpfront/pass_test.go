package acpfront

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// odd is an object that no decoder would write again as it is: numbers beyond 64 bits and in odd spellings, an order of
// members that is nobody's, escapes that need not be, blanks.
const odd = `{"z":1e+2, "a":123456789012345678901234567890,"_meta":{"x":1.50,"k":[ 1 ,{"b":0,"a":-0}]},"\u0061b":"\u0041\/é\ud83d\ude00","n":null}`

func TestInitializePassesTheEditorOn(t *testing.T) {
	r := newRig(t, setup{})
	a, answer := r.connect(setup{caps: `{"session":{"notices":{}},"_meta":` + odd + `}`})
	got := string(a.got[0].Params)
	want := `{"protocolVersion":1,"clientCapabilities":{"terminal":true,"fs":{"readTextFile":true,"writeTextFile":true},"session":{"notices":{}},"_meta":` + odd + `},"clientInfo":{"name":"ed","version":"9","_meta":{"n":12345678901234567890}}}`
	if got != want {
		t.Errorf("the agent was told\n%s\nwant\n%s", got, want)
	}
	want = strings.Replace(agentInfo, `"sessionCapabilities":{`, `"sessionCapabilities":{"resume":{},`, 1)
	want = strings.Replace(want, `"agentInfo":{`, `"agentInfo":{"_meta":{"copilot-bridge":{"version":"test"}},`, 1)
	if string(answer.Result) != want {
		t.Errorf("the editor was told\n%s\nwant\n%s", answer.Result, want)
	}
	if f := r.editor.refused("initialize", obj{"protocolVersion": 1}); f.Code != -32600 {
		t.Errorf("a second initialize: %+v", f)
	}
}

func TestRequestsBeforeInitializeAreRefused(t *testing.T) {
	r := newRig(t, setup{})
	if f := r.editor.refused("session/new", obj{}); f.Code != -32600 {
		t.Errorf("%+v", f)
	}
}

func TestTheUnknownPassesByteForByte(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	check := func(what string, got, want json.RawMessage) {
		t.Helper()
		if string(got) != string(want) {
			t.Errorf("%s:\n got %s\nwant %s", what, got, want)
		}
	}
	for _, id := range []string{`9223372036854775807`, `"a \"b\" \u0063"`, `-1`, `"7"`} {
		r.editor.raw(`{"jsonrpc":"2.0","id":` + id + `,"method":"_vendor/\u0061sk","params":` + odd + `}`)
		m := a.expect("_vendor/ask")
		check("params of a request", m.Params, json.RawMessage(odd))
		a.raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + odd + `}`)
		check("its result", r.editor.response(id).Result, json.RawMessage(odd))
	}
	r.editor.raw(`{"jsonrpc":"2.0","id":77,"method":"_vendor/fail","params":[1,` + odd + `]}`)
	m := a.expect("_vendor/fail")
	check("params that are a list", m.Params, json.RawMessage(`[1,`+odd+`]`))
	a.raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"error":{"code":400,"message":"no","data":` + odd + `}}`)
	check("its error", r.editor.response("77").Error, json.RawMessage(`{"code":400,"message":"no","data":`+odd+`}`))

	r.editor.raw(`{"jsonrpc":"2.0","method":"_vendor/tell","params":` + odd + `}`)
	check("a notification", a.expect("_vendor/tell").Params, json.RawMessage(odd))
	r.editor.raw(`{"jsonrpc":"2.0","method":"_vendor/bare"}`)
	check("a notification without params", a.expect("_vendor/bare").Params, nil)

	a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"_new","x":` + odd + `},"y":` + odd + `}}`)
	check("an update", r.editor.expect("session/update").Params, json.RawMessage(`{"sessionId":"s1","update":{"sessionUpdate":"_new","x":`+odd+`},"y":`+odd+`}`))
	a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","x":` + odd + `}}}`)
	check("a tool call", r.editor.expect("session/update").Params, json.RawMessage(`{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","x":`+odd+`}}`))
	a.raw(`{"jsonrpc":"2.0","method":"craft/told","params":` + odd + `}`)
	check("a notification of the agent", r.editor.expect("craft/told").Params, json.RawMessage(odd))
	for _, id := range []string{`0`, `9223372036854775807`, `"x"`} {
		a.raw(`{"jsonrpc":"2.0","id":` + id + `,"method":"craft/ask","params":` + odd + `}`)
		m = r.editor.expect("craft/ask")
		check("a request of the agent", m.Params, json.RawMessage(odd))
		r.editor.raw(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + odd + `}`)
		check("the editor's result", a.response(id).Result, json.RawMessage(odd))
	}
}

// TestOrderOfTheAgentIsKept has the agent speak of everything at once: what needs no look, what is learnt from, what is
// asked, in two sessions; line by line, and in pieces of many lines.
func TestOrderOfTheAgentIsKept(t *testing.T) {
	for _, piece := range []int{1, 7, 1000} {
		t.Run(fmt.Sprint(piece), func(t *testing.T) { testOrderOfTheAgent(t, piece) })
	}
}

func testOrderOfTheAgent(t *testing.T, piece int) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	r.session(a, "s2")
	id, m := r.prompt(a, "s1", "go")
	r.editor.auto["session/request_permission"] = func(message) any {
		return obj{"outcome": obj{"outcome": "selected", "optionId": "yes"}}
	}
	var want, lines, asked []string
	var text string
	dice := rand.New(rand.NewPCG(1, uint64(piece)))
	for i := range 500 {
		mark := fmt.Sprintf(`"mark %d\n"`, i)
		want = append(want, mark)
		line := ""
		switch dice.IntN(15) {
		case 1:
			line = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s2","update":{"sessionUpdate":"tool_call","toolCallId":` + mark + `,"title":"t"}}}`
		case 2:
			line = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":%s,"kind":"other","title":"x%d"},"options":[{"optionId":"yes","name":"Y","kind":"allow_once"}]}}`, i, mark, i)
			asked = append(asked, fmt.Sprint(i))
		case 3:
			line = `{"jsonrpc":"2.0","method":"_x","params":{"m":` + mark + `}}`
		case 4:
			line = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call_update","toolCallId":` + mark + `,"status":"completed"}}}`
		case 5:
			line = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s2","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + mark + `}}}}`
		default:
			line = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + mark + `}}}}`
			text += fmt.Sprintf("mark %d\n", i)
		}
		lines = append(lines, line)
	}
	for piece := range slices.Chunk(lines, piece) {
		a.raw(strings.Join(piece, "\n"))
	}
	for _, id := range asked {
		a.response(id) // an agent waits for the answers to its questions
	}
	r.end(a, id, m)
	r.editor.inOrder(want)
	if got := r.stored("s1"); got != text {
		t.Errorf("the store has %d bytes of text, %d were said; or in another order", len(got), len(text))
	}
}

// inOrder fails unless the messages with these marks came, in this order.
func (p *peer) inOrder(want []string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	at := 0
	for _, m := range p.got {
		if at < len(want) && strings.Contains(string(m.Params), want[at]) {
			at++
		} else if strings.Contains(string(m.Params), `"mark `) {
			p.t.Fatalf("%s came where %s was due", m.line, want[at])
		}
	}
	if at != len(want) {
		p.t.Errorf("%d of %d messages came before the answer to the prompt", at, len(want))
	}
}

// stored is what the store has of the agent's answer in the session that the editor calls id.
func (r *rig) stored(id string) (text string) {
	r.t.Helper()
	s := store.Open(store.Config{Dir: filepath.Join(r.state, "sessions"), Now: time.Now})
	list, err := s.List()
	if err != nil {
		r.t.Fatal(err)
	}
	for _, m := range list {
		if m.Editor != id {
			continue
		}
		err := s.Read(m.ID, func(e store.Entry) bool {
			var u struct {
				SessionUpdate string
				Content       struct{ Text string }
			}
			if e.Kind == store.KindUpdate && json.Unmarshal(e.Body, &u) == nil && u.SessionUpdate == "agent_message_chunk" {
				text += u.Content.Text
			}
			return true
		})
		if err != nil {
			r.t.Error(err)
		}
	}
	return text
}

func TestOrderOfTheEditorIsKept(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	for i := range 50 {
		r.editor.notify("_n", obj{"i": 4 * i})
		r.editor.request("_r", obj{"i": 4*i + 1})
		r.editor.request("session/set_mode", obj{"sessionId": "s1", "modeId": "m", "i": 4*i + 2})
		r.editor.notify("_n", obj{"sessionId": "s1", "i": 4*i + 3})
	}
	a.find("the last", 0, func(m message) bool { return strings.Contains(string(m.Params), `"i":199`) })
	a.mu.Lock()
	defer a.mu.Unlock()
	at := 0
	for _, m := range a.got {
		var p struct{ I *int }
		if json.Unmarshal(m.Params, &p) != nil || p.I == nil {
			continue
		}
		if *p.I != at {
			t.Fatalf("%d came where %d was due", *p.I, at)
		}
		at++
	}
}

func TestUpdatesBeforeTheSessionIsKnown(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	req := r.editor.request("session/new", obj{"cwd": r.dir, "mcpServers": []any{}})
	m := a.expect("session/new")
	a.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s9","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}}`)
	if got := str(r.editor.expect("session/update").Params, "sessionId"); got != "s9" {
		t.Errorf("the update is of %q", got)
	}
	a.answer(m, obj{"sessionId": "s9"})
	if got := str(r.editor.response(req).Result, "sessionId"); got != "s9" {
		t.Errorf("the session is %q", got)
	}
}

func TestCancelRequestIsMapped(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	r.editor.raw(`{"jsonrpc":"2.0","id":"long","method":"_slow","params":{}}`)
	m := a.expect("_slow")
	r.editor.notify("$/cancel_request", obj{"requestId": "long"})
	if got := str2(a.expect("$/cancel_request").Params); got != string(m.ID) {
		t.Errorf("the agent is to cancel %s and not %s", got, m.ID)
	}
	a.answer(m, failure{-32800, "cancelled"})
	if r.editor.response(`"long"`).Error == nil {
		t.Error("no error")
	}

	// Of a prompt it is no session/cancel: the agent still says how the turn ended.
	id, p := r.prompt(a, "s1", "go")
	r.editor.raw(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":` + id + `}}`)
	if got := str2(a.expect("$/cancel_request").Params); got != string(p.ID) {
		t.Errorf("the agent is to cancel %s and not %s", got, p.ID)
	}
	r.end(a, id, p)

	a.raw(`{"jsonrpc":"2.0","id":"q","method":"craft/ask","params":{}}`)
	q := r.editor.expect("craft/ask")
	a.notify("$/cancel_request", obj{"requestId": "q"})
	if got := str2(r.editor.expect("$/cancel_request").Params); got != string(q.ID) {
		t.Errorf("the editor is to cancel %s and not %s", got, q.ID)
	}
	r.editor.answer(q, failure{-32800, "cancelled"})
	a.response(`"q"`)
}

// str2 is the requestId of a cancellation, as it came.
func str2(params json.RawMessage) string {
	var p struct{ RequestID json.RawMessage }
	_ = json.Unmarshal(params, &p)
	return string(p.RequestID)
}

func TestSessionsNobodyKnowsAreTheAgents(t *testing.T) {
	r := newRig(t, setup{})
	a, _ := r.connect(setup{})
	id := r.editor.request("session/prompt", obj{"sessionId": "nope", "prompt": []any{}})
	a.answer(a.expect("session/prompt"), failure{-32602, "Session nope not found"})
	if got := string(r.editor.response(id).Error); !strings.Contains(got, "-32602") {
		t.Errorf("%s", got)
	}
	a.request("fs/write_text_file", obj{"sessionId": "nope", "path": r.path("x"), "content": "x"})
	if got := string(a.response("1").Error); !strings.Contains(got, "-32002") {
		t.Errorf("a write in no session: %s", got)
	}
}
