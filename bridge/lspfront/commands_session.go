package lspfront

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

type newSessionArgs struct {
	URI string `json:"uri"` // a file in the folder the session is to be in
}

func newSessionCommand(s *Server, a newSessionArgs) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	path := ""
	if a.URI != "" {
		if path, err = s.docs.path(a.URI); err != nil {
			return nil, invalid("uri: " + err.Error())
		}
	}
	s.plain.opening.Lock()
	defer s.plain.opening.Unlock()
	id, err := s.plain.openSession(b, path)
	if err != nil {
		return nil, err
	}
	return sessionParams{id}, nil
}

type resumeArgs struct {
	SessionID string `json:"sessionId"`
}

// resumeCommand goes on with a session; without a name with the one before the one used last, of the editor's folders.
func resumeCommand(s *Server, a resumeArgs) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	id := a.SessionID
	for _, i := range b.Sessions() {
		if id == "" && i.ID != s.plain.session() && b.IsHere(i.Cwd) {
			id = i.ID
		}
	}
	if id == "" {
		return nil, invalid("there is no other session to go on with in this folder")
	}
	s.behind("resume", func(ctx context.Context) error {
		info, err := b.LoadSession(ctx, id, "")
		if err == nil {
			s.plain.setSession(info.ID)
		}
		return err
	})
	return sessionParams{id}, nil
}

type modeArgs struct {
	ID string `json:"id"`
}

func setModeCommand(s *Server, a modeArgs) (any, error) {
	b, session, err := s.current()
	if err != nil {
		return nil, err
	}
	if a.ID == "" {
		return nil, invalid("say which mode: {\"id\": \"…\"}" + modeList(b, session))
	}
	s.behind("set the mode", func(ctx context.Context) error {
		id := a.ID
		if sess, err := b.Session(session); err == nil {
			if found, ok := sess.Snapshot().FindMode(id); ok {
				id = found
			}
		}
		return b.SetMode(ctx, session, id)
	})
	return sessionParams{session}, nil
}

func modeList(b *bridge.Bridge, session string) string {
	sess, err := b.Session(session)
	if err != nil {
		return ""
	}
	modes := sess.Snapshot().Modes
	if modes == nil {
		return ""
	}
	var ids []string
	for _, m := range modes.AvailableModes {
		ids = append(ids, string(m.ID))
	}
	return ", one of " + strings.Join(ids, ", ")
}

type optionArgs struct {
	ID    string         `json:"id"`
	Value jsontext.Value `json:"value"`
}

func setOptionCommand(s *Server, a optionArgs) (any, error) {
	var value any
	if len(a.Value) > 0 {
		if err := unmarshal(a.Value, &value); err != nil {
			return nil, invalid("value: " + err.Error())
		}
	}
	switch value.(type) {
	case string, bool:
	default:
		return nil, invalid(`say which option and what it is to be: {"id": "…", "value": "…" or true or false}`)
	}
	b, session, err := s.current()
	if err != nil {
		return nil, err
	}
	s.behind("set the option "+a.ID, func(ctx context.Context) error {
		_, err := b.SetOption(ctx, session, a.ID, value)
		return err
	})
	return sessionParams{session}, nil
}

// current is the session used last, or a new one.
func (s *Server) current() (*bridge.Bridge, string, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, "", err
	}
	session, err := s.plain.sessionFor(b, "")
	return b, session, err
}

// signInCommandRun says which command signs the person in.
func signInCommandRun(s *Server, a signInParams) (any, error) {
	s.behind("sign in", func(ctx context.Context) error {
		r, err := authSignIn(ctx, s, a)
		if err != nil {
			return err
		}
		if in, ok := r.(signInResult); ok {
			s.message(protocol.MessageTypeInfo, in.Message)
		}
		return nil
	})
	return nil, nil
}

func restartAgentCommand(s *Server, _ none) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	s.behind("restart the agent", func(ctx context.Context) error {
		if err := b.RestartAgent(ctx); err != nil {
			return err
		}
		s.message(protocol.MessageTypeInfo, "the agent runs anew")
		return nil
	})
	return nil, nil
}

type statusAnswer struct {
	Agent     string   `json:"agent,omitzero"` // name and version of the running agent
	SessionID string   `json:"sessionId,omitzero"`
	Turns     []string `json:"turns"`     // that run
	Questions []string `json:"questions"` // that wait
	Hunks     int      `json:"hunks"`     // to be reviewed
	Plugin    []string `json:"plugin"`    // concerns that a plugin does
}

// statusCommand says how things stand, to the person and to the caller.
func statusCommand(s *Server, _ none) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	a := statusAnswer{SessionID: s.plain.session(), Turns: []string{}, Questions: []string{}, Plugin: []string{}, Hunks: len(s.pending(b))}
	text := "no agent runs yet"
	if i, ok := b.Agent(); ok {
		a.Agent = strings.TrimSpace(i.Name + " " + i.Version)
		text = a.Agent + " is ready"
	}
	for _, t := range s.plain.running() {
		a.Turns = append(a.Turns, t.turn)
		text = a.Agent + " works"
	}
	for _, q := range s.plain.questions.list() {
		a.Questions = append(a.Questions, q.ID)
		text = a.Agent + " waits for you: " + q.Title
	}
	for c := range concerns {
		if s.tiers.rich(c) {
			a.Plugin = append(a.Plugin, concernNames[c])
		}
	}
	for _, st := range s.standings() {
		text += "; " + st.Sentence()
	}
	if a.Hunks > 0 {
		text += fmt.Sprintf("; %s to review", plural(a.Hunks, "change"))
	}
	s.message(protocol.MessageTypeInfo, "Copilot: "+strings.TrimSpace(text))
	return a, nil
}
