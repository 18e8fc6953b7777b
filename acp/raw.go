package acp

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Reading and changing single members of JSON that is passed on as it came: all else keeps its bytes, the order of
// members, the spelling of numbers and what nobody here has heard of.

// Member is the raw value of a member of an object that has been checked, as everything that a Conn delivers. It is
// nil where obj is no object, has no such member, or has it twice: two programs could read that differently.
func Member(obj jsontext.Value, name string) jsontext.Value {
	return memberSpan(obj, name).of(obj)
}

// memberSpan is where the value of a member stands; none where there is none, or
// more than one.
func memberSpan(obj jsontext.Value, name string) (found span) {
	if !scanMembers(obj, 0, func(inside []byte, value span) bool {
		return string(inside) != name || once(&found, value)
	}) {
		return span{}
	}
	return found
}

func isName(inside []byte, name string) bool {
	if hasEscape(inside) {
		return unquote(inside) == name
	}
	return string(inside) == name
}

// SetMember returns obj with the member called name set to value: in its place where it has one, in front of the others
// where it has none. obj, an object, is left as it is; anything else is returned unchanged.
func SetMember(obj jsontext.Value, name string, value jsontext.Value) jsontext.Value {
	if at := memberSpan(obj, name); at.to > 0 {
		return slices.Concat(obj[:at.from], value, obj[at.to:])
	}
	i := skipSpace(obj, 0)
	if i >= len(obj) || obj[i] != '{' {
		return obj
	}
	head := append(slices.Clone(obj[:i+1]), Quote(name)...)
	head = append(append(head, ':'), value...)
	if rest := skipSpace(obj, i+1); rest < len(obj) && obj[rest] != '}' {
		head = append(head, ',')
	}
	return append(head, obj[i+1:]...)
}

// PutFirst returns the array list with items, one or more values separated by commas, before all others. A list that is
// no array is replaced.
func PutFirst(list, items jsontext.Value) jsontext.Value {
	i := skipSpace(list, 0)
	if i >= len(list) || list[i] != '[' {
		return slices.Concat(jsontext.Value("["), items, jsontext.Value("]"))
	}
	out := append(slices.Clone(list[:i+1]), items...)
	if rest := skipSpace(list, i+1); rest < len(list) && list[rest] != ']' {
		out = append(out, ',')
	}
	return append(out, list[i+1:]...)
}

// PutLast is PutFirst with the items behind all others.
func PutLast(list, items jsontext.Value) jsontext.Value {
	i, end := skipSpace(list, 0), bytes.LastIndexByte(list, ']')
	if i >= len(list) || list[i] != '[' || end < i {
		return slices.Concat(jsontext.Value("["), items, jsontext.Value("]"))
	}
	out := slices.Clone(list[:end])
	if skipSpace(list, i+1) < end {
		out = append(out, ',')
	}
	return append(append(out, items...), list[end:]...)
}

// StringOf is the text of a raw string, "" and false for any other value.
func StringOf(raw jsontext.Value) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if inside := raw[1 : len(raw)-1]; hasEscape(inside) || !isASCII(inside) {
		return unquote(inside), true
	}
	return string(raw[1 : len(raw)-1]), true
}

// AppendText appends the text of a raw string to dst; any other value has none.
func AppendText(dst []byte, raw jsontext.Value) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return dst
	}
	inside := raw[1 : len(raw)-1]
	if bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return append(dst, inside...)
	}
	return append(dst, unquote(inside)...)
}

func isASCII(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c >= 0x80 })
}

// SameText says whether a raw string has that text, without making one where it can.
func SameText(raw jsontext.Value, text string) bool {
	if len(raw) < 2 || raw[0] != '"' {
		return false
	}
	return isName(raw[1:len(raw)-1], text)
}

// Quote is a text as a raw string.
func Quote(text string) jsontext.Value {
	b, err := jsontext.AppendQuote(nil, bytes.ToValidUTF8([]byte(text), []byte("\uFFFD")))
	if err != nil {
		return jsontext.Value(`""`) // it is valid UTF-8
	}
	return b
}

// WithoutMember returns obj without the member called name; obj itself is left as it is.
func WithoutMember(obj jsontext.Value, name string) jsontext.Value {
	at := memberSpan(obj, name)
	if at.to == 0 {
		return obj
	}
	start := bytes.LastIndexByte(obj[:at.from], ':') // behind the name
	start = bytes.LastIndexByte(obj[:start], '"')
	for start--; obj[start] != '"' || escaped(obj, start); start-- {
	}
	end := skipSpace(obj, int(at.to))
	if end < len(obj) && obj[end] == ',' {
		return slices.Concat(obj[:start], obj[end+1:])
	}
	if before := bytes.TrimRight(obj[:start], " \t\r\n"); len(before) > 0 && before[len(before)-1] == ',' {
		start = len(before) - 1
	}
	return slices.Concat(obj[:start], obj[at.to:])
}

// escaped says whether the character at i in a string stands behind an odd number of backslashes.
func escaped(b []byte, i int) bool {
	n := 0
	for i--; i >= 0 && b[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}
