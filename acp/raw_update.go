package acp

import "github.com/go-json-experiment/json/jsontext"

// RawUpdate is what can be told of the params of a session/update at one look, each part raw and nil where it is not
// there. Content and the rest are of the update.
type RawUpdate struct {
	SessionID jsontext.Value
	Update    jsontext.Value
	Kind      jsontext.Value // sessionUpdate
	MessageID jsontext.Value
	Text      jsontext.Value // of a content block that is text and nothing else
	Plain     bool           // a chunk with Text, perhaps MessageID, and nothing else
}

// PeekUpdate looks at the params of a session/update, which have been checked as everything that a Conn delivers. ok is
// false where a member that counts is there twice, or the params are no such thing.
func PeekUpdate(params jsontext.Value) (u RawUpdate, ok bool) {
	rest := false
	ok = walk(params, 0, func(name, value []byte) bool {
		switch string(name) {
		case "sessionId":
			return once(&u.SessionID, value)
		case "update":
			return once(&u.Update, value)
		}
		rest = true
		return true
	})
	if !ok || u.Update == nil {
		return u, ok
	}
	var content jsontext.Value
	ok = walk(u.Update, 0, func(name, value []byte) bool {
		switch string(name) {
		case "sessionUpdate":
			return once(&u.Kind, value)
		case "content":
			return once(&content, value)
		case "messageId":
			return once(&u.MessageID, value)
		}
		rest = true
		return true
	})
	if !ok || len(content) == 0 || content[0] != '{' || rest {
		return u, ok
	}
	var kind jsontext.Value
	plain := walk(content, 0, func(name, value []byte) bool {
		switch string(name) {
		case "type":
			return once(&kind, value)
		case "text":
			return once(&u.Text, value)
		}
		rest = true
		return true
	})
	u.Plain = plain && !rest && string(kind) == `"text"` && len(u.Text) > 0 && u.Text[0] == '"'
	return u, ok
}

// once fills a member; false if it is there already.
func once(to *jsontext.Value, value []byte) bool {
	first := *to == nil
	*to = value
	return first
}

// walk visits the members of an object from place i on, names as they stand between their quotes; a name that is
// written with escapes is nobody's. It reports false if visit did, or where there is no object.
func walk(obj []byte, i int, visit func(name, value []byte) bool) bool {
	i = skipSpace(obj, i)
	if i >= len(obj) || obj[i] != '{' {
		return false
	}
	for i = skipSpace(obj, i+1); i < len(obj) && obj[i] == '"'; {
		nameEnd, value, f := scanName(obj, i)
		if f != faultNone {
			return false
		}
		end, f := scanValue(obj, value, 1)
		if f != faultNone {
			return false
		}
		name := obj[i+1 : nameEnd-1]
		if hasEscape(name) {
			name = []byte(unquote(name))
		}
		if !visit(name, obj[value:end:end]) {
			return false
		}
		if i = skipSpace(obj, end); i < len(obj) && obj[i] == ',' {
			i = skipSpace(obj, i+1)
		}
	}
	return true
}
