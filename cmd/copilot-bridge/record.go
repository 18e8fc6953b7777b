package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

const (
	// maxRecordings is how many recordings may lie beside each other under one name and its numbers. An editor that starts the
	// bridge with --record makes one a start.
	maxRecordings = 1_000

	// maxLearnt bounds the secrets that are remembered from the messages themselves: those of the servers and commands of a
	// session, of which there are a few.
	maxLearnt = 1_000
)

// recording writes both directions of the agent's traffic, one JSON object a line: dir ("c2a" from the client to the
// agent, "a2c" back), t (milliseconds since the start), msg. Secrets are redacted.
type recording struct {
	mu      sync.Mutex
	f       *os.File
	start   time.Time
	secrets escape.Secrets // values that are not written
	learnt  int            // of them from the messages
}

// openRecord makes the file of a recording. It never takes one that is there: where the name is a file's, the recording gets
// the name with a number, which it says on stderr. env is the environment whose secrets are hidden.
func openRecord(path string, env []string, stderr io.Writer) (*recording, error) {
	if path == "" {
		return nil, nil
	}
	f, err := newFile(path)
	if err != nil {
		return nil, fmt.Errorf("open the recording: %w", err)
	}
	if f.Name() != path {
		fmt.Fprintf(stderr, "copilot-bridge: %s is there already, so the recording is %s\n", escape.Inline(path), escape.Inline(f.Name()))
	}
	r := &recording{f: f, start: time.Now()}
	r.secrets.Add(escape.SecretValues(env)...)
	return r, nil
}

// newFile makes a file that only the user can read, by that name or, where there is a file of that name, by one with a
// number. O_EXCL follows no link.
func newFile(path string) (*os.File, error) {
	ext := filepath.Ext(path)
	name := path
	for n := 2; ; n++ {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, logFileMode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
		if fi, err := os.Lstat(name); err == nil && !fi.Mode().IsRegular() {
			return nil, &hintedError{name + " is a link, a folder or a device", "a recording is a new file: name one"}
		}
		if n > maxRecordings {
			return nil, &hintedError{fmt.Sprintf("there are %d recordings of that name", maxRecordings), "move " + path + " away, or name another file"}
		}
		name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ext), n, ext)
	}
}

type recordLine struct {
	Dir string         `json:"dir"`
	T   int64          `json:"t"`
	Msg jsontext.Value `json:"msg"`
}

func (r *recording) tap() func(acp.Direction, []byte) {
	if r == nil {
		return nil
	}
	return func(dir acp.Direction, line []byte) {
		r.mu.Lock()
		defer r.mu.Unlock()
		msg, err := r.redact(line)
		if err != nil {
			return // a line that is not JSON is no message; the log has it
		}
		l := recordLine{Dir: "a2c", T: time.Since(r.start).Milliseconds(), Msg: msg}
		if dir == acp.Sent {
			l.Dir = "c2a"
		}
		b, err := json.Marshal(l, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
		if err != nil {
			return
		}
		_, _ = r.f.Write(append(b, '\n')) // a full disk ends the recording, not the turn
	}
}

// redact is a message without secrets. It looks at the strings, and not at how they are written: \u0067 is a g. The caller
// holds mu.
func (r *recording) redact(line []byte) (jsontext.Value, error) {
	var v any
	if err := json.Unmarshal(line, &v, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return nil, err
	}
	r.learn(v)
	var out strings.Builder
	dec := jsontext.NewDecoder(strings.NewReader(string(line)), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	enc := jsontext.NewEncoder(&out, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	for {
		t, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			return jsontext.Value(escape.Redact(strings.TrimSuffix(out.String(), "\n"))), nil
		}
		if err == nil && t.Kind() == '"' {
			t = jsontext.String(r.secrets.Hide(t.String()))
		}
		if err == nil {
			err = enc.WriteToken(t)
		}
		if err != nil {
			return nil, err
		}
	}
}

// learn notes the secrets that a message itself names as such: variables for a server or a command, headers, keys. They are
// hidden wherever they come again.
func (r *recording) learn(v any) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			r.learn(x)
		}
	case map[string]any:
		if name, ok := v["name"].(string); ok && secretMember(name) {
			r.add(v["value"])
		}
		for name, x := range v {
			if secretMember(name) {
				r.add(x)
			}
			r.learn(x)
		}
	}
}

func (r *recording) add(v any) {
	text, ok := v.(string)
	if ok && r.learnt < maxLearnt {
		r.secrets.Add(text)
		r.learnt++
	}
}

// secretMember says whether what goes by that name, as a variable, a header or a member, is a secret.
func secretMember(name string) bool {
	if name == strings.ToUpper(name) {
		return escape.SecretName(name)
	}
	switch strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name)) {
	case "authorization", "proxyauthorization", "cookie", "setcookie", "apikey", "xapikey", "xauthtoken", "privatetoken", "token", "authtoken",
		"accesstoken", "refreshtoken", "idtoken", "password", "passwd", "passphrase", "secret", "clientsecret", "privatekey", "secretkey", "accesskey":
		return true
	}
	return false
}

func (r *recording) close() {
	if r != nil {
		r.f.Close()
	}
}
