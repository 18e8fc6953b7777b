package session

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/transcript"
)

// What the tests over a whole bridge see of this room.

var (
	Printed       = printed
	AsError       = asError
	RealDir       = realDir
	ProvenVersion = version
)

const MaxTurnsQueued = maxTurnsQueued

func (all *Set) Config() *Config { return &all.cfg }

func (all *Set) List() []*Session { return all.list() }

func (all *Set) Conversations() map[string]*conversation.Conversation { return all.conversations }

func (all *Set) WorkFolder(stored, wanted string) (cwd, moved string) {
	return all.workFolder(stored, wanted)
}

// Ended makes a session that is over, as an agent process knows it.
func (all *Set) Ended(cwd, remote string) (any, error) {
	s, err := all.register(beginning{NewSessionRequest: NewSessionRequest{Cwd: cwd}})
	if err != nil {
		return nil, err
	}
	s.routing.Named(remote)
	all.forget(s)
	return receiver{s}, nil
}

func (s *Session) Gate() *permission.Gate                   { return s.gate }
func (s *Session) Host() *host.Service                      { return s.host }
func (s *Session) Ticket() string                           { return s.ticket }
func (s *Session) Conversation() *conversation.Conversation { return s.conversation }
func (s *Session) Settled()                                 { s.settled() }
func (s *Session) Loaded() string                           { return s.snap.read().loaded }
func (s *Session) ForgetAgreed()                            { s.tell(agreedIn{}) }
func (s *Session) Carried() string                          { return s.carried() }
func (s *Session) BeginTurn(id string)                      { s.routing.BeginTurn(id) }
func (s *Session) Source() transcript.Conversation          { return transcriptSource{s.conversation, s} }

func (s *Session) During(ctx context.Context) (context.Context, context.CancelFunc) {
	return s.during(ctx)
}

func (s *Session) Clear(ctx context.Context) error  { _, err := s.admit(ctx); return err }
func (s *Session) Attach(ctx context.Context) error { _, err := s.attach(ctx); return err }

func (s *Session) RequestPermission(ctx context.Context, p *acp.RequestPermissionRequest) any {
	return s.requestPermission(ctx, p, nil)
}
