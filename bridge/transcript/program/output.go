package program

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// Outcome is what a program has said in a call.
type Outcome struct {
	Texts   []string       // the assistant's messages
	Size    int            // bytes of them and of what was said of tools, as a transcript has it
	Session string         // the program's own session, as it named it
	Usage   jsontext.Value // as it reported it
	Used    int            // tokens in the context, 0 if not reported,
	Window  int            // of so many
	Said    bool           // there is an answer
	Called  bool           // a tool was used
	Heard   bool           // it has taken the message up
	Exit    guard.Exit

	failure   string // an error that it reported as such
	errorType string
	status    int    // HTTP status of the model service
	stray     string // what it printed beside its answer
	stderr    string
	finished  bool // it said that it was done,
	exitCode  int  // and how it would end
	flooded   bool // it was ended because it printed too much
}

// Stage is where what a program says goes while it says it. Calls come from one goroutine.
type Stage struct {
	Show   func(acp.SessionUpdate)    // nil: nobody looks on; likewise the others
	Remark func(text string)          // by the program itself, not by the model
	Tell   func(kind, message string) // what is no part of the conversation
}

func (s Stage) update(u acp.SessionUpdate) {
	if s.Show != nil {
		s.Show(u)
	}
}

// decoder reads what a program prints. done ends it; write and done are called on one goroutine.
type decoder interface {
	write(p []byte)
	done()
	// over is closed when the program has said that it is done, nil if it does not say so.
	over() <-chan struct{}
}

// speech is the assistant's text as it comes: free of escape sequences, without blanks at the end, put together to
// messages where something else comes in between.
type speech struct {
	stage Stage
	o     *Outcome
	strip *escape.Writer
	text  strings.Builder // of the message under way
	blank []byte          // white space that is shown when more follows
	id    *acp.MessageID
}

func newSpeech(st Stage, o *Outcome) *speech {
	s := &speech{stage: st, o: o}
	s.strip = escape.NewStripper(plain{s})
	return s
}

// plain is the speech behind its filter.
type plain struct{ s *speech }

func (p plain) Write(b []byte) (int, error) {
	p.s.plain(b)
	return len(b), nil
}

func (s *speech) write(p []byte) { _, _ = s.strip.Write(p) } // plain fails never

func (s *speech) plain(p []byte) {
	body := bytes.TrimRight(p, " \t\r\n")
	if len(body) == 0 {
		s.blank = append(s.blank, p...)
		return
	}
	chunk := string(append(s.blank, body...))
	if s.text.Len() == 0 { // blank lines before it say nothing, the indentation of its first line does
		lead := chunk[:len(chunk)-len(strings.TrimLeft(chunk, " \t\r\n"))]
		chunk = chunk[strings.LastIndexAny(lead, "\r\n")+1:]
	}
	s.blank = append(s.blank[:0:0], p[len(body):]...)
	s.text.WriteString(chunk)
	s.o.Said, s.o.Heard = true, true
	s.stage.update(&acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(chunk), MessageID: s.id}})
}

// end ends the message under way, if there is one.
func (s *speech) end() {
	_ = s.strip.Close() // as for write
	s.blank = nil
	if s.text.Len() > 0 {
		s.o.Texts, s.o.Size = append(s.o.Texts, s.text.String()), s.o.Size+s.text.Len()
		s.text.Reset()
	}
}

// errorWord is how Copilot CLI begins an error that it prints in the place of an answer.
const errorWord = "Error: "

// textOutput reads plain text: the whole of it is the answer, unless the whole of it is an error.
type textOutput struct {
	speech *speech
	o      *Outcome
	held   []byte // the beginning, while it may become an error's text
	open   bool   // it is an answer
}

func newTextOutput(st Stage, o *Outcome) *textOutput {
	return &textOutput{speech: newSpeech(st, o), o: o}
}

func (t *textOutput) write(p []byte) {
	if t.open {
		t.speech.write(p)
		return
	}
	t.held = append(t.held, p...)
	if start := strings.TrimLeft(escape.StripANSI(string(t.held[:min(len(t.held), maxStray)])), " \r\n"); len(t.held) <= maxStray/4 &&
		(strings.HasPrefix(start, errorWord) || strings.HasPrefix(errorWord, start)) {
		return
	}
	t.open = true
	t.speech.write(t.held)
	t.held = nil
}

func (t *textOutput) over() <-chan struct{} { return nil }

func (t *textOutput) done() {
	if text := escape.StripANSI(string(t.held)); isErrorText(text) {
		t.o.stray = text
		return
	}
	t.speech.write(t.held)
	t.speech.end()
}
