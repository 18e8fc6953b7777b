package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// RuleError says what is wrong with rules. Its text names the rule and the member.
type RuleError struct {
	What   string
	Offset int // of the place in the text of the rules, in bytes
}

func (e *RuleError) Error() string { return e.What }

// In is the place in the text of the rules, as editors count: line and column begin at 1, and a column is a character.
func (e *RuleError) In(data []byte) (line, column int) {
	before := data[:min(e.Offset, len(data))]
	line = 1 + bytes.Count(before, []byte{'\n'})
	return line, 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// ParseRules reads rules as they stand in a configuration. The error is a [*RuleError].
func ParseRules(data []byte) ([]Rule, error) {
	var raw []jsontext.Value
	if err := json.Unmarshal(data, &raw); err != nil {
		text, offset := plainJSON(err)
		if errors.As(err, new(*json.SemanticError)) {
			text, _, _ = strings.Cut(text, ";")
			return nil, &RuleError{"permission.rules is not an array: it is " + text, offset}
		}
		return nil, &RuleError{"permission.rules is no valid JSON: " + text, offset}
	}
	if len(raw) > maxRules {
		return nil, &RuleError{What: fmt.Sprintf("permission.rules has %d rules; %d are the most", len(raw), maxRules)}
	}
	out := make([]Rule, 0, len(raw))
	starts := elements(data)
	for i, v := range raw {
		r, err := parseRule(v)
		if err != nil {
			err.What, err.Offset = fmt.Sprintf("permission.rules[%d]%s", i, err.What), starts[i]+err.Offset
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// parseRule reads one rule; the error goes on after the name of the rule.
func parseRule(v jsontext.Value) (r Rule, _ *RuleError) {
	if err := json.Unmarshal(v, &r, json.RejectUnknownMembers(true)); err != nil {
		text, offset := plainJSON(err)
		where, name := "", jsontext.Pointer("")
		if e := new(json.SemanticError); errors.As(err, &e) {
			name = e.JSONPointer
			offset = max(offset, member(v, name.LastToken()))
			where = strings.ReplaceAll(string(name), "/", ".")
		}
		if errors.Is(err, json.ErrUnknownName) {
			return r, &RuleError{fmt.Sprintf(" has the member %q, which no rule has; write tool, path, argv, command or decision", name.LastToken()), offset}
		}
		if where == "" {
			return r, &RuleError{": " + text, offset}
		}
		return r, &RuleError{where + " is " + text, offset}
	}
	if err := r.check(); err != nil {
		name, _, _ := strings.Cut(err.Error(), " ") // it begins with the member
		return r, &RuleError{"." + err.Error(), member(v, name)}
	}
	if r.Dir != "" || r.Content != "" {
		return r, &RuleError{": dir and content belong to remembered answers only", 0}
	}
	return r, nil
}

// plainJSON is an error of package json without the names of our types, and where in the text it is.
func plainJSON(err error) (text string, offset int) {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		text = syntax.Err.Error()
		if errors.Is(err, io.ErrUnexpectedEOF) {
			text = "it ends too early"
		}
		return text, int(syntax.ByteOffset)
	}
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return err.Error(), 0
	}
	text = map[jsontext.Kind]string{'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "true", 'f': "false", 'n': "null"}[semantic.JSONKind]
	if t := semantic.GoType; t != nil {
		switch t.Kind() {
		case reflect.String:
			text += "; write a string"
		case reflect.Slice:
			text += "; write an array of strings"
		case reflect.Struct:
			text += "; write an object"
		}
	}
	return text, int(semantic.ByteOffset)
}

// elements are the offsets of the values in an array.
func elements(data []byte) (starts []int) {
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	for dec.PeekKind() != ']' {
		v, err := dec.ReadValue()
		if err != nil {
			return starts
		}
		starts = append(starts, int(dec.InputOffset())-len(v))
	}
	return starts
}

// member is the offset of an object's member by that name, 0 if it has none.
func member(object jsontext.Value, name string) int {
	dec := jsontext.NewDecoder(bytes.NewReader(object))
	if t, err := dec.ReadToken(); err != nil || t.Kind() != '{' {
		return 0
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadValue()
		if err != nil {
			return 0
		}
		at := int(dec.InputOffset()) - len(key)
		if string(key) == `"`+name+`"` {
			return at
		}
		if err := dec.SkipValue(); err != nil {
			return 0
		}
	}
	return 0
}
