package acp

import (
	"fmt"
	"reflect"
	"testing"
)

// What agents, clients and documents are known to send, and what it means. What is written is always the real form.
func TestOtherSpellingsAreUnderstood(t *testing.T) {
	permission := func() any { return new(RequestPermissionResponse) }
	update := func() any { return new(SessionNotification) }
	for _, c := range []struct {
		read, write string
		typ         func() any
	}{
		{`{"sessionId":"s","update":{"sessionUpdate":"current_mode_update","modeId":"ask"}}`, `{"sessionId":"s","update":{"sessionUpdate":"current_mode_update","currentModeId":"ask"}}`, update},
		{`{"sessionId":"s","update":{"sessionUpdate":"current_mode_update","modeId":"ask","currentModeId":"code"}}`, `{"sessionId":"s","update":{"sessionUpdate":"current_mode_update","currentModeId":"code"}}`, update},
		{
			`{"sessionId":"s","update":{"sessionUpdate":"plan","steps":[{"title":"look","description":"around","status":"completed"},{"description":"write"}]}}`,
			`{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[{"content":"look","priority":"medium","status":"completed","description":"around"},{"content":"write","priority":"medium","status":"pending"}]}}`, update,
		},
		{
			`{"sessionId":"s","update":{"sessionUpdate":"plan_update","plan":{"type":"items","planId":"p","entries":[{"content":"look","priority":"low","status":"pending"}]}}}`,
			`{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[{"content":"look","priority":"low","status":"pending"}],"type":"items","planId":"p"}}`, update,
		},
		{
			`{"sessionId":"s","update":{"sessionUpdate":"plan_update","plan":{"type":"markdown","planId":"p","text":"- look"}}}`,
			`{"sessionId":"s","update":{"sessionUpdate":"plan_update","plan":{"type":"markdown","planId":"p","text":"- look"}}}`, update,
		},
		{
			`{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"1","title":"t","status":"running","content":[{"type":"text","text":"x"}]}}`,
			`{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"1","title":"t","status":"in_progress","content":[{"type":"content","content":{"type":"text","text":"x"}}]}}`, update,
		},
		{
			`{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"1","status":"error","kind":"create"}}`,
			`{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"1","kind":"create","status":"failed"}}`, update,
		},
		{`{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"1","name":"grep"}}`, `{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"1","title":"grep","name":"grep"}}`, update},
		{`{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"1"}}`, `{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"1","title":"1"}}`, update},

		{`{"outcome":"selected","optionId":"o"}`, `{"outcome":{"outcome":"selected","optionId":"o"}}`, permission},
		{`{"optionId":"o","outcome":"selected"}`, `{"outcome":{"outcome":"selected","optionId":"o"}}`, permission},
		{`{"selected":{"optionId":"o"}}`, `{"outcome":{"outcome":"selected","optionId":"o"}}`, permission},
		{`{"outcome":{"selected":{"optionId":"o"}}}`, `{"outcome":{"outcome":"selected","optionId":"o"}}`, permission},
		{`{"optionId":"o"}`, `{"outcome":{"outcome":"selected","optionId":"o"}}`, permission},
		// whatever is unclear is no consent
		{`{"outcome":"cancelled","optionId":"o"}`, `{"outcome":{"outcome":"cancelled"}}`, permission},
		{`{"optionId":"o","outcome":"cancelled"}`, `{"outcome":{"outcome":"cancelled"}}`, permission},
		{`{"optionId":"o","outcome":{"outcome":"cancelled"}}`, `{"outcome":{"outcome":"cancelled"}}`, permission},
		{`{"outcome":"rejected","optionId":"o"}`, `{"outcome":{"outcome":"cancelled"}}`, permission},
		{`{"outcome":"selected"}`, `{"outcome":{"outcome":"selected"}}`, permission}, // an Unknown
		{`{"selected":{}}`, `{"outcome":{"outcome":"cancelled"}}`, permission},
		{`{}`, `{"outcome":{"outcome":"cancelled"}}`, permission},

		{
			`{"sessionId":"s","request":{"type":"tool","name":"bash"}}`,
			`{"sessionId":"s","toolCall":{"toolCallId":"request","title":"tool bash","rawInput":{"type":"tool","name":"bash"}},"options":[]}`,
			func() any { return new(RequestPermissionRequest) },
		},
		{
			`{"protocolVersion":1,"serverInfo":{"name":"n","version":"1"},"capabilities":{"loadSession":{},"promptCapabilities":{"embeddedContent":true,"image":null},"sessionCapabilities":{"list":true,"close":false}}}`,
			`{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"promptCapabilities":{"embeddedContext":true},"sessionCapabilities":{"list":{}}},"agentInfo":{"name":"n","version":"1"}}`,
			func() any { return new(InitializeResponse) },
		},
		{
			`{"protocolVersion":1,"authMethods":[{"methodId":"a","name":"A"},{"methodId":"t","type":"terminal","name":"T"},{"type":"agent","id":"b","name":"B"},{"type":"env_var","id":"c"}]}`,
			`{"protocolVersion":1,"authMethods":[{"id":"a","name":"A"},{"type":"terminal","id":"t","name":"T"},{"id":"b","name":"B"},{"type":"env_var","id":"c"}]}`,
			func() any { return new(InitializeResponse) },
		},
		{`{"meta":{"a":1}}`, `{"_meta":{"a":1}}`, func() any { return new(SetSessionModeResponse) }},
		{
			`{"sessionId":"s","optionId":"c","type":"id","value":"v"}`, `{"sessionId":"s","configId":"c","value":"v"}`,
			func() any { return new(SetSessionConfigOptionRequest) },
		},
		{
			`{"configOptions":[{"configId":"c","name":"C","type":"select","currentValue":"a","options":["a","b"]}]}`,
			`{"configOptions":[{"id":"c","name":"C","type":"select","currentValue":"a","options":[{"value":"a","name":"a"},{"value":"b","name":"b"}]}]}`,
			func() any { return new(SetSessionConfigOptionResponse) },
		},
		{
			`{"configOptions":[{"id":"c","name":"C","type":"select","currentValue":"a","options":[{"groupId":"g","name":"G","options":[]}]}]}`,
			`{"configOptions":[{"id":"c","name":"C","type":"select","currentValue":"a","options":[{"group":"g","name":"G","options":[]}]}]}`,
			func() any { return new(SetSessionConfigOptionResponse) },
		},
		{`{"output":"x","truncated":false,"exitCode":3,"signal":null}`, `{"output":"x","truncated":false,"exitStatus":{"exitCode":3}}`, func() any { return new(TerminalOutputResponse) }},
		{`{"exitStatus":{"exitCode":null,"signal":"SIGKILL"}}`, `{"signal":"SIGKILL"}`, func() any { return new(WaitForTerminalExitResponse) }},
		{`{"type":"stdio","name":"m","command":"c","args":[],"env":[]}`, `{"name":"m","command":"c","args":[],"env":[]}`, func() any { return new(MCPServerStdio) }},
	} {
		v := c.typ()
		t.Run(fmt.Sprintf("%s %s", reflect.TypeOf(v).Elem().Name(), c.read), func(t *testing.T) {
			if err := Unmarshal([]byte(c.read), v); err != nil {
				t.Fatal(err)
			}
			if got := written(t, v); got != c.write {
				t.Errorf("have %s\nwant %s", got, c.write)
			}
		})
	}
}
