package acptest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// run does one step.
func (p *player) run(ctx context.Context, s *step) error {
	word, rest := head(s.arg)
	switch s.verb {
	case "expect", "find", "none", "answer", "refused", "eof", "wait":
		return p.await(ctx, s, word, rest)
	case "reply":
		m, err := p.open(s.label)
		if err != nil {
			return err
		}
		return p.respond(m, s.arg)
	case "fail":
		return p.fail(s.label, word, rest)
	case "request":
		id := strconv.Itoa(p.nextID)
		p.nextID++
		p.asked[s.label] = id
		p.vars.values["id"] = id
		return p.call(id, word, rest)
	case "cancel":
		return p.call("", "$/cancel_request", `{"requestId":`+p.asked[s.label]+`}`)
	case "notify":
		return p.call("", word, rest)
	case "update":
		return p.update(word, rest)
	case "say", "think":
		return p.chunk(s.verb, s.arg)
	case "stub":
		p.stubs[word] = stub{result: rest}
	case "ignore":
		p.stubs[word] = stub{ignore: true}
	case "send":
		line, err := p.vars.json(s.arg)
		if err != nil {
			return err
		}
		return p.send(line)
	case "raw":
		return p.rawStep(s.arg)
	case "write":
		return p.raw(strings.Repeat("x", s.count))
	case "repeat":
		for i := range s.count {
			p.vars.values["i"] = strconv.Itoa(i)
			if err := p.run(ctx, s.inner); err != nil {
				return fmt.Errorf("%s: time %d: %w", s.inner.verb, i, err)
			}
		}
	case "loop":
		return p.loop(ctx, s.jump)
	case "end":
		return p.again(ctx, s.jump)
	case "put", "remove", "holds":
		return p.file(s.verb, word, rest)
	case "set":
		return p.vars.set(word, rest, p.last)
	case "handshake":
		return p.handshake(ctx, s)
	case "session":
		return p.session(ctx, s, word, rest)
	case "mark":
		p.marks.reached(word, maps.Clone(p.vars.values))
	case "pause":
		return p.pause(ctx, s.arg)
	default:
		return p.ending(ctx, s, word)
	}
	return nil
}

// ending does the steps about the process and the stream.
func (p *player) ending(ctx context.Context, s *step, word string) error {
	switch s.verb {
	case "stderr":
		if p.options.Stderr == nil {
			return nil
		}
		text, err := p.vars.text(s.arg)
		if err == nil {
			_, err = fmt.Fprintln(p.options.Stderr, text)
		}
		return err
	case "close":
		p.closed = true
		if half, ok := p.stream.(interface{ CloseWrite() error }); ok {
			return half.CloseWrite()
		}
		return p.stream.Close()
	case "deaf":
		p.state.change(func() { p.state.deaf = true })
		return nil
	case "hang":
		// No p.wait: stubs are not answered any more either.
		return p.state.wait(ctx, func() (Verdict, string) {
			if p.state.gone {
				return Met, ""
			}
			return Unmet, "hanging"
		})
	case "exit":
		return exitError(s.count)
	}
	if !p.options.process {
		return fmt.Errorf("%s needs a process of its own: play the scenario with Process", s.verb)
	}
	switch {
	case s.verb == "ignore-signals":
		ignoreSignals()
		return nil
	case s.verb == "spawn" && word == "tree":
		pids, err := spawnTree()
		p.vars.values["pids"] = strings.Join(pids, " ")
		return err
	}
	return fmt.Errorf("no step %q", s)
}

// open is the message that was expected under a label and is not answered yet.
func (p *player) open(label string) (*message, error) {
	m := p.expected[label]
	if m == nil {
		return nil, errors.New("there is nothing to answer: no expect before, or it was answered")
	}
	delete(p.expected, label)
	return m, nil
}

func (p *player) fail(label, code, text string) error {
	m, err := p.open(label)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(code)
	if err != nil {
		return err
	}
	body, err := json.Marshal(struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}{number, text})
	if err != nil {
		return err
	}
	return p.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"error":` + string(body) + `}`)
}

// update sends session/update with the members of an object beside the kind.
func (p *player) update(kind, members string) error {
	inner := "{}"
	if members != "" {
		text, err := p.vars.json(members)
		if err != nil {
			return err
		}
		inner = text
	}
	if inner[0] != '{' {
		return fmt.Errorf("want an object, have %s", inner)
	}
	comma := ","
	if inner == "{}" {
		comma = ""
	}
	session, err := jsontext.AppendQuote(nil, p.vars.values["session"])
	if err != nil {
		return err
	}
	return p.send(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":` + string(session) +
		`,"update":{"sessionUpdate":"` + kind + `"` + comma + inner[1:] + `}}`)
}

func (p *player) chunk(verb, arg string) error {
	text, err := p.vars.text(arg)
	if err != nil {
		return err
	}
	if quoted, err := strconv.Unquote(text); err == nil {
		text = quoted
	}
	body, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return err
	}
	kind := map[string]string{"say": "agent_message_chunk", "think": "agent_thought_chunk"}[verb]
	// A dollar in the text is no variable any more.
	return p.update(kind, `{"content":{"type":"text","text":`+strings.ReplaceAll(string(body), "$", "$$")+`}}`)
}

func (p *player) rawStep(arg string) error {
	text, err := p.vars.text(arg)
	if err != nil {
		return err
	}
	if strings.HasPrefix(text, `"`) {
		if text, err = strconv.Unquote(text); err != nil {
			return fmt.Errorf("no Go string: %s", arg)
		}
	}
	return p.raw(text)
}

// file does what agents do behind everybody's back.
func (p *player) file(verb, path, text string) error {
	path, err := p.vars.text(path)
	if err != nil {
		return err
	}
	if text, err = p.vars.text(text); err != nil {
		return err
	}
	if quoted, err := strconv.Unquote(text); err == nil {
		text = quoted
	}
	switch verb {
	case "put":
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(text), 0o644)
	case "remove":
		return os.Remove(path)
	}
	have, err := os.ReadFile(path)
	if err == nil && string(have) != text {
		err = fmt.Errorf("%s holds %q, want %q", path, short(string(have)), short(text))
	}
	return err
}
