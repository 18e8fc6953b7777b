package review

import (
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/journal"
	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// Config says where a book keeps its journal.
type Config struct {
	// Dir is the folder of all journals (0700, made if it is not there); "" keeps
	// the book in memory only. Workspace tells journals apart: each has its own,
	// and so has each bridge that works in the same one at the same time.
	Dir, Workspace string

	Log zerolog.Logger
	Now func() time.Time // nil: time.Now

	// Notice, if set (else the log), is given one sentence for the user when something of the
	// journal was damaged, dropped or could not be saved. It is called in order,
	// also during Open, and may call the book.
	Notice func(text string)
}

// Book holds the pending changes of all sessions.
type Book struct {
	cfg Config

	mu       sync.Mutex
	st       *state
	journal  *journal.Journal // nil: memory only
	folder   journal.Folder   // of all journals of the workspace
	limit    int              // of the journal, 0: MaxJournal
	plans    map[string]*plan // on their way, by path
	lastPlan uint64
	changes  uint64          // records made since the book was opened
	refused  map[string]bool // journals that could not be taken over, which is said once
	subs     []func(File)
	texts    map[string]*lines.Body // of files with comments, as they were last seen

	commentSubs []func(path string, list []Comment)

	queue   []func() // what subscribers have to be told, in order
	telling bool     // somebody empties the queue
}

// Open opens the journal of a workspace and brings back what is in it. The error
// says why no journal can be had; a caller may go on with an empty Dir.
func Open(cfg Config) (*Book, error) {
	b := newBook(cfg)
	if err := b.open(); err != nil {
		return nil, err
	}
	return b, nil
}

func newBook(cfg Config) *Book {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	b := &Book{cfg: cfg, st: newState(), plans: map[string]*plan{}, texts: map[string]*lines.Body{}, refused: map[string]bool{}}
	b.folder = journal.Folder{Disk: durable.Disk{}, Workspace: cfg.Workspace, MaxRecord: maxRecord, Now: cfg.Now, Log: cfg.Log, Notice: b.notice}
	return b
}

func (b *Book) open() error {
	defer b.changing()()
	if b.cfg.Dir == "" {
		b.st.prefix = journal.NewPrefix()
		return nil
	}
	return b.openJournal()
}

// Close saves what is not on disk yet and gives the journal free. The book must not be used any more.
func (b *Book) Close() error {
	b.journal.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.journal.Close()
}

// Subscribe calls back after every change of the pending hunks of a file, with all
// of them, none if the last was resolved; in order, never with a lock held: the
// callback may call the book. Calls come on the goroutine of the caller that made
// the change, or of one that was telling already.
func (b *Book) Subscribe(told func(File)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs = append(b.subs, told)
}

// changing takes the lock for a method that may change something. What it returns is
// deferred: it gives the lock back, and then tells subscribers what changed.
func (b *Book) changing() (done func()) {
	b.mu.Lock()
	return func() {
		b.mu.Unlock()
		b.deliver()
	}
}

// deliver tells subscribers what changed. The caller does not hold b.mu.
func (b *Book) deliver() {
	b.mu.Lock()
	if len(b.st.shown)+len(b.st.talked) > 0 {
		b.report()
	}
	if b.telling {
		b.mu.Unlock()
		return
	}
	b.telling = true
	for len(b.queue) > 0 {
		next := b.queue[0]
		b.queue = b.queue[1:]
		b.mu.Unlock()
		next()
		b.mu.Lock()
	}
	b.telling = false
	b.mu.Unlock()
}

// report queues the files whose hunks changed. The caller holds b.mu.
func (b *Book) report() {
	paths := sorted(b.st.shown)
	clear(b.st.shown)
	for _, p := range sorted(b.st.talked) {
		list := b.commentsOn(p)
		for _, told := range b.commentSubs {
			b.queue = append(b.queue, func() { told(p, list) })
		}
	}
	clear(b.st.talked)
	if len(b.subs) == 0 {
		return
	}
	for _, p := range paths {
		c := File{Path: p, Kind: KindEdit, Undoable: true}
		if f := b.st.files[p]; f != nil {
			c = f.list(Filter{})
		}
		for _, told := range b.subs {
			b.queue = append(b.queue, func() { told(c) })
		}
	}
}

// notice queues a sentence for the user. The caller holds b.mu.
func (b *Book) notice(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if b.cfg.Notice == nil {
		b.cfg.Log.Warn().Msg(text)
		return
	}
	b.queue = append(b.queue, func() { b.cfg.Notice(text) })
}

// do applies and records a change that is not worth refusing if it cannot be
// saved: what it says is true already. The caller holds b.mu.
func (b *Book) do(r record) {
	b.changes++
	b.journal.Ready()
	if err := b.st.step(r); err != nil {
		b.cfg.Log.Error().Err(err).Msg("review: a record does not fit")
		b.journal.Diverged() // it may have been applied in part
		return
	}
	if err := b.journal.Write(r); err != nil {
		b.journal.Diverged()
	}
}
