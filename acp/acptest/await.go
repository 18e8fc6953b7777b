package acptest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// await does the steps that wait for the peer or the test.
func (p *player) await(ctx context.Context, s *step, word, rest string) error {
	switch s.verb {
	case "expect":
		return p.expect(ctx, s.label, word, rest)
	case "find":
		return p.find(ctx, s.label, word, rest)
	case "none":
		return p.wait(ctx, func() (Verdict, string) {
			if i := p.index(word); i >= 0 {
				return Unmeetable, "have " + p.state.inbox[i].String()
			}
			return Met, ""
		})
	case "answer":
		return p.answer(ctx, s.label, s.arg)
	case "refused":
		return p.refused(ctx, s.label, s.arg)
	case "eof":
		return p.eof(ctx)
	}
	return p.wait(ctx, func() (Verdict, string) { // wait
		switch {
		case p.state.set[word]:
			return Met, ""
		case p.state.gone:
			return Unmeetable, "the test is over and did not set the marker " + word
		}
		return Unmet, "still waiting for the marker " + word
	})
}

// index finds a method in the inbox. The state is locked.
func (p *player) index(method string) int {
	return slices.IndexFunc(p.state.inbox, func(m *message) bool { return m.Method == method })
}

// expect takes the next message, which has to be of the method.
func (p *player) expect(ctx context.Context, label, method, pattern string) error {
	return p.take(ctx, label, method, pattern, func() (int, string) {
		if len(p.state.inbox) == 0 || p.state.inbox[0].Method == method {
			return min(0, len(p.state.inbox)-1), ""
		}
		return -1, "have " + p.state.inbox[0].String()
	})
}

// find takes the first message of the method, wherever it is.
func (p *player) find(ctx context.Context, label, method, pattern string) error {
	return p.take(ctx, label, method, pattern, func() (int, string) { return p.index(method), "" })
}

// take waits until which names a message; a reason means that it never will.
func (p *player) take(ctx context.Context, label, method, pattern string, which func() (int, string)) error {
	var m *message
	err := p.wait(ctx, func() (Verdict, string) {
		i, why := which()
		switch {
		case why != "":
			return Unmeetable, why
		case i >= 0:
			m = p.state.inbox[i]
			p.state.inbox = append(p.state.inbox[:i:i], p.state.inbox[i+1:]...)
			return Met, ""
		case p.state.end != nil:
			return Unmeetable, p.state.end.Error()
		}
		return Unmet, "still waiting"
	})
	if err != nil {
		return err
	}
	p.vars.learn(m.Params)
	p.last["params"] = m.Params
	p.expected[label] = m
	if m.ID != nil {
		p.vars.values["id"] = string(m.ID)
	}
	return p.fits(pattern, m.Params, m)
}

// fits says what of a message is not as the pattern, before substitution, wants it; "" wants nothing.
func (p *player) fits(pattern string, value jsontext.Value, m *message) error {
	if pattern == "" {
		return nil
	}
	pattern, err := p.vars.json(pattern)
	if err != nil {
		return err
	}
	if d := match(pattern, value); d != "" {
		return fmt.Errorf("%s in %s", d, m)
	}
	return nil
}

// response waits for the response to the request of a label.
func (p *player) response(ctx context.Context, label string) (*message, error) {
	id, ok := p.asked[label]
	if !ok {
		return nil, errors.New("there is no request to wait for")
	}
	delete(p.asked, label)
	var m *message
	err := p.wait(ctx, func() (Verdict, string) {
		m = p.state.answers[id]
		switch {
		case m != nil:
			return Met, ""
		case p.state.end != nil:
			return Unmeetable, p.state.end.Error()
		}
		return Unmet, "still waiting"
	})
	return m, err
}

func (p *player) answer(ctx context.Context, label, pattern string) error {
	m, err := p.response(ctx, label)
	if err != nil {
		return err
	}
	if m.Error != nil || m.Result == nil {
		return fmt.Errorf("want a result, have %s", m)
	}
	p.vars.learn(m.Result)
	p.last["result"] = m.Result
	return p.fits(pattern, m.Result, m)
}

func (p *player) refused(ctx context.Context, label, code string) error {
	m, err := p.response(ctx, label)
	if err != nil {
		return err
	}
	if m.Error == nil {
		return fmt.Errorf("want an error, have %s", m)
	}
	p.last["error"] = m.Error
	if code == "" {
		return nil
	}
	return p.fits(`{"code":`+code+`}`, m.Error, m)
}

// eof waits until the peer hangs up; anything that it says before that is too much.
func (p *player) eof(ctx context.Context) error {
	return p.wait(ctx, func() (Verdict, string) {
		switch {
		case len(p.state.inbox) > 0:
			return Unmeetable, "want nothing more, have " + p.state.inbox[0].String()
		case errors.Is(p.state.end, errHungUp), p.state.deaf && p.state.gone:
			return Met, ""
		case p.state.end != nil:
			return Unmeetable, p.state.end.Error()
		}
		return Unmet, "still waiting for the peer to hang up"
	})
}

// loop enters a loop, or passes over it when the peer has hung up.
func (p *player) loop(ctx context.Context, after int) error {
	over := false
	err := p.wait(ctx, func() (Verdict, string) {
		over = len(p.state.inbox) == 0 && errors.Is(p.state.end, errHungUp)
		if over || len(p.state.inbox) > 0 {
			return Met, ""
		}
		if p.state.end != nil {
			return Unmeetable, p.state.end.Error()
		}
		return Unmet, "still waiting for the next round"
	})
	if over {
		p.at = after
	}
	return err
}

// again goes back to the start of a loop, whose first step is at begin.
func (p *player) again(ctx context.Context, begin int) error {
	after := p.at
	p.at = begin
	return p.loop(ctx, after)
}

func (p *player) handshake(ctx context.Context, s *step) error {
	if err := p.expect(ctx, s.label, "initialize", `{"protocolVersion":1}`); err != nil {
		return err
	}
	result := s.arg
	if result == "" {
		result = `{"protocolVersion":1,"agentInfo":{"name":"scripted","title":"Scripted agent","version":"1.0.0"},` +
			`"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true,"embeddedContext":true},` +
			`"sessionCapabilities":{"list":{},"close":{}}},"authMethods":[]}`
	}
	m, err := p.open(s.label)
	if err != nil {
		return err
	}
	return p.respond(m, result)
}

// session answers session/new with a session; members of the result, such as modes, may follow the id.
func (p *player) session(ctx context.Context, s *step, id, members string) error {
	if err := p.expect(ctx, s.label, "session/new", `{"cwd":"*","mcpServers":"*"}`); err != nil {
		return err
	}
	m, err := p.open(s.label)
	if err != nil {
		return err
	}
	quoted, err := jsontext.AppendQuote(nil, id)
	if err != nil {
		return err
	}
	result := `{"sessionId":` + string(quoted)
	if members != "" {
		text, err := p.vars.json(members)
		if err != nil {
			return err
		}
		if len(text) < 2 || text[0] != '{' {
			return fmt.Errorf("want an object of members, have %s", text)
		}
		if text != "{}" {
			result += "," + text[1:len(text)-1]
		}
	}
	// Substituted already.
	p.vars.learn(jsontext.Value(result + "}"))
	return p.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + `}}`)
}
