package plain

import (
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// diagnostics owns what the server says about files. It always publishes the whole set of a file, a moment after the
// last change of it, and only when it differs from what the editor has.
type diagnostics struct {
	p *Tier

	flushing sync.Mutex // held while sets are published, so that none overtakes another

	mu        sync.Mutex
	dirty     map[string]bool // paths to look at
	stop      func()          // the timer under way, nil if none is
	closed    bool
	troubles  []trouble
	published map[string]published // by path
}

// published is what the editor has of a file.
type published struct {
	uri string
	set string // encoded, "" for none
}

// trouble is something that went wrong at a place in a file and stays to be seen until its turn is done with.
type trouble struct {
	session, turn string
	code          string
	severity      protocol.DiagnosticSeverity
	at            place
	message       string
	over          bool // its turn has ended and left hunks: it goes when they are decided
}

func newDiagnostics(p *Tier) *diagnostics {
	return &diagnostics{p: p, dirty: map[string]bool{}, published: map[string]published{}}
}

// close ends the timer; nothing is published any more.
func (d *diagnostics) close() {
	d.mu.Lock()
	d.closed = true
	if d.stop != nil {
		d.stop()
	}
	d.mu.Unlock()
	d.flushing.Lock() // one that is under way is waited for
	defer d.flushing.Unlock()
}

// touch says that something about a file may have changed.
func (d *diagnostics) touch(paths ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	for _, path := range paths {
		if path != "" {
			d.dirty[path] = true
		}
	}
	if len(d.dirty) > 0 && d.stop == nil {
		d.stop = d.p.Clock.After(diagnosticsDelay, d.flush)
	}
}

// touchAll looks at every file that something is known of.
func (d *diagnostics) touchAll() {
	var paths []string
	d.mu.Lock()
	for path := range d.published {
		paths = append(paths, path)
	}
	for _, t := range d.troubles {
		paths = append(paths, t.at.path)
	}
	d.mu.Unlock()
	for _, q := range d.p.questions.list() {
		paths = append(paths, q.at.path) // "" where it is not shown in a file
	}
	d.touch(paths...)
}

// flush publishes the sets that have changed.
func (d *diagnostics) flush() {
	d.flushing.Lock()
	defer d.flushing.Unlock()
	d.mu.Lock()
	dirty := d.dirty
	d.dirty, d.stop = map[string]bool{}, nil
	closed := d.closed
	d.mu.Unlock()
	b, err := d.p.Client.Bridge()
	if closed || err != nil {
		return
	}
	for _, path := range d.resolved(b) {
		dirty[path] = true
	}
	changed := false
	for path := range dirty {
		if d.publish(b, path) {
			changed = true
		}
	}
	if changed {
		d.p.refreshLenses()
	}
}

// resolved drops the troubles of turns whose hunks have all been decided, and returns their files.
func (d *diagnostics) resolved(b *bridge.Bridge) (paths []string) {
	d.mu.Lock()
	turns := map[string]bool{}
	for _, t := range d.troubles {
		if t.over {
			turns[t.turn] = true
		}
	}
	d.mu.Unlock()
	for turn := range turns {
		if len(b.Review(d.p.Life, review.Filter{Turn: turn})) == 0 {
			paths = append(paths, d.clear(func(t trouble) bool { return t.turn == turn })...)
		}
	}
	return paths
}

// clear drops troubles and returns their files.
func (d *diagnostics) clear(gone func(trouble) bool) (paths []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.troubles = slices.DeleteFunc(d.troubles, func(t trouble) bool {
		if gone(t) {
			paths = append(paths, t.at.path)
			return true
		}
		return false
	})
	return paths
}

// publish sends the set of one file, if the editor does not have it; true if it was sent.
func (d *diagnostics) publish(b *bridge.Bridge, path string) bool {
	u, set := d.p.Client.URI(path), d.set(b, path)
	_, version := d.p.Client.Text(path)
	encoded := ""
	if len(set) > 0 {
		raw, err := marshal(set)
		if err != nil {
			d.p.Log.Error().Err(err).Msg("encode diagnostics")
			return false
		}
		encoded = string(raw)
	}
	d.mu.Lock()
	was := d.published[path]
	if encoded == "" {
		delete(d.published, path)
	} else {
		d.published[path] = published{u, encoded}
	}
	d.mu.Unlock()
	if was.set != "" && was.uri != u {
		d.send(was.uri, nil, nil) // the editor has opened or closed the file under another spelling
		was = published{}
	}
	if was.set == encoded {
		return false
	}
	d.send(u, version, set)
	return true
}

func (d *diagnostics) send(u string, version *int32, set []protocol.Diagnostic) {
	p := &protocol.PublishDiagnosticsParams{URI: uri.URI(u), Diagnostics: set}
	if set == nil {
		p.Diagnostics = []protocol.Diagnostic{}
	}
	if version != nil {
		p.Version = protocol.NewOptional(*version)
	}
	d.p.Client.Notify(protocol.MethodTextDocumentPublishDiagnostics, p)
}

// forget clears what went wrong in a session: the next prompt is the answer to it.
func (d *diagnostics) forget(session string) {
	d.touch(d.clear(func(t trouble) bool { return t.session == session })...)
}

// turnEnded marks the troubles of a turn that left something to decide.
func (d *diagnostics) turnEnded(e *bridge.TurnEnded) {
	if len(e.Files) == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.troubles {
		if d.troubles[i].turn == e.Turn {
			d.troubles[i].over = true
		}
	}
}

// update notes a tool call that failed, unless it did because the user said no.
func (d *diagnostics) update(e *bridge.Message, c *toolCall) {
	if c.status != acp.ToolCallStatusFailed || d.p.questions.wasRefused(c.id) {
		return
	}
	message := "Copilot: " + escape.Clip(c.title(), MaxMessageText) + " failed"
	if c.text != "" {
		message += "\n" + escape.Clip(oneLine(c.text), MaxMessageText)
	}
	for _, at := range c.places {
		d.add(trouble{session: e.Session, turn: e.Turn, code: CodeFailed, severity: protocol.DiagnosticSeverityWarning, at: at, message: message})
	}
}

// conflict notes an edit that was not made because the user had changed the same lines.
func (d *diagnostics) conflict(session string, h *bridge.Happening) {
	path, _ := h.Data["path"].(string)
	if path == "" {
		return
	}
	at := place{path, -1}
	if line, ok := h.Data["line"].(int); ok {
		at.line = line - 1
	}
	message := "Copilot: " + escape.Clip(oneLine(h.Message), MaxMessageText)
	if wanted, ok := h.Data["wanted"].(string); ok {
		message += "\nCopilot wanted: " + escape.Clip(oneLine(wanted), MaxMessageText)
	}
	turn := ""
	for _, t := range d.p.Running() {
		if t.Session == session {
			turn = t.ID
		}
	}
	d.add(trouble{session: session, turn: turn, code: CodeConflict, severity: protocol.DiagnosticSeverityWarning, at: at, message: message})
}

// add notes a trouble once. A conflict says more than the failed tool call it came with.
func (d *diagnostics) add(t trouble) {
	if b, err := d.p.Client.Bridge(); err == nil {
		t.at.path = b.Canonical(t.at.path)
	}
	d.mu.Lock()
	for _, o := range d.troubles {
		same := o.at.path == t.at.path && o.session == t.session
		if same && (o.code == CodeConflict && t.code == CodeFailed || o.code == t.code && o.message == t.message && o.at == t.at) {
			d.mu.Unlock()
			return
		}
	}
	d.troubles = append(d.troubles, t)
	d.mu.Unlock()
	d.touch(t.at.path)
}
