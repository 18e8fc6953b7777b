package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestArgumentsAreDecoded(t *testing.T) {
	for _, c := range []struct {
		tool, args, want string
	}{
		{"view", `{"path":"/a"}`, `{Path:/a Range:<nil> Force:false}`},
		{"view", `{"path":"/a","view_range":[2,-1],"forceReadLargeFiles":true,"other":{"x":[1]}}`, `{Path:/a Range:2..-1 Force:true}`},
		{"view", `{"path":"/a","view_range":[3]}`, `{Path:/a Range:3..-1 Force:false}`},
		{"view", `{"path":"/a","view_range":[1.0, 2e0, 9]}`, `{Path:/a Range:1..2 Force:false}`},
		{"view", `{"path":"/a","view_range":[1,99999999999999999999]}`, `{Path:/a Range:1..1073741824 Force:false}`},
		{"view", `{"path":"/a","view_range":[]}`, `{Path:/a Range:<nil> Force:false}`},
		{"view", `{"path":"/a","view_range":null}`, `{Path:/a Range:<nil> Force:false}`},
		{"edit", `{"path":"/a","old_str":"","new_str":""}`, `{Path:/a Old: New:}`},
		{"create", `{"path":"/a","file_text":"\u00e9\n"}`, "{Path:/a Text:é\n}"},
		{"glob", `{"pattern":""}`, `{Pattern: Paths:[]}`},
		{"glob", `{"pattern":"*.go","paths":["a","b"]}`, `{Pattern:*.go Paths:[a b]}`},
		{"grep", `{"pattern":"x"}`, `{Pattern:x Paths:[] Mode:files_with_matches Glob: Type: IgnoreCase:false Before:0 After:0 LineNumbers:false HeadLimit:0 Multiline:false}`},
		{"grep", `{"pattern":"x","paths":"a","-C":2,"-A":5,"-n":true,"-i":true,"output_mode":"content","head_limit":3,"multiline":true,"glob":"*.go","type":"go"}`,
			`{Pattern:x Paths:[a] Mode:content Glob:*.go Type:go IgnoreCase:true Before:2 After:5 LineNumbers:true HeadLimit:3 Multiline:true}`},
		{"grep", `{"pattern":"x","paths":["a","","b"],"-n":null}`, `{Pattern:x Paths:[a b] Mode:files_with_matches Glob: Type: IgnoreCase:false Before:0 After:0 LineNumbers:false HeadLimit:0 Multiline:false}`},
		{"bash", `{"command":"ls"}`, `{Command:ls Description: ShellID: Mode:sync Detach:false InitialWait:0s}`},
		{"bash", `{"command":"ls","description":"d","shellId":"7","mode":"async","detach":true,"initial_wait":1.5}`, `{Command:ls Description:d ShellID:7 Mode:async Detach:true InitialWait:1.5s}`},
		{"bash", `{"command":"ls","initial_wait":1e300}`, `{Command:ls Description: ShellID: Mode:sync Detach:false InitialWait:1h0m0s}`},
		{"read_bash", `{"shellId":"7","delay":5}`, `{ShellID:7 Delay:5s}`},
		{"stop_bash", `{"shellId":"7"}`, `{ShellID:7}`},
		{"diagnostics", ``, `{Path:}`},
		{"diagnostics", ` null `, `{Path:}`},
		{"selection", `{}`, ``},
		{"ask", `{"question":" Which? ","options":["a"," b "]}`, `{Question:Which? Options:[a b] Other:true}`},
		{"ask", `{"question":"Which?","options":["a","b","c","d","e"],"allow_other":false}`, `{Question:Which? Options:[a b c d e] Other:false}`},
		{"ask", `{"question":"Which?","options":["a"]}`, `Invalid input: "options": there are 1, give 2 to 5`},
		{"ask", `{"question":"Which?","options":["a","b","c","d","e","f"]}`, `Invalid input: "options": there are 6, give 2 to 5`},
		{"ask", `{"question":"Which?","options":["a","A"]}`, `Invalid input: "options": two of them are alike`},
		{"ask", `{"question":"Which?","options":["a"," "]}`, `Invalid input: "options": one of them is empty`},
		{"ask", `{"question":" ","options":["a","b"]}`, `Invalid input: "question": it is empty`},
		{"ask", `{"question":"Which?","options":"a"}`, `Invalid input: "options": Expected array, received string`},
		{"ask", `{"options":["a","b"],"allow_other":"yes please"}`, "Invalid input: Multiple validation errors:\n- \"question\": Required\n- \"allow_other\": Expected boolean, received string"},
		{"ask", `{"question":"` + strings.Repeat("x", 1001) + `","options":["a","` + strings.Repeat("é", 201) + `"]}`, "Invalid input: Multiple validation errors:\n- \"question\": it has 1001 characters, at most 1000 are asked\n- \"options\": one of them has more than 200 characters"},
		{"list_bash", `{"anything":1}`, ``},

		{"view", `{}`, `Invalid input: "path": Required`},
		{"view", `{"path":null}`, `Invalid input: "path": Required`},
		{"view", `{"path":5}`, `Invalid input: "path": Expected string, received number`},
		{"view", `{"path":"/a","view_range":"1-2"}`, `Invalid input: "view_range": Expected array, received string`},
		{"view", `{"path":"/a","view_range":[1.5,2]}`, `Invalid input: "view_range.0": Expected integer, received float`},
		{"view", `{"path":"/a","view_range":["1","2"]}`, "Invalid input: Multiple validation errors:\n- \"view_range.0\": Expected number, received string\n- \"view_range.1\": Expected number, received string"},
		{"edit", `{"path":"/a"}`, "Invalid input: Multiple validation errors:\n- \"old_str\": Required\n- \"new_str\": Required"},
		{"create", `{"path":"/a","file_text":["x"]}`, `Invalid input: "file_text": Expected string, received array`},
		{"grep", `{"pattern":"x","output_mode":"weird"}`, `Invalid input: "output_mode": Invalid enum value. Expected 'content' | 'files_with_matches' | 'count', received 'weird'`},
		{"grep", `{"pattern":"x","-n":"true"}`, `Invalid input: "-n": Expected boolean, received string`},
		{"grep", `{"pattern":"x","-A":-1}`, `Invalid input: "-A": Expected a number of 0 or more, received -1`},
		{"grep", `{"pattern":"x","paths":[1]}`, `Invalid input: "paths.0": Expected string, received number`},
		{"grep", `{"pattern":"x","paths":{}}`, `Invalid input: "paths": Expected string or array, received object`},
		{"bash", `{"command":"ls","initial_wait":"30"}`, `Invalid input: "initial_wait": Expected number, received string`},
		{"bash", `{"command":"ls","mode":7}`, `Invalid input: "mode": Expected string, received number`},
		{"view", `[]`, `Invalid input: Expected object, received array`},
		{"view", `"x"`, `Invalid input: Expected object, received string`},
		{"view", `{"path":"/a"} x`, `Invalid input: something follows the arguments' object`},
		{"view", `{"path":"/a","PATH":"/etc/passwd"}`, `Invalid input: "PATH": write this argument as "path"`},
		{"bash", `{"command":"ls","ſhellId":"7"}`, `Invalid input: "ſhellId": write this argument as "shellId"`},
		{"bash", `{"Command":"ls"}`, `Invalid input: "Command": write this argument as "command"`},
	} {
		got, err := answerOf(t, c.tool, c.args)
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s: %s", c.tool, c.args, diff)
		}
	}
	for _, twice := range []string{`{"path":"/w/ok","path":"/etc/passwd"}`, `{"path":"/a","other":{"x":1,"x":2}}`, `{"path":"/a","\u0070ath":"/b"}`} {
		if got, err := answerOf(t, "view", twice); err == nil || !strings.Contains(err.Error(), "given twice") {
			t.Errorf("view %s: %q, %v", twice, got, err)
		}
	}
	for _, bad := range []string{`{`, `{"path"`, `{"path":"\ud800"}`, "{\"path\":\"\xff\"}", `{"path":"/a",}`, `nul`} {
		if got, err := answerOf(t, "view", bad); err == nil || !strings.HasPrefix(err.Error(), "Invalid input: ") {
			t.Errorf("view %s: %q, %v", bad, got, err)
		}
	}
}

// answerOf is what a call does with arguments, its Host replaced by one that prints what it is given.
func answerOf(t *testing.T, name, args string) (string, error) {
	t.Helper()
	for _, tl := range catalogue(ToolSet{Files: true, Shell: true, Diagnostics: true, Ask: true}) {
		if tl.name != name {
			continue
		}
		f, err := readFields([]byte(args), tl.known)
		if err != nil {
			return "", err
		}
		got, err := tl.run(t.Context(), newFakeHost(), Caller{}, f, func(string) {})
		return strings.TrimPrefix(strings.TrimPrefix(got, name), " "), err
	}
	t.Fatalf("no tool %s", name)
	return "", nil
}

// String makes ranges readable where arguments are printed.
func (r *Range) String() string {
	if r == nil {
		return "<nil>"
	}
	return fmt.Sprintf("%d..%d", r.Start, r.End)
}

func TestSchemasNameWhatIsDecoded(t *testing.T) {
	for _, tl := range catalogue(ToolSet{Files: true, Shell: true, Diagnostics: true}) {
		for _, name := range tl.known {
			// A wrong value for any argument in the schema is noticed, so nothing in it is ignored.
			args := fmt.Sprintf(`{"path":"","old_str":"","new_str":"","file_text":"","pattern":"","command":"","shellId":"","delay":0,%q:{}}`, name)
			args = strings.Replace(args, fmt.Sprintf(`%q:"",`, name), "", 1)
			args = strings.Replace(args, fmt.Sprintf(`%q:0,`, name), "", 1)
			if _, err := answerOf(t, tl.name, args); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q: Expected", name)) {
				t.Errorf("%s: argument %s: %v", tl.name, name, err)
			}
		}
	}
}

// reference reads an object as the standard library does, and refuses a name that comes twice at any depth.
func reference(raw []byte) (map[string]any, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, ok := refValue(d)
	if _, err := d.Token(); err != io.EOF {
		return nil, false
	}
	m, isObject := v.(map[string]any)
	return m, ok && isObject && utf8.Valid(raw)
}

func refValue(d *json.Decoder) (any, bool) {
	t, err := d.Token()
	if err != nil {
		return nil, false
	}
	switch t {
	case json.Delim('{'):
		m := map[string]any{}
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, false
			}
			name, _ := k.(string)
			if _, twice := m[name]; twice {
				return nil, false
			}
			v, ok := refValue(d)
			if !ok {
				return nil, false
			}
			m[name] = v
		}
		_, err := d.Token()
		return m, err == nil
	case json.Delim('['):
		var a []any
		for d.More() {
			v, ok := refValue(d)
			if !ok {
				return nil, false
			}
			a = append(a, v)
		}
		_, err := d.Token()
		return a, err == nil
	}
	return t, true
}

// FuzzArguments: whatever is accepted means one thing only, and the same as to the standard library.
func FuzzArguments(f *testing.F) {
	for _, s := range []string{`{"path":"/a"}`, `{"path":"/a","PATH":"/b"}`, `{"path":"/a","path":"/b"}`, `{"path":"/a","view_range":[1,2]}`, `{"x":{"y":1,"y":2}}`, `null`, `[]`, `{"path":"\ud800"}`, `{"patſ":1}`} {
		f.Add([]byte(s))
	}
	known := []string{"path", "view_range", "forceReadLargeFiles", "shellId"}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := readFields(raw, known)
		if err != nil {
			return
		}
		if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || string(trimmed) == "null" {
			return
		}
		want, ok := reference(raw)
		if !ok {
			t.Fatalf("accepted what the reference refuses: %q", raw)
		}
		if len(want) != len(got.values) {
			t.Fatalf("%q: %d members, the reference has %d", raw, len(got.values), len(want))
		}
		for name := range want {
			for _, k := range known {
				if name != k && strings.EqualFold(name, k) {
					t.Fatalf("accepted %q beside %q", name, k)
				}
			}
		}
		path := got.text("path")
		if s, isText := want["path"].(string); isText && s != path || !isText && path != "" {
			t.Fatalf("%q: path %q, the reference reads %v", raw, path, want["path"])
		}
		got.span("view_range")
		got.list("path")
		got.count("path", 0)
		got.wait("view_range")
		got.flag("forceReadLargeFiles")
		_ = got.err()
	})
}
