package bridge

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// Some agents run commands themselves and show them as terminals that the client never made: a tool call has content
// {"type":"terminal"} with an id of theirs, and the output comes in the _meta of its updates. The keys are a
// convention of Zed's (codex-acp 2.6, pi-acp 0.0.34, claude-agent-acp).

// terminalMeta is what such a _meta may hold.
type terminalMeta struct {
	Output *foreignData `json:"terminal_output"`
	Delta  *foreignData `json:"terminal_output_delta"`
	Exit   *foreignExit `json:"terminal_exit"`
}

type foreignData struct {
	ID   string `json:"terminal_id"`
	Data string `json:"data"`
}

type foreignExit struct {
	ID     string  `json:"terminal_id"`
	Code   *int64  `json:"exit_code"`
	Signal *string `json:"signal"`
}

// foreignOutput is an effect of step: output of a terminal that is probably not ours.
type foreignOutput struct{ ev *TerminalOutput }

// foreignTerminal reads the output of a foreign terminal from a tool call's _meta; without an id it is the call's own.
// What cannot be read is passed on with the update and otherwise left alone.
func (s *state) foreignTerminal(call acp.ToolCallID, meta jsontext.Value) (out []effect) {
	if len(meta) == 0 || s.mute {
		return nil
	}
	var m terminalMeta
	if err := json.Unmarshal(meta, &m); err != nil {
		return nil
	}
	id := func(given string) string {
		if given == "" {
			return string(call)
		}
		return given
	}
	for _, d := range []*foreignData{m.Output, m.Delta} {
		if d != nil && d.Data != "" {
			out = append(out, foreignOutput{&TerminalOutput{Session: s.id, Terminal: id(d.ID), Data: d.Data}})
		}
	}
	if e := m.Exit; e != nil {
		exit := &Exit{Signal: e.Signal}
		if e.Code != nil && *e.Code >= 0 && *e.Code <= 1<<32-1 {
			code := uint32(*e.Code)
			exit.Code = &code
		}
		out = append(out, foreignOutput{&TerminalOutput{Session: s.id, Terminal: id(e.ID), Exit: exit}})
	}
	return out
}

// foreign keeps the end of the output of foreign terminals, for an editor that loads the session again.
type foreign struct {
	mu    sync.Mutex
	terms []*foreignKept // oldest first
}

// foreignKept is the end of one terminal's output.
type foreignKept struct {
	session, id string
	// data ends with the last maxForeignBytes, or all there were. It grows to twice that before it is cut, so that a byte is
	// moved once on the average, however small the pieces are.
	data      []byte
	truncated bool
	exit      *Exit
}

func (k *foreignKept) add(text string) {
	k.data = append(k.data, text...)
	if len(k.data) > 2*maxForeignBytes {
		k.data = append(k.data[:0], k.data[len(k.data)-maxForeignBytes:]...)
		k.truncated = true
	}
}

// output is what is kept, from a whole character on.
func (k *foreignKept) output() TerminalOutput {
	data, cut := k.data, k.truncated
	if len(data) > maxForeignBytes {
		data, cut = data[len(data)-maxForeignBytes:], true
	}
	for cut && len(data) > 0 && !utf8.RuneStart(data[0]) {
		data = data[1:]
	}
	return TerminalOutput{Session: k.session, Terminal: k.id, Data: string(data), Truncated: cut, Exit: k.exit}
}

// take adds to what is kept. It reports whether the event is news: a terminal that has ended says nothing more.
func (f *foreign) take(ev *TerminalOutput) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.terms, func(k *foreignKept) bool { return k.id == ev.Terminal })
	if i < 0 {
		if len(f.terms) >= maxForeign {
			f.terms = slices.Delete(f.terms, 0, 1)
		}
		f.terms = append(f.terms, &foreignKept{session: ev.Session, id: ev.Terminal})
		i = len(f.terms) - 1
	}
	k := f.terms[i]
	if k.exit != nil {
		return false
	}
	k.add(ev.Data)
	k.exit = ev.Exit
	return true
}

func (f *foreign) kept(id string) (TerminalOutput, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, k := range f.terms {
		if k.id == id {
			return k.output(), true
		}
	}
	return TerminalOutput{}, false
}

// showForeign shows output of a terminal that the agent runs itself. An agent that tells of one of ours tells nothing
// new: its output has been shown as it came.
func (s *Session) showForeign(ev *TerminalOutput) {
	if _, ours := s.b.runner.Kept(s.ID, ev.Terminal); !ours && s.theirs.take(ev) {
		s.b.out.push(ev)
	}
}

// showKept shows what the terminals of a tool call have written, once more: for an editor that loads the session.
func (s *Session) showKept(u acp.SessionUpdate, show func(Event)) {
	var content []acp.ToolCallContent
	switch u := u.(type) {
	case *acp.ToolCall:
		content = u.Content
	case *acp.ToolCallUpdate:
		content = u.Content
	}
	for _, c := range content {
		t, ok := c.(*acp.Terminal)
		if !ok {
			continue
		}
		id := string(t.TerminalID)
		if o, ok := s.b.runner.Kept(s.ID, id); ok {
			ev := &TerminalOutput{Session: s.ID, Terminal: id, Data: o.Text, Truncated: o.Truncated}
			if o.Exit != nil {
				ev.Exit = &Exit{Code: o.Exit.Code, Signal: o.Exit.Signal}
			}
			show(ev)
		} else if ev, ok := s.theirs.kept(id); ok {
			show(&ev)
		}
	}
}
