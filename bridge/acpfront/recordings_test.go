package acpfront

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// record is a line of a recording.
type record struct {
	Dir  string          `json:"dir"`
	Conn json.RawMessage `json:"conn"`
	Msg  json.RawMessage `json:"msg"`
}

// stretches are the connections of a recording: a second initialize is a new process.
func stretches(t *testing.T, path string) (out [][]record) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	conns := map[string]int{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		key := string(r.Conn)
		var m message
		_ = json.Unmarshal(r.Msg, &m)
		if _, known := conns[key]; !known || m.Method == "initialize" {
			conns[key] = len(out)
			out = append(out, nil)
		}
		out[conns[key]] = append(out[conns[key]], r)
	}
	return out
}

// TestRecordingsPassUnchanged plays both sides of every recording, with the bridge between them. What one side said in
// the recording the other side must get, member by member as it was written, with nothing but the ids of requests and
// answers changed. Not in the recordings are the bridge's own reads of files before they are written.
func TestRecordingsPassUnchanged(t *testing.T) {
	files, err := filepath.Glob("../../testdata/recordings/*.ndjson")
	if err != nil || len(files) < 7 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	for _, f := range files {
		for i, rows := range stretches(t, f) {
			t.Run(strings.TrimSuffix(filepath.Base(f), ".ndjson")+"/"+string(rune('a'+i)), func(t *testing.T) { playBoth(t, rows) })
		}
	}
}

func playBoth(t *testing.T, rows []record) {
	r := newRig(t, setup{})
	var agent *peer
	nocaps := false
	var fromAgent, fromEditor int                                 // how much of what the other side got has been looked at
	toAgent, toEditor := map[string]string{}, map[string]string{} // ids of requests, recorded to real
	buffer := "hello\nworld\n"                                    // of a.txt, in the editor
	var mu sync.Mutex
	theirs := false // the next read is the agent's
	r.editor.auto["fs/read_text_file"] = func(m message) any {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case theirs:
			return nothing{}
		case strings.HasSuffix(str(m.Params, "path"), "/a.txt"):
			return obj{"content": buffer}
		}
		return failure{-32002, "there is no such file"}
	}
	if err := os.WriteFile(r.path("a.txt"), []byte("hello\nworld\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for n, row := range rows {
		var m message
		row.Msg = bytes.ReplaceAll(row.Msg, []byte("/workspace"), []byte(r.dir))
		if err := json.Unmarshal(row.Msg, &m); err != nil {
			t.Fatal(err)
		}
		m.line = string(row.Msg)
		switch {
		case m.Method == "initialize" && n == 0:
			var p acp.InitializeRequest
			if err := acp.Unmarshal(jsontext.Value(m.Params), &p); err != nil {
				t.Fatal(err)
			}
			r.hello = hello(jsontext.Value(m.Params), &p)
			nocaps = !p.ClientCapabilities.FS.WriteTextFile
			r.editor.raw(m.line)
			agent = <-r.came
			got := agent.expect("initialize")
			toAgent[string(m.ID)] = string(got.ID)
			fromEditor = 1
		case row.Dir == "c2a":
			line := m.line
			if m.Method == "" {
				if nocaps && toEditor[string(m.ID)] == "" {
					continue
				}
				line = withID(t, line, toEditor[string(m.ID)])
			}
			if text := str(m.Result, "content"); text != "" {
				mu.Lock()
				buffer, theirs = text, false
				mu.Unlock()
			}
			r.editor.raw(line)
			got, next := agent.find(m.line, fromEditor, func(g message) bool { return g.Method == m.Method })
			fromEditor = next
			same(t, m, got)
			if m.request() {
				toAgent[string(m.ID)] = string(got.ID)
			}
		default:
			line := m.line
			if m.Method == "" {
				if toAgent[string(m.ID)] == "" {
					continue // one recording has an answer without its question
				}
				line = withID(t, line, toAgent[string(m.ID)])
			}
			if m.Method == "fs/write_text_file" && nocaps {
				continue // the bridge writes the disk itself for an editor without files
			}
			mu.Lock()
			theirs = m.Method == "fs/read_text_file"
			mu.Unlock()
			agent.raw(line)
			got, next := r.editor.find(m.line, fromAgent, func(g message) bool {
				return g.Method != "fs/read_text_file" || g.Method == m.Method // the others are the bridge's own
			})
			fromAgent = next
			if m.Method == "fs/write_text_file" && strings.HasSuffix(str(m.Params, "path"), "/a.txt") {
				mu.Lock()
				buffer = str(got.Params, "content")
				mu.Unlock()
			}
			got.Params = ourCommands.ReplaceAll(got.Params, nil) // which have their own test
			got.Params, got.Result = withoutOurs(got.Params, m.Params), withoutOurs(got.Result, m.Result)
			if n > 1 { // what the bridge adds to the answer to initialize has its own test
				same(t, m, got)
			}
			if m.request() {
				toEditor[string(m.ID)] = string(got.ID)
			}
		}
	}
}

// ourCommands are the bridge's in a list of the agent's.
var ourCommands = regexp.MustCompile(`,?\{"name":"(bridge-)?(review|keep|undo)","description":"[^"]*","input":\{"hint":"a file; all of this session without one"\}\}`)

// ourOptions are the bridge's in a list of a session's options, which have their own test.
var ourOptions = regexp.MustCompile(`,?\{"id":"(?:copilot-bridge\.level","name":"Permissions"|mode","name":"Mode","category":"mode","type":"select").*?\]\}`)

// withoutOurs is what the editor was sent without the bridge's options, and without the list where they are all of it.
func withoutOurs(got, want json.RawMessage) json.RawMessage {
	got = ourOptions.ReplaceAll(got, nil)
	if !bytes.Contains(want, []byte(`"configOptions"`)) {
		got = bytes.Replace(got, []byte(`"configOptions":[],`), nil, 1)
		got = bytes.Replace(got, []byte(`{"configOptions":[]}`), []byte("{}"), 1)
	}
	return got
}

// same compares two messages but for their ids: numbers, order of members and white space as they were written.
func same(t *testing.T, want, got message) {
	t.Helper()
	for _, part := range []struct {
		name      string
		want, got json.RawMessage
	}{{"params", want.Params, got.Params}, {"result", want.Result, got.Result}, {"error", want.Error, got.Error}} {
		if compact(part.want) != compact(part.got) {
			t.Errorf("%s of %s:\n got %s\nwant %s", part.name, want.Method, part.got, part.want)
		}
	}
	if want.Method != got.Method {
		t.Fatalf("got %s\nwant %s", got.line, want.line)
	}
}

// withID is a line with another id.
func withID(t *testing.T, line, id string) string {
	t.Helper()
	if id == "" {
		t.Fatalf("an answer to nothing: %s", line)
	}
	return string(acp.SetMember(jsontext.Value(line), "id", jsontext.Value(id)))
}

// compact takes the white space out that a recording has between values. Order and spelling stay.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// str is a member of an object as a string, "" if it is none.
func str(raw json.RawMessage, name string) string {
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil {
		return ""
	}
	text, _ := m[name].(string)
	return text
}
