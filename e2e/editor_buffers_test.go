//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"strings"
)

// apply applies an edit to buffers, if they have the versions it is for.
func (e *editor) apply(params json.RawMessage) (any, error) {
	var p struct {
		Edit struct {
			Changes []struct {
				Doc struct {
					URI     string `json:"uri"`
					Version *int   `json:"version"`
				} `json:"textDocument"`
				Edits []textEdit `json:"edits"`
			} `json:"documentChanges"`
		} `json:"edit"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	if race := e.race; race != nil {
		e.race = nil
		race()
	}
	for _, c := range p.Edit.Changes {
		e.mu.Lock()
		d := e.docs[pathOf(c.Doc.URI)]
		if d == nil || c.Doc.Version != nil && *c.Doc.Version != d.version {
			e.mu.Unlock()
			return obj{"applied": false, "failureReason": "the document has changed"}, nil
		}
		text := edited(d.text, c.Edits, e.enc)
		e.mu.Unlock()
		e.typeText(pathOf(c.Doc.URI), text)
	}
	return obj{"applied": true}, nil
}

// open opens a file; text, if given, is typed over it and stays unsaved.
func (e *editor) open(name string, text ...string) {
	e.t.Helper()
	path := e.w.path(name)
	b, _ := os.ReadFile(path)
	disk := strings.TrimPrefix(string(b), "\uFEFF")
	e.mu.Lock()
	e.docs[path] = &doc{disk, 1}
	e.mu.Unlock()
	e.note("textDocument/didOpen", obj{"textDocument": obj{"uri": uri(path), "languageId": "plaintext", "version": 1, "text": disk}})
	for _, s := range text {
		e.typeText(path, s)
	}
}

func (e *editor) typeText(path, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.docs[path]
	change := obj{"range": obj{"start": position(d.text, 0, e.enc), "end": position(d.text, len(d.text), e.enc)}, "text": text}
	d.text = text
	d.version++
	e.note("textDocument/didChange", obj{"textDocument": obj{"uri": uri(path), "version": d.version}, "contentChanges": []obj{change}})
}

func (e *editor) save(path string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	bom := ""
	if b, _ := os.ReadFile(path); strings.HasPrefix(string(b), "\uFEFF") {
		bom = "\uFEFF"
	}
	if err := os.WriteFile(path, []byte(bom+e.docs[path].text), 0o644); err != nil {
		e.t.Error(err)
	}
	e.note("textDocument/didSave", obj{"textDocument": obj{"uri": uri(path)}})
}

func (e *editor) text(name string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if d := e.docs[e.w.path(name)]; d != nil {
		return d.text
	}
	return "(not open)"
}
