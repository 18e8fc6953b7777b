package acpfront

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/bridge/lend"
)

// buffers makes the editor serve files from buffers, and keep what is written.
func (r *rig) buffers(texts map[string]string) func(name string) string {
	r.editor.auto["fs/read_text_file"] = func(m message) any {
		r.mu.Lock()
		defer r.mu.Unlock()
		text, open := texts[str(m.Params, "path")]
		if !open {
			return failure{-32002, "Resource not found"}
		}
		return obj{"content": text, "_meta": obj{"from": "buffer"}}
	}
	r.editor.auto["fs/write_text_file"] = func(m message) any {
		r.mu.Lock()
		defer r.mu.Unlock()
		texts[str(m.Params, "path")] = str(m.Params, "content")
		return obj{}
	}
	return func(name string) string {
		r.mu.Lock()
		defer r.mu.Unlock()
		return texts[r.path(name)]
	}
}

func (r *rig) permit(option string) {
	r.editor.auto["session/request_permission"] = func(m message) any {
		return obj{"outcome": obj{"outcome": "selected", "optionId": option}}
	}
}

func TestReadsOfTheAgentAskTheEditorAsTheyCame(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "disk\n"}})
	texts := map[string]string{}
	r.buffers(texts)
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	texts[r.path("a.txt")] = "buffer\n"
	params := `{"sessionId":"s1","path":` + quoted(r.path("a.txt")) + `,"line":1,"limit":5,"_meta":{"n":1.0}}`
	a.raw(`{"jsonrpc":"2.0","id":"r","method":"fs/read_text_file","params":` + params + `}`)
	if got := string(r.editor.expect("fs/read_text_file").Params); got != params {
		t.Errorf("the editor was asked %s", got)
	}
	if got := string(a.response(`"r"`).Result); got != `{"_meta":{"from":"buffer"},"content":"buffer\n"}` {
		t.Errorf("the agent was answered %s", got)
	}
}

// TestAWriteOfTheDisksTextKeepsWhatIsUnsaved: some agents read the disk and write their result through the editor
// (opencode 1.18.33). What is unsaved there is merged.
func TestAWriteOfTheDisksTextKeepsWhatIsUnsaved(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "one\ntwo\nthree\n"}})
	texts := map[string]string{}
	text := r.buffers(texts)
	texts[r.path("a.txt")] = "mine, unsaved\none\ntwo\nthree\n"
	r.permit("allow_once")
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	a.raw(`{"jsonrpc":"2.0","id":"w","method":"fs/write_text_file","params":{"sessionId":"s1","path":` + quoted(r.path("a.txt")) + `,"content":"one\nTWO\nthree\n","_meta":{"n":1.0}}}`)
	if got := a.response(`"w"`); got.Error != nil {
		t.Fatalf("refused: %s", got.Error)
	}
	if got := text("a.txt"); got != "mine, unsaved\none\nTWO\nthree\n" {
		t.Errorf("the buffer holds %q", got)
	}
	if got := string(r.editor.expect("fs/write_text_file").Params); !strings.Contains(got, `"_meta":{"n":1.0}`) {
		t.Errorf("the editor was sent %s", got)
	}
	if b, _ := os.ReadFile(r.path("a.txt")); string(b) != "one\ntwo\nthree\n" {
		t.Errorf("the disk holds %q", b)
	}
	r.end(a, id, m)
}

func TestWithoutFilesInTheEditorTheDiskServes(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "disk\n"}})
	r.permit("allow_once")
	a, _ := r.connect(setup{caps: `{}`})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	a.raw(`{"jsonrpc":"2.0","id":"r","method":"fs/read_text_file","params":{"sessionId":"s1","path":` + quoted(r.path("a.txt")) + `}}`)
	if got := str(a.response(`"r"`).Result, "content"); got != "disk\n" {
		t.Errorf("read %q", got)
	}
	a.raw(`{"jsonrpc":"2.0","id":"w","method":"fs/write_text_file","params":{"sessionId":"s1","path":` + quoted(r.path("new.txt")) + `,"content":"new\n"}}`)
	a.response(`"w"`)
	if b, _ := os.ReadFile(r.path("new.txt")); string(b) != "new\n" {
		t.Errorf("the disk holds %q", b)
	}
	r.end(a, id, m)
}

func TestAnUnsavedFileIsNotWrittenPastAnEditorThatOnlyReads(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "disk\n"}})
	r.buffers(map[string]string{r.path("a.txt"): "unsaved\n"})
	r.permit("allow_once")
	a, _ := r.connect(setup{caps: `{"fs":{"readTextFile":true}}`})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	a.raw(`{"jsonrpc":"2.0","id":"r","method":"fs/read_text_file","params":{"sessionId":"s1","path":` + quoted(r.path("a.txt")) + `}}`)
	a.response(`"r"`)
	a.raw(`{"jsonrpc":"2.0","id":"w","method":"fs/write_text_file","params":{"sessionId":"s1","path":` + quoted(r.path("a.txt")) + `,"content":"agent\n"}}`)
	if got := string(a.response(`"w"`).Error); !strings.Contains(got, "unsaved") {
		t.Errorf("answered %s", got)
	}
	if b, _ := os.ReadFile(r.path("a.txt")); string(b) != "disk\n" {
		t.Errorf("the disk holds %q", b)
	}
	r.end(a, id, m)
}

// question asks what an agent asks, and returns what the editor was asked and the agent answered.
func question(r *rig, a *peer, id, path string) json.RawMessage {
	a.raw(`{"jsonrpc":"2.0","id":"` + id + `","method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c` + id + `","kind":"edit","title":"Edit","locations":[{"path":` + quoted(path) + `}],"content":[{"type":"diff","path":` + quoted(path) + `,"oldText":"a","newText":"b"}]},` +
		`"options":[{"optionId":"A","name":"Always","kind":"allow_always"},{"optionId":"O","name":"Once","kind":"allow_once"},{"optionId":"N","name":"No","kind":"reject_once"}]}}`)
	return a.response(`"` + id + `"`).Result
}

func TestAlwaysIsKeptHereAndNeverToldToTheAgent(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "a"}})
	r.permit("A")
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	if got := string(question(r, a, "1", r.path("a.txt"))); got != `{"outcome":{"outcome":"selected","optionId":"O"}}` {
		t.Errorf("the agent was told %s", got)
	}
	asked := r.editor.expect("session/request_permission")
	if !strings.Contains(string(asked.Params), `"options":[{"optionId":"A","name":"Always","kind":"allow_always"}`) {
		t.Errorf("the editor was asked %s", asked.Params)
	}
	question(r, a, "2", r.path("a.txt"))
	r.end(a, id, m)
	n := 0
	r.editor.mu.Lock()
	for _, m := range r.editor.got {
		if m.Method == "session/request_permission" {
			n++
		}
	}
	r.editor.mu.Unlock()
	if n != 1 {
		t.Errorf("asked %d times", n)
	}
}

func TestAnswersToQuestionsGoAsTheyCame(t *testing.T) {
	r := newRig(t, setup{files: map[string]string{"a.txt": "a"}})
	a, _ := r.connect(setup{})
	r.session(a, "s1")
	for i, answer := range []string{
		`{"outcome":{"optionId":"O","outcome":"selected"},"_meta":{"n":1.0}}`, `{"outcome":{"outcome":"selected","optionId":"N"}}`, `{"outcome":{"outcome":"cancelled","x":1.0}}`,
	} {
		r.editor.auto["session/request_permission"] = func(m message) any { return json.RawMessage(answer) }
		if got := string(question(r, a, string(rune('a'+i)), r.path("a.txt"))); got != answer {
			t.Errorf("the agent was told %s, the editor said %s", got, answer)
		}
	}
}

func TestElicitationIsPassedOnOrDeclined(t *testing.T) {
	for caps, want := range map[string]string{`{"elicitation":{"form":{}}}`: `{"action":"accept","content":{"a":1.0}}`, `{}`: `{"action":"decline"}`} {
		r := newRig(t, setup{})
		r.editor.auto["elicitation/create"] = func(message) any { return json.RawMessage(`{"action":"accept","content":{"a":1.0}}`) }
		a, _ := r.connect(setup{caps: caps})
		r.session(a, "s1")
		a.raw(`{"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{"sessionId":"s1","message":"?","mode":"form","requestedSchema":{"type":"object"}}}`)
		if got := string(a.response(`"e"`).Result); got != want {
			t.Errorf("%s: answered %s", caps, got)
		}
	}
}

// TestAnAnswerThatCanBeReadInTwoWaysIsNone: the agent is told of no consent, whichever reading it would have chosen, and an
// agent's question of that kind is not put.
func TestAnAnswerThatCanBeReadInTwoWaysIsNone(t *testing.T) {
	r := newRig(t, setup{})
	answer := ""
	r.editor.auto["elicitation/create"] = func(message) any { return json.RawMessage(answer) }
	r.editor.auto["session/request_permission"] = func(message) any { return json.RawMessage(answer) }
	a, _ := r.connect(setup{caps: `{"elicitation":{"form":{}}}`})
	r.session(a, "s1")
	for i, two := range []string{`{"action":"decline","action":"accept"}`, `{"action":"accept","Action":"decline"}`, `{"action":"accept","action":"accept"}`} {
		answer = two
		id := `"e` + string(rune('0'+i)) + `"`
		a.raw(`{"jsonrpc":"2.0","id":` + id + `,"method":"elicitation/create","params":{"sessionId":"s1","message":"?","mode":"form","requestedSchema":{"type":"object"}}}`)
		if got := string(a.response(id).Result); got != `{"action":"cancel"}` {
			t.Errorf("%s: the agent was told %s", two, got)
		}
	}
	for i, two := range []string{
		`{"outcome":{"outcome":"selected","optionId":"O","optionId":"N"}}`, `{"outcome":{"outcome":"selected","optionId":"O"},"optionId":"N"}`,
		`{"outcome":{"outcome":"selected","optionId":"O"},"outcome":{"outcome":"cancelled"}}`,
	} {
		answer = two
		if got := string(question(r, a, string(rune('a'+i)), r.path("a.txt"))); strings.Contains(got, `"O"`) {
			t.Errorf("%s: the agent was told %s", two, got)
		}
	}
	a.raw(`{"jsonrpc":"2.0","id":"u","method":"elicitation/create","params":{"sessionId":"s1","message":"?","mode":"url","elicitationId":"e","url":"https://a.example","url":"https://b.example"}}`)
	if got := a.response(`"u"`); got.Error == nil {
		t.Errorf("a question with two addresses was answered %s", got.Result)
	}
}

// lender is an editor that speaks LSP and has one file open.
type lender struct {
	mu         sync.Mutex
	path, text string

	encoding string
	language func(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error)
}

func (l *lender) LendRead(path string) (text string, unsaved, open bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text, true, path == l.path
}

func (l *lender) LendWrite(_ context.Context, _, _, text string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = text
	return nil
}

// TestLentBuffersComeFirst: what another bridge lends is read and written there, and the editor with the chat, which has
// no files, is not asked.
func TestLentBuffersComeFirst(t *testing.T) {
	dir, err := os.MkdirTemp("", "lend")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	r := newRig(t, setup{files: map[string]string{"a.txt": "one\ntwo\n"}, borrow: lend.NewBorrower(dir)})
	h := &lender{path: r.path("a.txt"), text: "unsaved\none\ntwo\n"}
	l, err := lend.Open(dir, []string{r.dir}, h, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r.permit("allow_once")
	a, _ := r.connect(setup{caps: `{}`})
	r.session(a, "s1")
	id, m := r.prompt(a, "s1", "go")
	a.raw(`{"jsonrpc":"2.0","id":"r","method":"fs/read_text_file","params":{"sessionId":"s1","path":` + quoted(r.path("a.txt")) + `}}`)
	if got := str(a.response(`"r"`).Result, "content"); got != "unsaved\none\ntwo\n" {
		t.Errorf("read %q", got)
	}
	a.raw(`{"jsonrpc":"2.0","id":"w","method":"fs/write_text_file","params":{"sessionId":"s1","path":` + quoted(r.path("a.txt")) + `,"content":"unsaved\none\nTWO\n"}}`)
	if got := a.response(`"w"`); got.Error != nil {
		t.Fatalf("refused: %s", got.Error)
	}
	if got, _, _ := h.LendRead(h.path); got != "unsaved\none\nTWO\n" {
		t.Errorf("the buffer holds %q", got)
	}
	if b, _ := os.ReadFile(r.path("a.txt")); string(b) != "one\ntwo\n" {
		t.Errorf("the disk holds %q", b)
	}
	r.end(a, id, m)
}

func (l *lender) LendsLanguages() string { return l.encoding }

func (l *lender) LendLanguage(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	return l.language(ctx, method, params)
}
