package lspfront

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf16"
)

// document is a buffer of the client's.
type document struct {
	text    string
	version int32
}

type pos struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type extent struct {
	Start pos `json:"start"`
	End   pos `json:"end"`
}

// at is the range of lines, up to the start of the last one.
func at(from, to int) extent { return extent{pos{from, 0}, pos{to, 0}} }

type textEdit struct {
	Range   extent `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	DocumentChanges []struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version *int32 `json:"version"`
		} `json:"textDocument"`
		Edits []textEdit `json:"edits"`
	} `json:"documentChanges"`
	Changes map[string][]textEdit `json:"changes"`
}

// open opens a file as it is on disk.
func (c *fakeEditor) open(path string) string {
	c.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		c.t.Fatal(err)
	}
	u := uriOf(path)
	c.mu.Lock()
	c.docs[u] = &document{string(data), 1}
	c.mu.Unlock()
	c.notify("textDocument/didOpen", obj{"textDocument": obj{"uri": u, "languageId": "text", "version": 1, "text": string(data)}})
	return u
}

// text is what is in a buffer.
func (c *fakeEditor) text(u string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.docs[u].text
}

// awaitText waits until a buffer has a text.
func (c *fakeEditor) awaitText(u, want string) {
	c.t.Helper()
	c.wait(fmt.Sprintf("the text %q", want), func() bool { return c.docs[u].text == want })
}

// type_ replaces the text of a buffer, as if it was typed.
func (c *fakeEditor) type_(u, text string) {
	c.mu.Lock()
	d := c.docs[u]
	d.text, d.version = text, d.version+1
	change := obj{"textDocument": obj{"uri": u, "version": d.version}, "contentChanges": []obj{{"text": text}}}
	held := c.holding
	if held {
		c.held = append(c.held, change)
	}
	c.mu.Unlock()
	c.wake()
	if !held {
		c.notify("textDocument/didChange", change)
	}
}

// hold keeps changes of buffers back, as Neovim does for 150 ms; release sends them.
func (c *fakeEditor) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holding = true
}

func (c *fakeEditor) release() {
	c.mu.Lock()
	held := c.held
	c.holding, c.held = false, nil
	c.mu.Unlock()
	for _, change := range held {
		c.notify("textDocument/didChange", change)
	}
}

// wake has those who wait look again.
func (c *fakeEditor) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.changed)
	c.changed = make(chan struct{})
}

// applyEdit is workspace/applyEdit as an honest editor does it.
func (c *fakeEditor) applyEdit(params json.RawMessage, _ <-chan struct{}) (any, *rpcError) {
	var p struct {
		Edit workspaceEdit `json:"edit"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &rpcError{Code: -32602, Message: err.Error()}
	}
	if !c.apply(p.Edit) {
		return obj{"applied": false, "failureReason": "the document has changed"}, nil
	}
	return obj{"applied": true}, nil
}

// apply makes an edit; false if it is for another version.
func (c *fakeEditor) apply(e workspaceEdit) bool {
	for _, d := range e.DocumentChanges {
		if !c.edit(d.TextDocument.URI, d.TextDocument.Version, d.Edits) {
			return false
		}
	}
	for u, edits := range e.Changes {
		c.edit(u, nil, edits)
	}
	return true
}

func (c *fakeEditor) edit(u string, version *int32, edits []textEdit) bool {
	c.mu.Lock()
	d := c.docs[u]
	if d == nil || version != nil && *version != d.version {
		c.mu.Unlock()
		return c.lies
	}
	text := d.text
	edits = slices.Clone(edits)
	slices.Reverse(edits) // sent in order of place
	for _, e := range edits {
		from, to := offset(text, e.Range.Start), offset(text, e.Range.End)
		text = text[:from] + e.NewText + text[to:]
	}
	c.mu.Unlock()
	c.type_(u, text)
	return true
}

// offset is the byte at a UTF-16 position.
func offset(text string, p pos) int {
	at := 0
	for range p.Line {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		at += n + 1
	}
	for units := 0; units < p.Character && at < len(text) && text[at] != '\n'; {
		r := []rune(text[at:])[0]
		units += utf16.RuneLen(r)
		at += len(string(r))
	}
	return at
}

type diag struct {
	Range    extent `json:"range"`
	Severity int    `json:"severity"`
	Code     string `json:"code"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

// diagnostics are those of a file as they were published last. Caller holds mu.
func (c *fakeEditor) diagnostics(u string) (out []diag) {
	for _, raw := range c.of("textDocument/publishDiagnostics") {
		var p struct {
			URI         string `json:"uri"`
			Diagnostics []diag `json:"diagnostics"`
		}
		if json.Unmarshal(raw, &p) == nil && p.URI == u {
			out = p.Diagnostics
		}
	}
	return out
}

// awaitDiagnostics waits until a file has exactly these codes, in order, and returns the diagnostics.
func (c *fakeEditor) awaitDiagnostics(u string, codes ...string) (out []diag) {
	c.t.Helper()
	c.wait(fmt.Sprintf("diagnostics %v of %s", codes, u), func() bool {
		out = c.diagnostics(u)
		var got []string
		for _, d := range out {
			got = append(got, d.Code)
		}
		return slices.Equal(got, codes)
	})
	return out
}

type cmd struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

type act struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diag         `json:"diagnostics"`
	Edit        *workspaceEdit `json:"edit"`
	Command     *cmd           `json:"command"`
}

// actions asks for code actions on a range.
func (c *fakeEditor) actions(u string, r extent, context obj) (out []act) {
	c.t.Helper()
	if context == nil {
		context = obj{"diagnostics": []any{}}
	}
	c.call("textDocument/codeAction", obj{"textDocument": obj{"uri": u}, "range": r, "context": context}, &out)
	return out
}

// titles are the titles of actions.
func titles(list []act) (out []string) {
	for _, a := range list {
		out = append(out, a.Title)
	}
	return out
}

// run does what an editor does with an action: its edit, then its command.
func (c *fakeEditor) run(list []act, title string) {
	c.t.Helper()
	i := slices.IndexFunc(list, func(a act) bool { return a.Title == title })
	if i < 0 {
		c.t.Fatalf("there is no action %q, only %q", title, titles(list))
	}
	if e := list[i].Edit; e != nil && !c.apply(*e) {
		c.t.Fatalf("the edit of %q is for another version", title)
	}
	if cm := list[i].Command; cm != nil {
		c.call("workspace/executeCommand", obj{"command": cm.Command, "arguments": cm.Arguments}, nil)
	}
}

// command runs a command with one object.
func (c *fakeEditor) command(name string, arg, result any) {
	c.t.Helper()
	c.call("workspace/executeCommand", obj{"command": "copilot-bridge." + name, "arguments": []any{arg}}, result)
}
