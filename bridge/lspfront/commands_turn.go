package lspfront

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

type promptArgs struct {
	Text  string     `json:"text"`
	URI   string     `json:"uri,omitzero"`
	Range *wireRange `json:"range,omitzero"`
}

type promptAnswer struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId"`
}

// promptCommand sends a prompt in the session used last, or in a new one. The agent is started, if need be, while the
// turn runs.
func promptCommand(s *Server, a promptArgs) (any, error) {
	if strings.TrimSpace(a.Text) == "" {
		return nil, invalid(`say what Copilot is to do: {"text": "…"}`)
	}
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	var refs []bridge.ContextRef
	path := ""
	if a.URI != "" {
		ref, err := s.contextRef(contextParam{URI: a.URI, Range: a.Range})
		if err != nil {
			return nil, invalid("uri: " + err.Error())
		}
		refs, path = []bridge.ContextRef{ref}, ref.Path
	}
	session, err := s.plain.sessionFor(b, path)
	if err != nil {
		return nil, err
	}
	t, err := b.Prompt(session, []acp.ContentBlock{acp.Text(a.Text)}, refs)
	if err != nil {
		return nil, err
	}
	return promptAnswer{session, t.ID}, nil
}

// sessionFor is the session used last, or a new one. path is a file the session is to be for, "" if that is not known.
func (p *plainTier) sessionFor(b *bridge.Bridge, path string) (string, error) {
	p.opening.Lock()
	defer p.opening.Unlock()
	for id := p.session(); id != ""; id = p.session() {
		if _, err := b.Session(id); err == nil {
			return id, nil
		}
		p.forgetSession(id)
	}
	return p.openSession(b, path)
}

// openSession makes a session in the workspace folder of a file. Caller holds opening.
func (p *plainTier) openSession(b *bridge.Bridge, path string) (string, error) {
	info, err := b.OpenSession(bridge.NewSessionRequest{Cwd: p.folderOf(b, path)})
	if err != nil {
		return "", err
	}
	p.setSession(info.ID)
	return info.ID, nil
}

// folderOf is the workspace folder that a file is in, the first one if it is in none, and the file's own folder where
// the editor has none at all.
func (p *plainTier) folderOf(b *bridge.Bridge, path string) string {
	if path == "" {
		if sel := p.selection(); sel != nil {
			path = sel.Path
		}
	}
	folders := p.s.client.folders
	for _, dir := range folders {
		if rel, err := filepath.Rel(b.Canonical(dir), path); err == nil && filepath.IsLocal(rel) {
			return dir
		}
	}
	switch {
	case len(folders) > 0:
		return folders[0]
	case path != "":
		return filepath.Dir(path)
	}
	for _, open := range b.Overlay().OpenPaths() {
		return filepath.Dir(open)
	}
	return ""
}

type cancelArgs struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId"`
}

// cancelCommand stops the oldest turn, or what is named. Without a turn all prompts of the session go.
func cancelCommand(s *Server, a cancelArgs) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	session := a.SessionID
	for _, t := range s.plain.running() {
		if session == "" && (a.TurnID == "" || a.TurnID == t.turn) {
			session = t.session
		}
	}
	if session == "" {
		session = s.plain.session()
	}
	if session == "" {
		return nil, nil // nothing runs
	}
	return nil, b.Cancel(session, a.TurnID)
}

// answerArgs name a question and how it is answered. Option is one of the question's own, for questions with others
// than reject, allow once and always; Scope is "once" or "always".
type answerArgs struct {
	ID     string                 `json:"id,omitzero"`
	Scope  string                 `json:"scope,omitzero"`
	Option acp.PermissionOptionID `json:"option,omitzero"`
}

func allowCommand(s *Server, a answerArgs) (any, error) {
	kind := acp.PermissionOptionKindAllowOnce
	switch a.Scope {
	case "", "once":
	case "always":
		kind = acp.PermissionOptionKindAllowAlways
	default:
		return nil, invalid(`scope is "once" or "always"`)
	}
	return nil, s.plain.questions.reply(a, kind, true)
}

func rejectCommand(s *Server, a answerArgs) (any, error) {
	if a.Scope != "" && a.Scope != "once" {
		return nil, invalid(`a question is rejected once`)
	}
	return nil, s.plain.questions.reply(a, acp.PermissionOptionKindRejectOnce, false)
}

// reply answers the question that is named, or the only one.
func (qs *questions) reply(a answerArgs, kind acp.PermissionOptionKind, yes bool) error {
	q, err := qs.find(a.ID)
	if err != nil {
		return err
	}
	id := a.Option
	if id == "" {
		var ok bool
		if id, ok = q.ofKind(kind); !ok && yes {
			return invalid("this question cannot be answered so; its answers are: " + strings.Join(q.titles(), ", "))
		}
	} else if yes != isYes(q.Question, id) {
		return invalid(fmt.Sprintf("%s is no answer of that kind to this question", id))
	}
	return q.reply(id)
}
