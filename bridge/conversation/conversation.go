package conversation

import (
	"sync"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// Config says whose conversation it is and where it is kept.
type Config struct {
	ID    string       // of the session, in what is shown of it and in the store
	Store *store.Store // nil: in memory only
	// DiskOnly is for an editor that gets its history from the agent: nobody asks for what was said, until the session is
	// opened by another editor.
	DiskOnly bool
}

// Conversation is all that a session's editor was shown, in order, with gapless numbers, and what the user said.
// Adjacent chunks of one message are one item, so that a long answer costs its text and four bytes a chunk.
//
// Its methods may be called from any goroutine. Those that add something must be called in the order in which the editor
// is shown it, which makes them the work of the one goroutine that shows; see the package comment.
type Conversation struct {
	cfg Config

	mu    sync.Mutex
	next  uint64 // number of the next update
	items []item
	carry bool         // the agent has lost what was said
	lost  []LostPrompt // oldest first, at most maxLost
	agent []byte       // see [Conversation.AgentState]

	saved *store.Session // nil: kept in memory only, or closed
	run   int            // of the last item's chunks, how many are given to saved; the rest waits for more
	timer *time.Timer    // gives them when no more come

	spareText []byte // of a run that was trimmed, for the next one, which will be as long
	spareEnds []uint32

	unsure  int           // bytes given to saved and perhaps not on disk, with DiskOnly
	syncing chan struct{} // closed when that has been seen to; nil if it never was

	closing sync.Mutex // held while the store lets go of the session; taken before mu
}

// New makes a conversation in which nothing was said. It is in memory only until [Conversation.Create] or
// [Conversation.Restore].
func New(cfg Config) *Conversation { return &Conversation{cfg: cfg, next: 1} }

// Claim says that a message is of this conversation: [Message.Record] adds it. It is called where the message is made, before
// that is queued for the editor.
func (c *Conversation) Claim(m *Message) { m.of = c }

// Record adds the message to the conversation that has claimed it, which may be closed by now. It is called where the
// message is shown. One that nobody has claimed was shown before and has its number, or is not to be kept.
func (m *Message) Record() {
	if m.of != nil {
		m.of.Add(m)
	}
}

// Add adds an update and gives it its number; other messages are not kept. What is on disk only is not in memory longer than
// the store needs it, and Add waits where the disk is much slower than the agent.
func (c *Conversation) Add(m *Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m.Seq = c.next
	if c.grow(m) {
		c.next++
		c.saveSoon()
		if c.cfg.DiskOnly && len(c.items[len(c.items)-1].text) >= maxRunOnDisk {
			c.trim()
		}
		return
	}
	u := m.Update()
	if u == nil {
		return
	}
	c.next++
	c.saveRun()
	e := item{first: m.Seq, turn: m.Turn, replay: m.Replay, update: u, paths: m.Paths}
	text := PlainText(u)
	if text != nil {
		e.text = append(c.spareText, text.Text...)
		e.ends = append(c.spareEnds, uint32(len(e.text)))
		c.spareText, c.spareEnds = nil, nil
		e.update = WithText(u, "")
	}
	c.items = append(c.items, e)
	c.run = 0
	if text == nil {
		c.save(&e)
	} else {
		c.saveSoon()
	}
	if c.cfg.DiskOnly {
		c.trim()
	}
}

// grow adds a chunk to the run at the end, if it goes on the same message. The caller holds mu.
func (c *Conversation) grow(m *Message) bool {
	if len(c.items) == 0 {
		return false
	}
	last := &c.items[len(c.items)-1]
	if last.ends == nil || last.turn != m.Turn || last.replay != m.Replay || len(last.text) >= maxRun {
		return false
	}
	if p, ok := m.Chunk(); ok { // nobody needs its view
		if !goesOn(last.update, &p) {
			return false
		}
		last.text = acp.AppendText(last.text, p.Text)
	} else {
		u := m.Update()
		text := PlainText(u)
		if text == nil || !SameMessage(last.update, u) {
			return false
		}
		last.text = append(last.text, text.Text...)
	}
	last.ends = append(last.ends, uint32(len(last.text)))
	return true
}

// AddPrompt adds what the user said: the prompt that begins a turn, with the places that went with it, or something that
// was added to a turn that runs. It returns when it is on disk, if the disk can be written.
func (c *Conversation) AddPrompt(turn string, blocks []acp.ContentBlock, refs []ContextRef) {
	c.put(item{turn: turn, prompt: blocks, refs: refs})
	c.Sync()
}

// AddQueued adds a prompt that waits for its turn; the newest of a turn counts. It is on disk as with AddPrompt.
func (c *Conversation) AddQueued(turn string, blocks []acp.ContentBlock, refs []ContextRef) {
	c.put(item{turn: turn, queued: blocks, refs: refs})
	c.Sync()
}

// AddEnd adds how a turn ended, on disk as with AddPrompt. One that was only queued ends too when it is taken out.
func (c *Conversation) AddEnd(turn string, end End) {
	c.put(item{turn: turn, end: &end})
	c.Sync()
}

// AddHappening adds something that happened to the session, unless it is there in another form. The next Sync has it on
// disk.
func (c *Conversation) AddHappening(h *Happening) {
	if !h.Said {
		c.put(item{note: h})
	}
}

// put adds something that is no update.
func (c *Conversation) put(e item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saveRun()
	e.first = c.next
	c.items = append(c.items, e)
	c.save(&e)
}

// Empty says whether the editor was shown nothing.
func (c *Conversation) Empty() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.next == 1
}

// each visits the items, oldest first, and returns the number of the newest update. mu is held meanwhile.
func (c *Conversation) each(visit func(*item)) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.items {
		visit(&c.items[i])
	}
	return c.next - 1
}
