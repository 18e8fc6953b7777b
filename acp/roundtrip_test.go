package acp

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// A recorded message and the Go type of its payload.
type recorded struct {
	where   string
	payload jsontext.Value
	typ     func() any
}

// recordings reads the real traffic in testdata/recordings: the parameters and results of the methods of the protocol.
func recordings(t testing.TB) []recorded {
	t.Helper()
	files, err := filepath.Glob("../testdata/recordings/*.ndjson")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	var all []recorded
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string]string{} // who asked, connection and id → method
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, len(data)+1)
		for lines.Scan() {
			var line struct {
				Dir  string `json:"dir"`
				Conn string `json:"conn"`
				Msg  struct {
					ID     jsontext.Value `json:"id"`
					Method string         `json:"method"`
					Params jsontext.Value `json:"params"`
					Result jsontext.Value `json:"result"`
				} `json:"msg"`
			}
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			msg, method, payload, typ := line.Msg, line.Msg.Method, line.Msg.Params, newParams
			if method != "" {
				asked[line.Dir+line.Conn+string(msg.ID)] = method
			} else {
				other := map[string]string{"c2a": "a2c", "a2c": "c2a"}[line.Dir]
				method, payload, typ = asked[other+line.Conn+string(msg.ID)], msg.Result, newResult
			}
			if payload == nil || typ(method) == nil {
				continue // an error, or a method of the agent's own
			}
			all = append(all, recorded{filepath.Base(file) + " " + method, payload, func() any { return typ(method) }})
		}
	}
	return all
}

func TestRecordedMessagesRoundTrip(t *testing.T) {
	kinds := map[string]int{}
	for _, r := range recordings(t) {
		v := r.typ()
		if err := Unmarshal(r.payload, v); err != nil {
			t.Errorf("%s: %v\n%s", r.where, err, r.payload)
			continue
		}
		kinds[strings.TrimPrefix(reflect.TypeOf(v).String(), "*acp.")]++
		out, err := Marshal(v)
		if err != nil {
			t.Errorf("%s: %v", r.where, err)
			continue
		}
		if diff := cmp.Diff(meaning(t, r.payload), meaning(t, out)); diff != "" {
			t.Errorf("%s: written and read differ (-read +written)\n%s", r.where, diff)
		}
		for _, raw := range raws(reflect.ValueOf(v), nil) {
			if !bytes.Contains(r.payload, raw) || !bytes.Contains(out, raw) {
				t.Errorf("%s: not byte for byte: %s", r.where, raw)
			}
		}
		again := r.typ()
		if err := Unmarshal(out, again); err != nil {
			t.Errorf("%s: what was written cannot be read: %v", r.where, err)
		} else if diff := cmp.Diff(v, again); diff != "" {
			t.Errorf("%s: read again differs\n%s", r.where, diff)
		}
	}
	for _, want := range []string{"SessionNotification", "RequestPermissionRequest", "RequestPermissionResponse", "ReadTextFileResponse", "PromptResponse"} {
		if kinds[want] == 0 {
			t.Errorf("the recordings have no %s: %v", want, kinds)
		}
	}
}

// meaning is a JSON value for comparison: null members, and the capabilities that are false or empty, are left out, for
// the protocol makes no difference there.
func meaning(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return tidy(v, false)
}

func tidy(v any, capability bool) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if strings.HasPrefix(name, "_") || name == "rawInput" || name == "rawOutput" {
				continue
			}
			inside := capability || strings.HasSuffix(name, "apabilities")
			value = tidy(value, inside)
			empty, isMap := value.(map[string]any)
			v[name] = value
			if value == nil || inside && (value == false || isMap && len(empty) == 0 && (strings.HasSuffix(name, "apabilities") || name == "auth")) {
				delete(v, name)
			}
		}
	case []any:
		for i := range v {
			v[i] = tidy(v[i], capability)
		}
	}
	return v
}

// raws collects what a decoded value keeps byte for byte: raw values, and the members of each Extra.
func raws(v reflect.Value, all []jsontext.Value) []jsontext.Value {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			all = raws(v.Elem(), all)
		}
	case reflect.Slice:
		if raw, ok := v.Interface().(jsontext.Value); ok {
			if len(raw) > 0 {
				all = append(all, raw)
			}
			break
		}
		for i := range v.Len() {
			all = raws(v.Index(i), all)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "Extra" {
				all = raws(v.Field(i), all)
				continue
			}
			d := decoder{data: v.Field(i).Bytes()}
			if len(d.data) == 0 {
				continue
			}
			for ok := d.open(); ok; ok = d.next() {
				from := d.start
				d.skip()
				all = append(all, d.data[from:d.pos])
			}
		}
	}
	return all
}
