package acp

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestAMessageKeepsItsBytes: what is kept does not change with the memory that it came in, and neither does its view.
func TestAMessageKeepsItsBytes(t *testing.T) {
	const tool = `{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","rawInput":{"a":1}}}`
	const text = `{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hello"}}}`
	for _, params := range []string{tool, text} {
		for name, view := range map[string]func(*Message) *Message{
			"kept":             (*Message).Keep,
			"peeked and kept":  func(m *Message) *Message { m.Peek(); return m.Keep() },
			"decoded":          func(m *Message) *Message { m.Update(); return &Message{Method: m.Method, note: m.note, read: true} },
			"decoded and kept": func(m *Message) *Message { m.Update(); return m.Keep() },
		} {
			line := []byte(params)
			m := view(&Message{Method: MethodSessionUpdate, More: true, params: line, theirs: true})
			for i := range line {
				line[i] = 'x'
			}
			want, err := Marshal(&SessionNotification{SessionID: "s", Update: NewMessage(MethodSessionUpdate, jsontext.Value(params)).Update()})
			if err != nil {
				t.Fatal(err)
			}
			if m.params != nil && string(m.Params()) != params || m.More {
				t.Errorf("%s: %s, more %v", name, m.Params(), m.More)
			}
			if got, err := Marshal(&SessionNotification{SessionID: m.SessionID(), Update: m.Update()}); err != nil || string(got) != string(want) {
				t.Errorf("%s: seen as %s, %v, want %s", name, got, err, want)
			}
			if p, plain := NewMessage(m.Method, m.Params()).Chunk(); plain != (params == text) || plain && string(p.Text) != `"hello"` {
				t.Errorf("%s: a chunk: %v, %s", name, plain, p.Text)
			}
		}
	}
}

// TestAPatchIsSeen: the view is that of the changed bytes, and the session can be another one, whatever the message is made of.
func TestAPatchIsSeen(t *testing.T) {
	title := "t"
	made := NewUpdate("s", &ToolCallUpdate{ToolCallID: "c", Title: &title})
	came := NewMessage(MethodSessionUpdate, NewUpdate("s", &ToolCallUpdate{ToolCallID: "c", Title: &title}).Params())
	for name, m := range map[string]*Message{"made": made, "came": came} {
		m.Update()
		m.SetSessionID("r")
		m.Patch(func(params jsontext.Value) jsontext.Value {
			return SetMember(params, "update", SetMember(Member(params, "update"), "title", Quote("u")))
		})
		if u, ok := m.Update().(*ToolCallUpdate); !ok || *u.Title != "u" || m.SessionID() != "r" || !SameText(Member(m.Params(), "sessionId"), "r") {
			t.Errorf("%s: %s in session %s", name, m.Params(), m.SessionID())
		}
	}
	if NewMessage("x", nil).Update() != nil || NewMessage(MethodSessionUpdate, jsontext.Value(`{}`)).Update() != nil {
		t.Error("what is no update has a view of one")
	}
}
