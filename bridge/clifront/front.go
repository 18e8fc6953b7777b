package clifront

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/internal/inline"
	"github.com/copilot-bridge/copilot-bridge/internal/wrap"
)

// Policy is what answers permission questions.
type Policy int

const (
	AskKeys Policy = iota // the user, by keys; no where there is no terminal
	Yes                   // --yes
	No                    // --no
)

// Options are how a turn is shown.
type Options struct {
	Stdout, Stderr io.Writer
	Keys           Keys // nil: nobody to ask
	Policy         Policy
	JSON           bool
	Colour         bool
	Cwd            string                  // paths below it are shown relative
	Voice          string                  // who answers where Policy does: "--yes" if it is not set
	Shared         bool                    // Stdout is shown on the same screen as Stderr
	Size           func() (cols, rows int) // of that screen; nil, or none of 0, where it is not known
}

// Front implements [bridge.Editor] in a terminal.
type Front struct {
	host.NoEditor
	o    Options
	ink  ink
	out  io.Writer      // stdout
	text *escape.Writer // the answer, on its way to out, where it is not shown as Markdown
	asks inline.Line    // of the questions that wait; the first is on the screen

	mu       sync.Mutex
	open     chan struct{} // closed when the question that is open has its answer; nil while none is
	held     []byte        // of the log, since then
	heldMore int           // bytes of it that were left out
	calls    map[acp.ToolCallID]*shownCall
	fresh    bool              // the last thing on stdout ended a line
	unsaid   string            // of the answer, what is no complete block of Markdown yet
	told     map[string]string // the last line of JSON about each thing of which only news is written
	spoke    bool              // the last thing that was shown is a block of the answer
	ended    map[string]*bridge.TurnEnded
	wake     chan struct{} // closed and replaced when a turn ends
	unasked  bool          // a question was answered no because there was nobody to ask
}

// shownCall is what was shown of a tool call.
type shownCall struct {
	called   string // as the agent has it
	title    string // "" as long as it has none
	kind     acp.ToolKind
	status   acp.ToolCallStatus
	begun    bool // its title was shown
	terminal bool // its output comes from a terminal
	text     string
	diffs    int
}

// New makes a front.
func New(o Options) *Front {
	f := &Front{o: o, ink: ink(o.Colour), calls: map[acp.ToolCallID]*shownCall{}, fresh: true,
		ended: map[string]*bridge.TurnEnded{}, told: map[string]string{}, wake: make(chan struct{})}
	f.out = o.Stdout
	if o.Shared {
		f.out = unmarker{o.Stdout}
	}
	f.text = escape.NewWriter(f.out)
	return f
}

// Wait returns how a turn ended, after everything of it has been shown.
func (f *Front) Wait(ctx context.Context, turn string) (*bridge.TurnEnded, error) {
	for {
		f.mu.Lock()
		e, wake := f.ended[turn], f.wake
		f.mu.Unlock()
		if e != nil {
			return e, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Unasked reports whether a question was answered no because there was no terminal to ask at.
func (f *Front) Unasked() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unasked
}

// Show implements [bridge.Editor]. While a question is open it waits for the answer, and so does what comes behind it: the
// bridge bounds that by having the agent wait.
func (f *Front) Show(ctx context.Context, ev bridge.Event) {
	if !f.lock(ctx) {
		return
	}
	defer f.mu.Unlock()
	if f.o.JSON {
		f.json(ev)
	} else {
		f.plain(ev)
	}
	if e, ok := ev.(*bridge.TurnEnded); ok {
		f.ended[e.Turn] = e
		close(f.wake)
		f.wake = make(chan struct{})
	}
}

// plain shows an event to the user. Caller holds mu.
func (f *Front) plain(ev bridge.Event) {
	switch e := ev.(type) {
	case *bridge.Message:
		f.update(e)
	case *bridge.TerminalOutput:
		f.output(e)
	case *bridge.SessionChanged:
		if e.Event != nil {
			f.happening(e.Session, e.Event)
		}
	case *bridge.StatusChanged:
		f.status(e)
	case *bridge.TurnStarted:
		if e.Own {
			f.note(f.ink.dim("Copilot goes on by itself …"))
		}
	case *bridge.TurnEnded:
		f.endLine()
		if e.Err != nil {
			why := escape.Text(e.Err.Message)
			if !e.Interrupted() {
				why = "failed: " + why
			}
			f.note(f.ink.red(why))
			if e.Err.Hint != "" {
				f.note("hint: " + escape.Text(e.Err.Hint))
			}
		}
		for _, c := range e.Files {
			f.note(fmt.Sprintf("%s  %s %s", f.short(c.Path), f.ink.green(fmt.Sprintf("+%d", c.Added)), f.ink.red(fmt.Sprintf("-%d", c.Removed))))
		}
	}
}

// happening shows what happened to the session. Notices and errors of the agent are shown where they stand, that it ended is
// no news when we ended it.
func (f *Front) happening(session string, h *bridge.Happening) {
	switch h.Type {
	case "turn_interrupted":
		if turn, _ := h.Data["turnId"].(string); f.ended[turn] == nil { // else its end has said so
			f.note(f.ink.yellow("! " + escape.Inline(h.Message)))
		}
		f.note("to send it again: copilot-bridge prompt --session " + escape.Inline(session) + " --again")
	case "notice", "error", "shutdown":
	default:
		f.note(f.ink.yellow("! " + escape.Inline(h.Message)))
	}
}

// status tells why the user waits: that the agent starts, that it does not stop. That a question is open can be seen.
func (f *Front) status(e *bridge.StatusChanged) {
	switch {
	case e.Unstarted, e.Session != "" && e.Kind == bridge.StatusError: // whoever began the session or the turn tells of it
	case e.Kind == bridge.StatusError, e.Kind == bridge.StatusWaiting && !e.Asking:
		f.note(f.ink.yellow("! " + escape.Inline(e.Message)))
	case e.Session == "" && e.Kind == bridge.StatusBusy:
		f.note(f.ink.dim(escape.Inline(e.Message) + " …"))
	}
}

// note writes a text of our own to stderr, after the answer's line if that is open.
func (f *Front) note(text string) {
	for _, line := range wrap.Text(trimNewline(text), f.cols()) {
		f.row(line)
	}
}

// beside writes a text beside its name, and what does not fit below the text. Caller holds mu.
func (f *Front) beside(name, text string) {
	cols := f.cols()
	if cols > 0 {
		cols = max(cols-wrap.Width(name), 1)
	}
	for i, line := range wrap.Text(text, cols) {
		if i > 0 {
			name = strings.Repeat(" ", wrap.Width(name))
		}
		f.row(name + line)
	}
}

// row writes a line that is not broken, such as one of code.
func (f *Front) row(line string) {
	f.endLine()
	f.spoke = false
	fmt.Fprintln(f.o.Stderr, unmarked(trimNewline(line)))
}

// cols is how long lines are: as the screen is wide, 0 where there is none.
func (f *Front) cols() int {
	if f.o.Size == nil {
		return 0
	}
	cols, _ := f.o.Size()
	return cols
}

// endLine ends what is open of the answer on stdout.
func (f *Front) endLine() {
	f.show(len(f.unsaid))
	if !f.fresh {
		fmt.Fprintln(f.o.Stdout)
		f.fresh = true
	}
}

// maxOpenBlock is how much of the answer waits for the end of its block.
const maxOpenBlock = 64 << 10

// say writes a piece of the answer: as Markdown on a terminal, block by block, and as it comes elsewhere.
func (f *Front) say(text string) {
	if text == "" {
		return
	}
	if f.o.Shared {
		f.unsaid += text
		n := whole(f.unsaid)
		if len(f.unsaid) > maxOpenBlock {
			n = len(f.unsaid)
		}
		f.show(n)
		return
	}
	_, _ = io.WriteString(f.text, text) // nobody is left to be told when stdout is gone
	f.fresh = text[len(text)-1] == '\n'
}

// show writes the first n bytes of the answer as Markdown.
func (f *Front) show(n int) {
	block := f.unsaid[:n]
	f.unsaid = f.unsaid[n:]
	if strings.TrimSpace(block) == "" {
		return
	}
	if f.spoke {
		fmt.Fprintln(f.out)
	}
	f.spoke = true
	for _, line := range (markdown{ink: f.ink, cols: f.cols()}).lines(block) {
		fmt.Fprintln(f.out, line) // nobody is left to be told when stdout is gone
	}
}
