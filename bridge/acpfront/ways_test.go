package acpfront

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// way is how a client serves files for its agent.
type way struct {
	name   string // clientInfo.name, "" where it gives none that is known
	source string // where that was read or measured

	reads   from    // where its reads come from
	writes  to      // and its writes go
	ends    endings // what it does to the line end at the end
	missing any     // its answer to a read of a file that is neither open nor there; nil: none was seen
	done    any     // its answer to a write; nil is {}
}

type (
	from    int
	to      int
	endings int
)

const (
	fromBuffer from = iota // the buffer where the file is open, else the disk
	fromDisk

	toBuffer to = iota // the buffer, unsaved
	toSaved            // the buffer, which is saved
	toDisk             // the disk, past the buffer

	keepsEnd   endings = iota
	cutsOnRead         // joins the lines of a buffer: the last line end is left out
	doublesOnWrite
	cutsOnWrite
)

// null is an answer without a text.
var null = json.RawMessage("null")

// ways are those of real clients. What the chat of JetBrains' IDEs answers is not known: its source is closed.
var ways = []way{
	{name: "zed", source: "crates/acp_thread/src/acp_thread.rs: a file of the worktree that is not there opens as an empty buffer",
		writes: toSaved, missing: obj{"content": ""}},
	{name: "zed", source: "the same, outside of the worktree", writes: toSaved, missing: failure{-32002, "Resource not found"}},
	{name: "agent-shell", source: "0.50.1, agent-shell.el: file-missing", writes: toSaved, missing: failure{-32002, "Resource not found"}},
	{name: "agentic.nvim", source: "November 2025, acp_client.lua and file_system.lua: content is nil, and an error of a write is its result",
		writes: toDisk, ends: cutsOnRead, missing: obj{}, done: null},
	{name: "CodeCompanion.nvim", source: "19.22, acp/fs.lua: reads the disk, ENOENT is an empty text",
		reads: fromDisk, writes: toSaved, ends: doublesOnWrite, missing: obj{"content": ""}, done: null},
	{name: "acpx", source: "0.19, src/filesystem.ts: the SDK makes an internal error of what Node throws",
		reads: fromDisk, writes: toDisk, missing: failureWith{failure{-32603, "Internal error"}, obj{"details": "ENOENT: no such file or directory, open '/w/new.txt'"}}},
	{name: "acpx", source: "from pull request 581 on", reads: fromDisk, writes: toDisk, missing: failure{-32002, "Resource not found"}},
	{source: "clients that answer with nothing", writes: toBuffer, missing: null},
}

// client is a rig whose editor serves files in some way. Buffers are by file name.
type client struct {
	*rig
	way
	buffers map[string]string // guarded by mu
	dirty   map[string]bool
}

// newClient connects an editor of that way; the prompt under way is ended by the test's end.
func newClient(t *testing.T, w way, o setup) (*client, *peer) {
	o.client = w.name
	c := &client{rig: newRig(t, o), way: w, buffers: map[string]string{}, dirty: map[string]bool{}}
	c.editor.auto["fs/read_text_file"] = func(m message) any { return c.read(str(m.Params, "path")) }
	c.editor.auto["fs/write_text_file"] = func(m message) any { return c.write(str(m.Params, "path"), str(m.Params, "content")) }
	c.editor.auto["session/request_permission"] = allowsOnce
	a, _ := c.connect(o)
	c.session(a, "s1")
	id, m := c.prompt(a, "s1", "go")
	t.Cleanup(func() { c.end(a, id, m) })
	return c, a
}

// allowsOnce picks the option of that kind.
func allowsOnce(m message) any {
	var p struct {
		Options []struct{ OptionID, Kind string }
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		return failure{-32602, err.Error()}
	}
	for _, o := range p.Options {
		if o.Kind == "allow_once" {
			return obj{"outcome": obj{"outcome": "selected", "optionId": o.OptionID}}
		}
	}
	return obj{"outcome": obj{"outcome": "cancelled"}}
}

func (c *client) read(path string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	text, open := c.buffers[path]
	if !open || c.reads == fromDisk {
		b, err := os.ReadFile(path)
		if err != nil && c.missing != nil {
			return c.missing
		}
		text = string(b)
	}
	if c.ends == cutsOnRead {
		text = cut(text)
	}
	return obj{"content": text}
}

func cut(text string) string { return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r") }

func (c *client) write(path, text string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, open := c.buffers[path]
	if open && c.ends == doublesOnWrite && strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if c.ends == cutsOnWrite {
		text = cut(text)
	}
	if c.writes != toDisk && (open || c.writes == toBuffer) {
		c.buffers[path] = text
		c.dirty[path] = c.writes == toBuffer
	}
	if c.writes != toBuffer {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			c.t.Error(err)
		}
	}
	if c.done != nil {
		return c.done
	}
	return obj{}
}

// types opens a file, or changes its buffer, without saving it.
func (c *client) types(name, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buffers[c.path(name)], c.dirty[c.path(name)] = text, true
}

func (c *client) buffer(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buffers[c.path(name)]
}

func (c *client) onDisk(name string) string {
	b, err := os.ReadFile(c.path(name))
	if err != nil {
		return "!" + err.Error()
	}
	return string(b)
}

func (c *client) put(name, text string) {
	if err := os.WriteFile(c.path(name), []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// asks is a request of the agent and its answer.
func (c *client) asks(a *peer, method, name string, more obj) message {
	params := obj{"sessionId": "s1", "path": c.path(name)}
	for k, v := range more {
		params[k] = v
	}
	return a.response(a.request(method, params))
}

func (c *client) agentReads(a *peer, name string) message {
	return c.asks(a, "fs/read_text_file", name, nil)
}

func (c *client) agentWrites(a *peer, name, text string) message {
	return c.asks(a, "fs/write_text_file", name, obj{"content": text})
}

// sent counts what the editor was sent.
func (c *client) sent(method string) (n int) {
	c.editor.mu.Lock()
	defer c.editor.mu.Unlock()
	for _, m := range c.editor.got {
		if m.Method == method {
			n++
		}
	}
	return n
}
