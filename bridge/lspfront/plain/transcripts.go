package plain

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// transcripts write what is said in each session to a file that grows: transcripts/SESSION/transcript.md in the state
// folder. transcript.md in the state folder itself is a link to the one written last.
type transcripts struct {
	p   *Tier
	dir string // the state folder, "" for none

	mu       sync.Mutex
	sessions map[string]*transcript
	linked   string // the session that transcript.md shows
	closed   bool
}

// transcript is one session's file. Guarded by transcripts.mu.
type transcript struct {
	session string
	path    string
	md      bridge.Markdown
	pending []byte
	last    time.Time
	stop    func()
	failed  bool               // nothing is written any more
	had     bool               // the file was there when the session was: history is in it
	outputs map[string]*output // of commands that run
}

// output is the start and the end of what a command prints.
type output struct {
	head, tail []byte
	dropped    int
}

func newTranscripts(p *Tier) *transcripts {
	return &transcripts{p: p, dir: p.Dir, sessions: map[string]*transcript{}}
}

// wanted reports whether anybody will read the file: a plugin that shows updates and asks by itself has no need of it.
func (ts *transcripts) wanted() bool {
	c := ts.p.Client
	return ts.dir != "" && (!c.Rich(Updates) || !c.Rich(Permission))
}

// add has f write to the transcript of a session.
func (ts *transcripts) add(session string, f func(t *transcript)) {
	if session == "" || !ts.wanted() {
		return
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.of(session)
	if t.failed || ts.closed {
		return
	}
	f(t)
	t.pending = append(t.pending, t.md.Take()...)
	ts.schedule(t)
}

// of is a session's transcript. Caller holds mu.
func (ts *transcripts) of(session string) *transcript {
	t := ts.sessions[session]
	if t == nil {
		t = &transcript{session: session, path: ts.path(session), outputs: map[string]*output{}}
		_, err := os.Stat(t.path)
		t.had = err == nil
		ts.sessions[session] = t
	}
	return t
}

func (ts *transcripts) path(session string) string {
	return filepath.Join(ts.dir, "transcripts", filepath.Base(session), "transcript.md")
}

// flush writes what is pending of a session and returns its file; "" if there is none.
func (ts *transcripts) flush(session string) string {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.sessions[session]
	if t == nil || t.failed {
		return ""
	}
	ts.write(t)
	return t.path
}

func (ts *transcripts) close() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.closed = true
	for _, t := range ts.sessions {
		ts.write(t)
	}
}

// forget lets go of a session; its file stays.
func (ts *transcripts) forget(session string) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t := ts.sessions[session]; t != nil {
		ts.write(t)
		delete(ts.sessions, session)
	}
}

// remove deletes the file of a session that was deleted.
func (ts *transcripts) remove(session string) {
	if ts.dir == "" || session == "" || filepath.Base(session) != session {
		return
	}
	if err := os.RemoveAll(filepath.Dir(ts.path(session))); err != nil {
		ts.p.Log.Warn().Err(err).Msg("delete the transcript")
	}
}

func (ts *transcripts) prompt(e *bridge.TurnStarted) {
	ts.add(e.Session, func(t *transcript) {
		if e.Own {
			t.md.Note("The agent began a turn by itself.")
			return
		}
		t.md.Prompt(e.Prompt)
	})
}

func (ts *transcripts) update(e *bridge.Message) {
	ts.add(e.Session, func(t *transcript) {
		if !e.Replay || !t.had {
			t.md.Add(e)
		}
	})
}

func (ts *transcripts) note(session, text string) {
	ts.add(session, func(t *transcript) { t.md.Note(text) })
}

// ended says how a turn ended and what it changed.
func (ts *transcripts) ended(e *bridge.TurnEnded) {
	why := ""
	if e.Err != nil {
		why = e.Err.Error()
	}
	ts.add(e.Session, func(t *transcript) { t.md.End(e.StopReason, why, e.Files) })
}

// question writes all that a question is about; the message to the user has room for one line.
func (ts *transcripts) question(q *bridge.Question) {
	ts.add(q.Session, func(t *transcript) {
		t.md.Note("asks: " + q.Title + " (" + q.Reason + ")")
		for _, n := range q.Notes {
			t.md.Note(n)
		}
		t.pending = append(t.pending, t.md.Take()...)
		for _, fact := range q.Facts() {
			t.fence("", escape.Lines(fact))
		}
		if len(q.Argv) > 0 {
			t.fence("sh", escape.Lines(policy.CommandText(q.Argv)))
		}
		for _, d := range q.Diffs {
			t.fence("diff", questionDiff(d))
		}
	})
}

// output gathers what a command prints and writes it at its end.
func (ts *transcripts) output(e *bridge.TerminalOutput) {
	ts.add(e.Session, func(t *transcript) {
		o := t.outputs[e.Terminal]
		if o == nil {
			o = &output{}
			t.outputs[e.Terminal] = o
		}
		o.write(e.Data)
		if e.Exit == nil {
			return
		}
		delete(t.outputs, e.Terminal)
		t.md.Note("command ended" + exitText(e.Exit))
		t.pending = append(t.pending, t.md.Take()...)
		if text := o.String(); text != "" {
			t.fence("", text)
		}
	})
}

func exitText(x *bridge.Exit) string {
	switch {
	case x.Signal != nil:
		return ": " + *x.Signal
	case x.Code != nil:
		return fmt.Sprintf(" with %d", *x.Code)
	}
	return ""
}

// fence appends a code block.
func (t *transcript) fence(lang, text string) {
	t.pending = append(t.pending, '\n')
	t.pending = append(t.pending, escape.Fenced(lang, text)...)
}

func (o *output) write(data string) {
	if room := maxOutput/2 - len(o.head); room > 0 {
		n := min(room, len(data))
		o.head = append(o.head, data[:n]...)
		data = data[n:]
	}
	o.tail = append(o.tail, data...)
	if over := len(o.tail) - maxOutput/2; over > 0 {
		o.dropped += over
		o.tail = append(o.tail[:0], o.tail[over:]...)
	}
}

// String is the output, with a note where it was cut.
func (o *output) String() string {
	if o.dropped == 0 {
		return escape.Text(string(o.head) + string(o.tail))
	}
	return escape.Text(string(o.head)) + fmt.Sprintf("\n[%d bytes left out]\n", o.dropped) + escape.Text(string(o.tail))
}

// TranscriptFile writes what is pending of a session's transcript and returns its file. shown is false where that holds
// nothing yet, or nobody keeps it up to date: text is written to it then. path is "" without a state folder.
func (p *Tier) TranscriptFile(session string) (path string, current bool) {
	ts := p.transcripts
	if path = ts.flush(session); path != "" {
		return path, true
	}
	if ts.dir == "" {
		return "", false
	}
	path = ts.path(session)
	_, err := os.Stat(path)
	return path, err == nil && ts.wanted()
}
