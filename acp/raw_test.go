package acp

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func TestRawMembers(t *testing.T) {
	obj := jsontext.Value(` { "a" : 1.0 , "b":{"a":2},"\u0063":[ ],"d":"x" } `)
	for name, want := range map[string]string{"a": "1.0", "b": `{"a":2}`, "c": "[ ]", "d": `"x"`, "e": ""} {
		if got := string(Member(obj, name)); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, c := range []struct{ obj, name, value, want string }{
		{`{"a":1,"b":2}`, "b", "3", `{"a":1,"b":3}`},
		{`{ "a" : 1 }`, "b", "2", `{"b":2, "a" : 1 }`},
		{`{}`, "b", "2", `{"b":2}`},
		{`[1]`, "b", "2", `[1]`},
		{`{"\u0062":1}`, "b", "2", `{"\u0062":2}`},
	} {
		if got := string(SetMember(jsontext.Value(c.obj), c.name, jsontext.Value(c.value))); got != c.want {
			t.Errorf("%s with %s=%s is %s", c.obj, c.name, c.value, got)
		}
	}
	for _, c := range []struct{ obj, name, want string }{
		{`{"a":1,"b":2,"c":3}`, "b", `{"a":1,"c":3}`}, {`{"a":1,"b":2}`, "b", `{"a":1}`}, {`{"b":2}`, "b", `{}`}, {`{"a":1}`, "b", `{"a":1}`},
	} {
		if got := string(WithoutMember(jsontext.Value(c.obj), c.name)); got != c.want {
			t.Errorf("%s without %s is %s", c.obj, c.name, got)
		}
	}
	for list, want := range map[string]string{`[]`: `[0]`, `[1, 2]`: `[0,1, 2]`, `null`: `[0]`, ``: `[0]`} {
		if got := string(PutFirst(jsontext.Value(list), jsontext.Value("0"))); got != want {
			t.Errorf("0 before %s is %s", list, got)
		}
	}
	for list, want := range map[string]string{`[]`: `[0]`, `[ ]`: `[ 0]`, `[1, 2]`: `[1, 2,0]`, `null`: `[0]`, ``: `[0]`} {
		if got := string(PutLast(jsontext.Value(list), jsontext.Value("0"))); got != want {
			t.Errorf("0 behind %s is %s", list, got)
		}
	}
	if got := Member(jsontext.Value(`{"a":1,"a":2}`), "a"); got != nil {
		t.Errorf("a member that is there twice is %s", got)
	}
}

// FuzzRawMembers holds the reading and changing of single members to a decoder: all else keeps its bytes.
func FuzzRawMembers(f *testing.F) {
	f.Add([]byte(`{"a":1,"b":{"c":[1e2,"\u00e9"]},"sessionId":"s"}`), "b", []byte(`"x"`))
	f.Add([]byte(`{ "\"a\\" : null }`), `"a\`, []byte(`{}`))
	f.Add([]byte(`{}`), "\"\xd8\"", []byte("0")) // no text: it cannot be a member's name
	f.Add([]byte(`{}`), "0", []byte("1"+strings.Repeat("0", 64)))
	f.Fuzz(func(t *testing.T, line []byte, name string, value []byte) {
		var e envelope
		wrapped := append(append([]byte(`{"jsonrpc":"2.0","method":"m","params":`), line...), '}')
		if judge(wrapped, &e).kind != lineNotification || len(e.params) == 0 || e.params[0] != '{' || !jsontext.Value(value).IsValid() {
			return
		}
		obj := jsontext.Value(e.params)
		var want map[string]json.RawMessage
		if !obj.IsValid() || json.Unmarshal(obj, &want) != nil { // a name twice, half a surrogate pair
			return
		}
		if !Quote(name).IsValid() {
			t.Fatalf("%q is quoted as %s", name, Quote(name))
		}
		got := Member(obj, name)
		if raw, there := want[name]; there != (got != nil) || there && string(raw) != string(got) {
			t.Errorf("%s: %q is %s, want %s", obj, name, got, raw)
		}
		value = bytes.TrimSpace(value)
		if _, f := scanValue(value, 0, 1); f != faultNone { // a number of more digits than are passed on
			return
		}
		set := SetMember(obj, name, value)
		if back := Member(set, name); utf8.ValidString(name) && set.IsValid() && string(back) != string(value) && len(want) < maxKeys {
			t.Errorf("%s with %q=%s is %s", obj, name, value, set)
		}
		if !WithoutMember(obj, name).IsValid() {
			t.Errorf("%s without %q is %s", obj, name, WithoutMember(obj, name))
		}
		p, ok := NewMessage(MethodSessionUpdate, obj).Peek()
		if ok && string(p.SessionID) != string(Member(obj, "sessionId")) {
			t.Errorf("%s: the session is %s", obj, p.SessionID)
		}
	})
}

// TestAppendTextIsStringOf: the two ways to the text of a raw string say the same.
func TestAppendTextIsStringOf(t *testing.T) {
	for _, raw := range []string{`"plain"`, `""`, `"é ü 漢"`, `"a\nb\u0041\ud83d\ude00"`, `"\ud83d"`, "\"bad \xff utf\"", `12`, `null`, ``, `"`} {
		text, _ := StringOf(jsontext.Value(raw))
		if got := AppendText([]byte("> "), jsontext.Value(raw)); string(got) != "> "+text {
			t.Errorf("%s: %q, want %q", raw, got, "> "+text)
		}
	}
}
