package acp

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Message is a notification or a request: its bytes as they came, and a view of them that is decoded when somebody asks
// for it. It can also be made of a view, and has bytes when somebody asks for those. It is used by one goroutine at a time.
//
// One that a Conn hands over as a notification is the Conn's, with its bytes: both are overwritten when the Handler
// returns. [Message.Keep] is for who needs it longer.
type Message struct {
	Method  string
	Request *Request // what the message is; nil for a notification
	More    bool     // the line behind it has been read already; see [Handler]

	params jsontext.Value // nil for none, and where they are not encoded yet
	theirs bool           // the message is overwritten later, and unless owned, params too
	owned  bool
	look   look
	note   SessionNotification // the view of a session/update
	read   bool                // note is params decoded, as far as that is possible, or the message was made of it
}

// look is where in params the parts of a session/update stand that can be told at one look.
type look struct {
	done, ok, plain              bool
	session, kind, message, text span
}

// NewMessage is a message of bytes: an object, an array, or nil for none. They must not be changed afterwards.
func NewMessage(method string, params jsontext.Value) *Message {
	return &Message{Method: method, params: params}
}

// NewUpdate is a session/update made of its view.
func NewUpdate(session SessionID, u SessionUpdate) *Message {
	return &Message{Method: MethodSessionUpdate, note: SessionNotification{SessionID: session, Update: u}, read: true}
}

// requestMessage is the message of a request.
func requestMessage(r *Request) *Message {
	return &Message{Method: r.method, Request: r, params: r.params}
}

// Keep is the message for longer than the call of a Handler: itself where it is nobody else's, else a copy.
func (m *Message) Keep() *Message {
	if !m.theirs {
		return m
	}
	kept := *m
	if kept.theirs, kept.More = false, false; !m.owned {
		kept.params = slices.Clone(m.params)
	}
	return &kept
}

// Params are the bytes. An update that cannot be encoded has none; what came from the wire can be.
func (m *Message) Params() jsontext.Value {
	if m.params == nil && m.read {
		if raw, err := Marshal(&m.note); err == nil {
			m.params = raw
		}
	}
	return m.params
}

// Size is how many bytes the message holds.
func (m *Message) Size() int { return len(m.params) }

// Update is the view of a session/update; nil for any other message, and for one that cannot be read. It is the
// message's: a change of it is seen by all who look later, and not in the bytes.
func (m *Message) Update() SessionUpdate {
	if !m.read && m.Method == MethodSessionUpdate {
		data := m.params
		if m.theirs && !m.owned && !plainChunk(data, &m.note) {
			data = slices.Clone(data) // parts of it stay in the view
		}
		if m.note.Update == nil && Unmarshal(data, &m.note) != nil {
			m.note = SessionNotification{}
		}
		m.read = true
	}
	return m.note.Update
}

// Patch changes the bytes, by functions such as [SetMember]. The view is that of the new ones.
func (m *Message) Patch(change func(params jsontext.Value) jsontext.Value) {
	old := m.Params()
	params := change(old)
	if len(params) == len(old) && (len(old) == 0 || &params[0] == &old[0]) {
		return // it is the same
	}
	m.params, m.look, m.owned = params, look{}, true
	m.note, m.read = SessionNotification{}, false
}

// Respell has the bytes say what the view does: all who read them then read the same. One that cannot be read stays as it is.
func (m *Message) Respell() {
	if m.Update() != nil {
		m.params, m.look, m.owned = nil, look{}, true
	}
}

// Parts is what can be told of a session/update at one look, each part raw and nil where it is not there.
type Parts struct {
	SessionID jsontext.Value
	Kind      jsontext.Value // sessionUpdate
	MessageID jsontext.Value
	Text      jsontext.Value // of a content block that is text and nothing else
	Plain     bool           // a chunk with Text, perhaps MessageID, and nothing else
}

// Peek looks at the bytes, which have been checked as everything that a Conn delivers. ok is false where a member that
// counts is there twice, or the params are no object.
func (m *Message) Peek() (p Parts, ok bool) {
	if !m.look.done {
		m.look = lookAt(m.Params())
	}
	l := &m.look
	return Parts{l.session.of(m.params), l.kind.of(m.params), l.message.of(m.params), l.text.of(m.params), l.plain}, l.ok
}

// Chunk is Peek of a plain chunk of text that nobody has decoded; false for everything else.
func (m *Message) Chunk() (Parts, bool) {
	if m.read {
		return Parts{}, false
	}
	p, ok := m.Peek()
	return p, ok && p.Plain
}

// SessionID is the session that the message belongs to, "" for none.
func (m *Message) SessionID() SessionID {
	if m.read && m.params == nil {
		return m.note.SessionID
	}
	p, _ := m.Peek()
	id, _ := StringOf(p.SessionID)
	return SessionID(id)
}

// SetSessionID has the message belong to another session.
func (m *Message) SetSessionID(id SessionID) {
	if m.read && m.params == nil {
		m.note.SessionID = id
		return
	}
	if m.SessionID() != id {
		m.Patch(func(params jsontext.Value) jsontext.Value { return SetMember(params, "sessionId", Quote(string(id))) })
	}
}

func lookAt(params jsontext.Value) look {
	l := look{done: true}
	var update, content span
	rest := false
	l.ok = scanMembers(params, 0, func(name []byte, value span) bool {
		switch string(name) {
		case "sessionId":
			return once(&l.session, value)
		case "update":
			return once(&update, value)
		}
		rest = true
		return true
	})
	if !l.ok || update.to == 0 {
		return l
	}
	l.ok = scanMembers(params, update.from, func(name []byte, value span) bool {
		switch string(name) {
		case "sessionUpdate":
			return once(&l.kind, value)
		case "content":
			return once(&content, value)
		case "messageId":
			return once(&l.message, value)
		}
		rest = true
		return true
	})
	if !l.ok || content.to == 0 || params[content.from] != '{' || rest {
		return l
	}
	var kind span
	plain := scanMembers(params, content.from, func(name []byte, value span) bool {
		switch string(name) {
		case "type":
			return once(&kind, value)
		case "text":
			return once(&l.text, value)
		}
		rest = true
		return true
	})
	l.plain = plain && !rest && l.text.to > 0 && params[l.text.from] == '"' && string(kind.of(params)) == `"text"`
	return l
}

// once fills a part; false if it is there already.
func once(to *span, value span) bool {
	first := to.to == 0
	*to = value
	return first
}

// Caller calls the methods of a peer: a [Conn], or an agent.
type Caller interface {
	// Call has params, an object or nil for none, and returns the result as it came. What the peer answers with instead of
	// a result is an *Error.
	Call(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error)
}

// Call calls a method with a typed request and decodes the response. One that is null is the zero value.
func Call[R any](ctx context.Context, c Caller, method string, params any) (*R, error) {
	r := new(R)
	if err := callInto(ctx, c, method, params, r); err != nil {
		return nil, err
	}
	return r, nil
}

func callInto(ctx context.Context, c Caller, method string, params, result any) error {
	raw, err := encodeParams(params)
	if err != nil {
		return fmt.Errorf("call %s: encode params: %w", method, err)
	}
	answer, err := c.Call(ctx, method, raw)
	if err != nil || result == nil || len(answer) == 0 || string(answer) == "null" {
		return err
	}
	if err := Unmarshal(answer, result); err != nil {
		return fmt.Errorf("call %s: decode result: %w", method, err)
	}
	return nil
}

// Answer is the other side of [Call], for agents that are no process: it decodes params, has f answer and encodes that.
func Answer[P, R any](ctx context.Context, method string, params jsontext.Value, f func(context.Context, *P) (*R, error)) (jsontext.Value, error) {
	p := new(P)
	if err := Unmarshal(params, p); err != nil {
		return nil, &Error{Code: CodeInvalidParams, Message: method + ": " + err.Error()}
	}
	r, err := f(ctx, p)
	if err != nil {
		return nil, err
	}
	return Marshal(r)
}
