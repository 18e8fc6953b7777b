package copilot

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/fsnotify/fsnotify"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const eventLogName = "events.jsonl"

// LogEvent is an event of Copilot's own log that ACP does not carry.
type LogEvent struct {
	Type string         // "session.compaction_start", "session.error", …; "" of a sign
	Data map[string]any // its fields
	Sign TurnSign       // of the session's turns; nothing else is set then
}

// told are the events worth telling. The rest is what ACP carries too, or bookkeeping.
var told = map[string]bool{
	"session.compaction_start":    true,
	"session.compaction_complete": true,
	"session.truncation":          true,
	"session.error":               true,
	"session.model_change":        true,
	"session.shutdown":            true,
}

// EventLogs follows the logs of sessions while Copilot writes them. Methods may be called from any goroutine.
type EventLogs struct {
	emit    func(session string, e LogEvent)
	watcher *fsnotify.Watcher
	done    chan struct{}

	mu    sync.Mutex
	tails map[string]*tail // by folder
}

// tail is how far a log was read.
type tail struct {
	session string
	path    string
	at      int64
	watched bool
}

// NewEventLogs starts to follow nothing. emit is called in the order of the log, one call at a time, and must not call
// back.
func NewEventLogs(emit func(session string, e LogEvent)) (*EventLogs, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	l := &EventLogs{emit: emit, watcher: w, done: make(chan struct{}), tails: map[string]*tail{}}
	go l.run()
	return l, nil
}

// Follow follows the log in a session's folder from its present end; what is not there yet is followed from its start.
// Call it again when the folder may have come into being, or to read what was written up to now.
func (l *EventLogs) Follow(session, dir string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	dir = filepath.Clean(dir)
	t := l.tails[dir]
	if t == nil {
		t = &tail{session: session, path: filepath.Join(dir, eventLogName)}
		if info, err := os.Stat(t.path); err == nil {
			t.at = info.Size()
		}
		l.tails[dir] = t
	}
	if !t.watched {
		t.watched = l.watcher.Add(dir) == nil // else it is not there yet
	}
	l.read(t)
}

// Forget stops following the log in a folder.
func (l *EventLogs) Forget(dir string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	dir = filepath.Clean(dir)
	if t := l.tails[dir]; t != nil && t.watched {
		_ = l.watcher.Remove(dir) // an error says that the folder is gone, and the watch with it
	}
	delete(l.tails, dir)
}

// Close stops following.
func (l *EventLogs) Close() {
	l.watcher.Close()
	<-l.done
}

func (l *EventLogs) run() {
	defer close(l.done)
	for {
		select {
		case ev, ok := <-l.watcher.Events:
			if !ok {
				return
			}
			if filepath.Base(ev.Name) != eventLogName || !ev.Op.Has(fsnotify.Write) && !ev.Op.Has(fsnotify.Create) {
				continue
			}
			l.mu.Lock()
			if t := l.tails[filepath.Dir(ev.Name)]; t != nil {
				l.read(t)
			}
			l.mu.Unlock()
		case err, ok := <-l.watcher.Errors:
			if !ok {
				return
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				l.mu.Lock()
				for _, t := range l.tails {
					l.read(t)
				}
				l.mu.Unlock()
			}
		}
	}
}

// read tells the whole lines that were written since; a torn last line waits for its end. The caller holds mu.
func (l *EventLogs) read(t *tail) {
	f, err := os.Open(t.path)
	if err != nil {
		return // not there yet, or no more
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return
	}
	if info.Size() < t.at {
		t.at = 0 // written anew: a session that was rewound
	}
	for buf := make([]byte, 64<<10); ; {
		n, err := f.ReadAt(buf, t.at)
		end := bytes.LastIndexByte(buf[:n], '\n') + 1
		for line := range bytes.Lines(buf[:end]) {
			l.line(t, line)
		}
		t.at += int64(end)
		switch {
		case err != nil && err != io.EOF, err == io.EOF:
			return
		case end == 0 && len(buf) < maxLogLine:
			buf = make([]byte, 2*len(buf))
		case end == 0:
			t.at += int64(n) // too long to be one that is told; what remains of it is no JSON
		}
	}
}

func (l *EventLogs) line(t *tail, line []byte) {
	if sign := turnSign(line); sign != NoTurnSign {
		l.emit(t.session, LogEvent{Sign: sign})
	} else if e, ok := logEvent(line); ok {
		l.emit(t.session, e)
	}
}

// logEvent reads a line of a log; false for one that is not told.
func logEvent(line []byte) (LogEvent, bool) {
	// Most lines are not told; those that are begin with their type (Copilot CLI 1.0.102).
	if !bytes.Contains(line[:min(len(line), 256)], []byte(`"session.`)) {
		return LogEvent{}, false
	}
	var e struct {
		Type string         `json:"type"`
		Data jsontext.Value `json:"data"`
	}
	if json.Unmarshal(line, &e, jsontext.AllowInvalidUTF8(true)) != nil || !told[e.Type] {
		return LogEvent{}, false
	}
	out := LogEvent{Type: e.Type}
	return out, json.Unmarshal(e.Data, &out.Data) == nil
}

// LogSize is how long a log is, 0 if it is not there.
func LogSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// LogSince reads what was written to a log after its first size bytes; see [EventLogs] for what is told of it.
func LogSince(path string, size int64) (out []LogEvent) {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	in := bufio.NewReaderSize(io.NewSectionReader(f, size, 1<<62), 64<<10)
	for {
		line, err := readLine(in)
		if e, ok := logEvent(line); ok {
			out = append(out, e)
		}
		if err != nil {
			return out
		}
	}
}
