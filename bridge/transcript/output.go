package transcript

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// outcome is what a program has said in a turn.
type outcome struct {
	texts     []string // the assistant's messages
	size      int      // bytes that they take in a transcript, with those of the tools
	session   string   // the program's own session, as it named it
	usage     jsontext.Value
	used      int    // tokens in the context, 0 if not reported,
	window    int    // of so many
	failure   string // an error that it reported as such
	errorType string
	status    int    // HTTP status of the model service
	stray     string // what it printed beside its answer
	stderr    string
	said      bool // there is an answer
	called    bool // a tool was used
	heard     bool // it has taken the message up
	finished  bool // it said that it was done,
	exitCode  int  // and how it would end
	flooded   bool // it was ended because it printed too much
}

// stage is where what a program says goes while it says it. Calls come from one goroutine.
type stage struct {
	show func(acp.SessionUpdate)    // nil: nobody looks on
	tell func(kind, message string) // what is no part of the conversation; nil likewise
}

func (s stage) update(u acp.SessionUpdate) {
	if s.show != nil {
		s.show(u)
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
	stage stage
	o     *outcome
	strip *escape.Writer
	text  strings.Builder // of the message under way
	blank []byte          // white space that is shown when more follows
	id    *acp.MessageID
}

func newSpeech(st stage, o *outcome) *speech {
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
	s.o.said, s.o.heard = true, true
	s.stage.update(&acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(chunk), MessageID: s.id}})
}

// end ends the message under way, if there is one.
func (s *speech) end() {
	_ = s.strip.Close() // as for write
	s.blank = nil
	if s.text.Len() > 0 {
		m := message{Role: assistant, Text: s.text.String()}
		s.o.texts, s.o.size = append(s.o.texts, m.Text), s.o.size+m.size()
		s.text.Reset()
	}
}

// errorWord is how Copilot CLI begins an error that it prints in the place of an answer.
const errorWord = "Error: "

// textOutput reads plain text: the whole of it is the answer, unless the whole of it is an error.
type textOutput struct {
	speech *speech
	o      *outcome
	held   []byte // the beginning, while it may become an error's text
	open   bool   // it is an answer
}

func newTextOutput(st stage, o *outcome) *textOutput {
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
