package acp

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// FuzzScan holds the scanner to the general decoder: both take the same inputs for JSON and the same text from a string.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e+3,true,false,null,"\u00e9\ud83d\ude00\n"]}`, `{}`, `[[],{}]`, "\"\xff\\ud800x\"", `"01234567\\89`, `{"a":1,}`, `-`, `1.`, `tru`, ` "a" `, "\"\x01\"", "\"\"\x000"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, f := scanValue(data, skipSpace(data, 0), 0); f > faultSyntax { // over a limit, which jsontext does not have
			return
		}
		d := decoder{data: data}
		raw := d.skip()
		ok := d.end() == nil
		want := jsontext.Value(data).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
		if ok != want {
			t.Fatalf("%q: taken for JSON: %v, want %v", data, ok, want)
		}
		if !ok || raw[0] != '"' {
			return
		}
		got := (&decoder{data: raw}).text()
		text, _ := jsontext.AppendUnquote(nil, raw)
		if got != string(text) {
			t.Fatalf("%q: have %q, want %q", raw, got, text)
		}
	})
}

// FuzzRoundTrip decodes by method and encodes: what was written is one line of JSON, reads as the same, and is written the
// same again.
func FuzzRoundTrip(f *testing.F) {
	types := []func() any{}
	for _, m := range methods() {
		types = append(types, func() any { return newParams(m.name) })
		if m.result != nil {
			types = append(types, func() any { return newResult(m.name) })
		}
	}
	seen := map[string]bool{}
	for _, r := range recordings(f) {
		if len(r.payload) > 2000 || seen[r.where] {
			continue
		}
		seen[r.where] = true
		f.Add(slices.IndexFunc(types, func(typ func() any) bool { return reflect.TypeOf(typ()) == reflect.TypeOf(r.typ()) }), []byte(r.payload))
	}
	f.Fuzz(func(t *testing.T, which int, data []byte) {
		typ := types[uint(which)%uint(len(types))]
		v := typ()
		if Unmarshal(data, v) != nil {
			_ = UnmarshalStrict(data, v)
			return
		}
		first, err := Marshal(v)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if bytes.ContainsAny(first, "\r\n") || !jsontext.Value(first).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) {
			t.Fatalf("%q: written as %q", data, first)
		}
		again := typ()
		if err := Unmarshal(first, again); err != nil {
			t.Fatalf("%q: written as %q: %v", data, first, err)
		}
		second, err := Marshal(again)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%q: written as\n%q, then as\n%q (%v)", data, first, second, err)
		}
	})
}

// FuzzPlainChunk holds the shortcut for chunks of text to the codec.
func FuzzPlainChunk(f *testing.F) {
	for _, seed := range plainChunks {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var short SessionNotification
		if !plainChunk(data, &short) {
			return
		}
		for _, strict := range []bool{false, true} {
			long := new(SessionNotification)
			c, _ := protocol().whole(reflect.TypeFor[SessionNotification]())
			if err := unmarshalBy(c, data, reflect.ValueOf(long), strict); err != nil {
				t.Fatalf("%q: the codec says %v", data, err)
			}
			if diff := cmp.Diff(long, &short); diff != "" {
				t.Fatalf("%q: %s", data, diff)
			}
		}
	})
}
