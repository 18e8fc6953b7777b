package bridge

import (
	"context"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// Terminals are an editor's terminals. Call passes one of the agent's terminal/* on as it came.
type Terminals interface {
	terminalproxy.Place
	acp.Caller
}

// terminalPlace is where the commands of the shell tools run, nil for here.
func (b *Bridge) terminalPlace() terminalproxy.Place {
	if b.cfg.Terminals == nil {
		return nil
	}
	return b.cfg.Terminals
}

// away are the commands that an agent runs in the editor's terminals by itself.
type away struct {
	mu   sync.Mutex
	byID map[string]*awayCommand
}

type awayCommand struct {
	turn    string
	release func() // of the index; nil once its changes have been looked at
}

// terminalInEditor has the editor run a command, or say something about one that it runs. Whether it may run is asked here.
func (s *Session) terminalInEditor(ctx context.Context, req *acp.Request) (any, error) {
	params := s.outwardParams(req.Params())
	if req.Method() != acp.MethodTerminalCreate {
		// Not ended by a cancel of the turn: the agent wants to know how its command ended.
		asked := context.WithValue(acp.TakenBackBy(s.life, req.Context()), servedKey{}, servedOf(ctx))
		raw, err := s.b.cfg.Terminals.Call(asked, req.Method(), params)
		id, _ := acp.StringOf(acp.Member(params, "terminalId"))
		exit := acp.Member(raw, "exitStatus")
		if req.Method() != acp.MethodTerminalOutput || len(exit) > 0 && string(exit) != "null" {
			s.awayEnded(ctx, id, req.Method() == acp.MethodTerminalRelease)
		}
		return raw, err
	}
	return with(req, func(p *acp.CreateTerminalRequest) (any, error) {
		var release func()
		err := permission.AsShown(func() (err error) { _, release, err = s.mayRun(ctx, p); return err })
		if err != nil {
			return nil, err
		}
		raw, err := s.b.cfg.Terminals.Call(ctx, req.Method(), params)
		if err != nil {
			release()
			return nil, err
		}
		if id, ok := acp.StringOf(acp.Member(raw, "terminalId")); ok {
			s.away.mu.Lock()
			if s.away.byID == nil {
				s.away.byID = map[string]*awayCommand{}
			}
			s.away.byID[id] = &awayCommand{turn: turnOf(ctx), release: release}
			s.away.mu.Unlock()
		} else {
			release()
		}
		return raw, nil
	})
}

// awayEnded looks at what a command has changed, once; gone says that its id is not valid any more.
func (s *Session) awayEnded(ctx context.Context, id string, gone bool) {
	s.away.mu.Lock()
	cmd := s.away.byID[id]
	var release func()
	if cmd != nil {
		release, cmd.release = cmd.release, nil
	}
	if gone {
		delete(s.away.byID, id)
	}
	s.away.mu.Unlock()
	if release != nil {
		s.reconcile(s.life, cmd.turn)
		release()
		s.b.settleDoubts()
	}
}

// releaseAway ends the commands of an agent that is gone: nobody else would.
func (s *Session) releaseAway() {
	s.away.mu.Lock()
	ids := make([]string, 0, len(s.away.byID))
	for id := range s.away.byID {
		ids = append(ids, id)
	}
	s.away.mu.Unlock()
	for _, id := range ids {
		params, err := acp.Marshal(&acp.ReleaseTerminalRequest{SessionID: acp.SessionID(s.alias()), TerminalID: acp.TerminalID(id)})
		if err == nil {
			_, err = s.b.cfg.Terminals.Call(s.life, acp.MethodTerminalRelease, params)
		}
		if err != nil {
			s.log.Debug().Err(err).Str("terminal", id).Msg("release a terminal of the editor")
		}
		s.awayEnded(s.life, id, true)
	}
}

// showAway shows the terminal of a tool's command in the tool call, as soon as both are known.
func (s *Session) showAway(ctx context.Context, use *toolUse, id string) {
	if id == "" {
		return
	}
	s.in.put(awayIn{use, id})
	s.work.Go(func() {
		call := callOf(ctx, "")
		if call == "" {
			return
		}
		running := acp.ToolCallStatusInProgress
		kind := acp.ToolKindExecute
		u := &acp.ToolCallUpdate{ToolCallID: call, Kind: &kind, Status: &running, Content: []acp.ToolCallContent{&acp.Terminal{TerminalID: acp.TerminalID(id)}}}
		m := &Message{Message: acp.NewUpdate(acp.SessionID(s.alias()), u), Session: s.ID, Turn: turnOf(ctx)}
		s.conversation.Claim(m)
		s.b.out.push(m)
	})
}
