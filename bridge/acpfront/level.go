package acpfront

import (
	"context"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// The level of a session is one more of its options (ACP v1 session config options), after those of the agent. Where an editor is told
// options it takes no notice of modes, so that the modes of an agent that has no options become an option too.

const (
	levelOption = acp.SessionConfigID("copilot-bridge.level")
	modeOption  = acp.SessionConfigID("mode") // of the bridge's making, for an agent without options
)

// shownModes are the modes that editors were told as an option of ours, by session. Its methods may be called on any goroutine.
type shownModes struct{ of sync.Map }

// tell notes the mode that a session is told to have; false if that is no news, or the session was not told of before.
func (m *shownModes) tell(session string, mode acp.SessionModeID) (news bool) {
	last, known := m.of.Swap(session, mode)
	return known && last != mode
}

// levelled is a call whose answer tells options, with ours in it.
func (s *Server) levelled(b *bridge.Bridge, do answerer) answerer {
	return func(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
		raw, err := do(ctx, method, params)
		if err != nil {
			return nil, err
		}
		id, ok := acp.StringOf(acp.Member(raw, "sessionId"))
		if !ok {
			id, _ = acp.StringOf(acp.Member(params, "sessionId"))
		}
		ses := b.Alias(id)
		if ses == nil {
			return raw, nil
		}
		if raw.Kind() != '{' { // a load may be answered with null
			raw = jsontext.Value("{}")
		}
		return s.withLevel(raw, ses.ID, ses.Snapshot()), nil
	}
}

// setOption sets an option of ours, false for those of the agent.
func (s *Server) setOption(b *bridge.Bridge, params jsontext.Value) (do answerer, ours bool) {
	session, _ := acp.StringOf(acp.Member(params, "sessionId"))
	option, _ := acp.StringOf(acp.Member(params, "configId"))
	value, _ := acp.StringOf(acp.Member(params, "value"))
	ses := b.Alias(session)
	if ses == nil {
		return nil, false
	}
	now := func() jsontext.Value { return s.withLevel(jsontext.Value("{}"), ses.ID, ses.Snapshot()) }
	switch info := ses.Snapshot(); {
	case acp.SessionConfigID(option) == levelOption:
		return func(context.Context, string, jsontext.Value) (jsontext.Value, error) {
			level, err := policy.ParseLevel(value)
			if err != nil {
				return nil, &bridge.Error{Code: bridge.CodeInvalidParams, Message: err.Error(), Err: err}
			}
			if _, err := b.SetLevel(ses.ID, level); err != nil {
				return nil, err
			}
			return now(), nil
		}, true
	case acp.SessionConfigID(option) == modeOption && modesAreOption(info):
		return func(ctx context.Context, _ string, params jsontext.Value) (jsontext.Value, error) {
			set, err := acp.Marshal(&acp.SetSessionModeRequest{SessionID: acp.SessionID(session), ModeID: acp.SessionModeID(value)})
			if err == nil {
				_, err = b.SetWith(ctx, acp.MethodSessionSetMode, set)
			}
			if err != nil {
				return nil, err
			}
			return now(), nil
		}, true
	}
	return nil, false
}

// withLevel is obj, which tells of a session, with its level among its options.
func (s *Server) withLevel(obj jsontext.Value, session string, info bridge.Info) jsontext.Value {
	var list []jsontext.Value
	if acp.Unmarshal(acp.Member(obj, "configOptions"), &list) != nil || list == nil {
		for i := range info.Options {
			list = append(list, encoded(&info.Options[i]))
		}
	}
	list = slices.DeleteFunc(list, func(o jsontext.Value) bool { // whoever else calls an option so
		id, _ := acp.StringOf(acp.Member(o, "id"))
		return policy.Fold(id) == string(levelOption)
	})
	if len(list) == 0 && modesAreOption(info) {
		s.modes.tell(session, info.Modes.CurrentModeID)
		list = append(list, encoded(modesAsOption(info.Modes)))
	}
	raw, err := acp.Marshal(append(list, encoded(levelAsOption(info.Level))))
	if err != nil {
		return obj
	}
	return acp.SetMember(obj, "configOptions", raw)
}

// optionsChanged tells the editor a session's options, all of them, because one of ours has changed.
func (s *Server) optionsChanged(ctx context.Context, ev *bridge.SessionChanged) {
	b, err := s.bridge()
	if err != nil {
		return
	}
	id := b.AliasFor(ev.Session)
	ses := b.Alias(id)
	if ses == nil {
		return
	}
	info := ses.Snapshot()
	if ev.Level == "" && !(modesAreOption(info) && s.modes.tell(ev.Session, info.Modes.CurrentModeID)) {
		return
	}
	update := s.withLevel(jsontext.Value(`{"sessionUpdate":"config_option_update"}`), ev.Session, info)
	s.tell(ctx, acp.NewMessage(acp.MethodSessionUpdate, acp.SetMember(acp.SetMember(jsontext.Value("{}"), "update", update), "sessionId", acp.Quote(id))))
}

// withOurs is an update of the agent's that tells its options, with ours among them; other messages as they are.
func (s *Server) withOurs(m *bridge.Message) *acp.Message {
	if _, ok := m.Update().(*acp.ConfigOptionUpdate); !ok {
		return m.Message
	}
	b, err := s.bridge()
	if err != nil {
		return m.Message
	}
	ses, err := b.Session(m.Session)
	if err != nil {
		return m.Message
	}
	update := acp.Member(m.Params(), "update")
	return acp.NewMessage(m.Method, acp.SetMember(m.Params(), "update", s.withLevel(update, m.Session, ses.Snapshot())))
}

func levelAsOption(now policy.Level) *acp.SessionConfigOption {
	sel := &acp.SessionConfigSelect{CurrentValue: acp.SessionConfigValueID(now)}
	for _, l := range policy.Levels() {
		sel.Options.Ungrouped = append(sel.Options.Ungrouped, acp.SessionConfigSelectOption{Value: acp.SessionConfigValueID(l.ID), Name: l.Name, Description: &l.Description})
	}
	category, says := acp.SessionConfigOptionCategory("_permissions"), "How much Copilot asks in this session"
	return &acp.SessionConfigOption{ID: levelOption, Name: "Permissions", Description: &says, Category: &category, Variant: sel}
}

// modesAreOption says whether an agent has modes and no options.
func modesAreOption(i bridge.Info) bool {
	return len(i.Options) == 0 && i.Modes != nil && len(i.Modes.AvailableModes) > 0
}

func modesAsOption(m *acp.SessionModeState) *acp.SessionConfigOption {
	sel := &acp.SessionConfigSelect{CurrentValue: acp.SessionConfigValueID(m.CurrentModeID)}
	for _, mode := range m.AvailableModes {
		sel.Options.Ungrouped = append(sel.Options.Ungrouped, acp.SessionConfigSelectOption{Value: acp.SessionConfigValueID(mode.ID), Name: mode.Name, Description: mode.Description})
	}
	category := acp.SessionConfigOptionCategory("mode")
	return &acp.SessionConfigOption{ID: modeOption, Name: "Mode", Category: &category, Variant: sel}
}

// encoded is an option as it goes to the editor.
func encoded(o *acp.SessionConfigOption) jsontext.Value {
	raw, err := acp.Marshal(o)
	if err != nil { // it came from the wire, or is ours
		return jsontext.Value("{}")
	}
	return raw
}
