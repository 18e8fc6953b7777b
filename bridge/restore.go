package bridge

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// restore begins the restoring of a session: the modes and options it had, and whether its history was shown before.
// What the agent reports until restored is what it fell back to, not what the person chose.
func (s *Session) restore() (want *store.Meta, shown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restoring = true
	m := store.Meta{Options: chosen(s.snap.Options)}
	if s.snap.Modes != nil {
		m.Mode = string(s.snap.Modes.CurrentModeID)
	}
	if saved := s.saved(); saved != nil && s.snap.Modes == nil && len(s.snap.Options) == 0 {
		m = saved.Meta()
	}
	if isPlan(acp.SessionModeID(m.Mode)) {
		s.in.put(holdIn{acp.SessionModeID(m.Mode)})
	}
	return &m, !s.elsewhere
}

func (s *Session) restored() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restoring = false
}

// putBack sets the modes and options that are wanted and differ: an agent that was killed has its defaults again. What
// the agent no longer offers stays as it is.
func (s *Session) putBack(ctx context.Context, l *link, remote acp.SessionID, want *store.Meta, modes *acp.SessionModeState, options []acp.SessionConfigOption) setIn {
	if want == nil {
		return setIn{modes, options}
	}
	if isAutopilot(acp.SessionModeID(want.Mode)) && !s.everything.chosen().autopilot { // as with allow_all: a yes to everything is for the session it was given in
		want.Mode = ""
		s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "allow_all", Message: "this session was in autopilot; it asks again until you switch that on anew"}})
	}
	if modes != nil && want.Mode != "" && want.Mode != string(modes.CurrentModeID) && offers(modes, want.Mode) {
		id := acp.SessionModeID(want.Mode)
		if err := l.agent.SetMode(ctx, &acp.SetSessionModeRequest{SessionID: remote, ModeID: id}); err != nil {
			s.log.Warn().Err(err).Str("mode", want.Mode).Msg("the mode is not what it was")
		} else {
			m := *modes
			m.CurrentModeID = id
			modes = &m
		}
	}
	for id, now := range chosen(options) {
		raw, ok := want.Options[id]
		if !ok || string(raw) == string(now) || modes != nil && id == "mode" {
			continue
		}
		req := &acp.SetSessionConfigOptionRequest{SessionID: remote, ConfigID: acp.SessionConfigID(id)}
		var v any
		if json.Unmarshal(raw, &v) != nil {
			continue
		}
		switch v := v.(type) {
		case string:
			if isAutopilot(acp.SessionModeID(v)) && !s.everything.chosen().autopilot {
				continue
			}
			req.Value = acp.SessionConfigValueID(v)
		case bool:
			req.Value = acp.SessionConfigValueBoolean(v)
		default:
			continue
		}
		resp, err := l.agent.SetConfigOption(ctx, req)
		if err != nil {
			s.log.Warn().Err(err).Str("option", id).Msg("the option is not what it was")
			continue
		}
		options = resp.ConfigOptions
	}
	return setIn{modes, options}
}

// tighten switches off what a loaded session has on and nobody switched on here since: an agent may keep allow_all and
// autopilot with the session.
func (s *Session) tighten(ctx context.Context, l *link, remote acp.SessionID, modes *acp.SessionModeState, options []acp.SessionConfigOption) (*acp.SessionModeState, []acp.SessionConfigOption) {
	mine := s.everything.chosen()
	for _, st := range (Info{Modes: modes, Options: options}).Standings() {
		var err error
		switch {
		case st.Option != "" && !mine.option:
			req := &acp.SetSessionConfigOptionRequest{SessionID: remote, ConfigID: acp.SessionConfigID(st.Option)}
			if text, ok := st.Value.(string); ok {
				req.Value = acp.SessionConfigValueID(text)
			} else {
				req.Value = acp.SessionConfigValueBoolean(false)
			}
			var resp *acp.SetSessionConfigOptionResponse
			if resp, err = l.agent.SetConfigOption(ctx, req); err == nil {
				options = resp.ConfigOptions
			}
		case st.Mode != "" && isAutopilot(modes.CurrentModeID) && !mine.autopilot:
			if err = l.agent.SetMode(ctx, &acp.SetSessionModeRequest{SessionID: remote, ModeID: acp.SessionModeID(st.Mode)}); err == nil {
				m := *modes
				m.CurrentModeID = acp.SessionModeID(st.Mode)
				modes = &m
			}
		default:
			continue
		}
		text := st.Name + " was on in this session; it is off until you switch it on anew"
		if err != nil {
			text = st.Name + " was on in this session and could not be switched off (" + err.Error() + "); the editor tools ask all the same"
		}
		s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "allow_all", Message: text}})
	}
	return modes, options
}

func offers(modes *acp.SessionModeState, id string) bool {
	for _, m := range modes.AvailableModes {
		if string(m.ID) == id {
			return true
		}
	}
	return false
}

// carryOver notes that the agent has lost what was said: the next prompt begins with a summary of it.
func (s *Session) carryOver() {
	s.mu.Lock()
	s.carry = true
	s.mu.Unlock()
	s.setMeta(func(m *store.Meta) { m.Carry = true })
}

// carried is the summary for the next prompt, "" where the agent knows what was said.
func (s *Session) carried() string {
	s.mu.Lock()
	carry := s.carry
	s.mu.Unlock()
	if !carry {
		return ""
	}
	text := s.told().summary()
	if text == "" {
		return ""
	}
	return "This conversation goes on from an earlier one whose history you no longer have. What was said in it, shortened:\n\n" + text
}

// arrived notes that the agent has been told what it had lost.
func (s *Session) arrived() {
	s.mu.Lock()
	was := s.carry
	s.carry = false
	s.mu.Unlock()
	if was {
		s.setMeta(func(m *store.Meta) { m.Carry = false })
	}
}

// summary is what was said by whom, the newest part of it, within maxSummary. The prompt that is under way is not in
// it. What tools did is left out: it can be seen in the files.
func (h *history) summary() string {
	var parts []string
	speaker := ""
	say := func(who, text string) {
		text = strings.TrimSpace(text)
		if text == "" {
			return
		}
		if len(text) > maxSummary/4 {
			text = strings.ToValidUTF8(text[:maxSummary/4], "") + " …"
		}
		if who != speaker {
			text = who + ": " + text
			speaker = who
		}
		parts = append(parts, text)
	}
	open := -1 // where the prompt of an open turn stands
	h.all(func(e *entry) {
		switch e.update.(type) {
		case *acp.AgentMessageChunk:
			say("You", string(e.text))
		case *acp.UserMessageChunk:
			say("User", string(e.text))
		}
		if e.prompt != nil {
			open = len(parts)
			for _, b := range e.prompt {
				say("User", blockMarkdown(b))
			}
		}
		if e.end != nil {
			open = -1
		}
	})
	if open >= 0 {
		parts = parts[:open]
	}
	size, from := 0, len(parts)
	for from > 0 && size+len(parts[from-1]) <= maxSummary {
		from--
		size += len(parts[from]) + 1
	}
	return strings.Join(parts[from:], "\n")
}
