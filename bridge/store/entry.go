package store

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// lenient: what an agent sent is kept as it came, bad UTF-8 and all.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// Kind says what an entry is.
type Kind string

const (
	KindUpdate Kind = "update" // an ACP v1 session update, or a run of text chunks of one message
	KindPrompt Kind = "prompt" // what the user sent: ACP v1 content blocks
	KindQueued Kind = "queued" // the same, of a prompt that waits; the newest of a turn counts until its prompt or end
	KindSent   Kind = "sent"   // a turn's prompt in the words that the model was told it in, where those are others
	KindEnd    Kind = "end"    // how a turn ended
	KindNote   Kind = "note"   // something that happened to the session
	KindGap    Kind = "gap"    // entries are missing here
	kindMeta   Kind = "meta"   // what the session is; [Meta] is kept in the log too
)

// Entry is one thing that happened in a session.
type Entry struct {
	Kind   Kind           `json:"k"`
	Time   time.Time      `json:"t,omitzero"`
	Turn   string         `json:"turn,omitzero"`
	First  uint64         `json:"n,omitzero"`    // number of the (first) update
	Ends   []uint32       `json:"ends,omitzero"` // of a run: where in its text each chunk ends
	Replay bool           `json:"replay,omitzero"`
	Paths  []string       `json:"paths,omitzero"`
	Refs   jsontext.Value `json:"refs,omitzero"` // of a prompt: the places in the editor that went with it
	Body   jsontext.Value `json:"v,omitzero"`
}

// Meta is what a session is: how it is listed, found and continued.
type Meta struct {
	Format  int                       `json:"format"`
	ID      string                    `json:"id"`
	Agent   string                    `json:"agent,omitzero"`  // the agent's id of it, the only way to continue
	Editor  string                    `json:"editor,omitzero"` // the id by which an editor that speaks ACP knows it
	Cwd     string                    `json:"cwd"`
	Dirs    []string                  `json:"dirs,omitzero"`
	Title   string                    `json:"title,omitzero"`
	Titled  bool                      `json:"titled,omitzero"` // by the user: the agent's title does not count
	Created time.Time                 `json:"created"`
	Updated time.Time                 `json:"updated"`
	Turns   int                       `json:"turns,omitzero"`
	Mode    string                    `json:"mode,omitzero"`
	Options map[string]jsontext.Value `json:"options,omitzero"` // as set, by option id
	Level   string                    `json:"level,omitzero"`   // how much was asked last
	Carry   bool                      `json:"carry,omitzero"`   // the agent has lost it: the next prompt sums it up
	Servers jsontext.Value            `json:"servers,omitzero"` // the MCP servers it was opened with
}
