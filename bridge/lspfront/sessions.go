package lspfront

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

type newSessionParams struct {
	Cwd        string         `json:"cwd,omitzero" only:"method"`
	MCPServers jsontext.Value `json:"mcpServers,omitzero" only:"method"`
	Title      string         `json:"title,omitzero" only:"method"`
	URI        string         `json:"uri,omitzero" only:"command"` // a file in the folder the session is to be in
}

type sessionParams struct {
	SessionID string `json:"sessionId"`
}

// newSession opens a session at the agent. A command only makes it: the agent hears of it with the first prompt.
func newSession(q *asked, p newSessionParams) (out sessionInfo, err error) {
	if q.command {
		path := ""
		if p.URI != "" {
			if path, err = q.s.docs.path(p.URI); err != nil {
				return out, invalid("uri: " + err.Error())
			}
		}
		q.s.user.opening.Lock()
		defer q.s.user.opening.Unlock()
		id, err := q.s.openSession(q.b, path)
		q.answer = sessionParams{id}
		return out, err
	}
	if err := absolute(p.Cwd); err != nil {
		return out, err
	}
	req := bridge.NewSessionRequest{Cwd: p.Cwd, Title: p.Title}
	if len(p.MCPServers) > 0 {
		// The agent's own form, so the agent's own decoder.
		var r acp.NewSessionRequest
		raw := append(append([]byte(`{"cwd":"/","mcpServers":`), p.MCPServers...), '}')
		if err := acp.Unmarshal(raw, &r); err != nil {
			return out, invalid("mcpServers: " + err.Error())
		}
		req.MCPServers = r.MCPServers
	}
	info, err := q.b.NewSession(q.ctx, req)
	if err != nil {
		return out, err
	}
	q.s.user.use(info.ID)
	return encodeInfo(info, relaxedModes(q.b, info)), nil
}

func absolute(cwd string) error {
	if cwd != "" && !filepath.IsAbs(cwd) {
		return invalid(fmt.Sprintf("cwd %q is not an absolute path", cwd))
	}
	return nil
}

type loadSessionParams struct {
	SessionID string `json:"sessionId"`
	Cwd       string `json:"cwd,omitzero" only:"method"`
}

// loadSession goes on with a session; a command without a name means the one before the one used last, of the editor's
// folders.
func loadSession(q *asked, p loadSessionParams) (out sessionInfo, err error) {
	if err := absolute(p.Cwd); err != nil {
		return out, err
	}
	id := p.SessionID
	if q.command && id == "" {
		for _, i := range q.b.Sessions() {
			if id == "" && i.ID != q.s.user.session() && q.b.IsHere(i.Cwd) {
				id = i.ID
			}
		}
		if id == "" {
			return out, invalid("there is no other session to go on with in this folder")
		}
	}
	q.answer = sessionParams{id}
	return work(q, "resume", func(ctx context.Context) (out sessionInfo, err error) {
		info, err := q.b.LoadSession(ctx, id, p.Cwd)
		if err != nil {
			return out, err
		}
		q.b.Flush(ctx) // the history comes before the result
		q.s.user.use(info.ID)
		return encodeInfo(info, relaxedModes(q.b, info)), nil
	})
}

type listSessionsParams struct {
	Cursor string `json:"cursor,omitzero"`
	Cwd    string `json:"cwd,omitzero"`
}

type listSessionsResult struct {
	Sessions   []listedSession `json:"sessions"`
	NextCursor string          `json:"nextCursor,omitzero"`
}

func listSessions(q *asked, p listSessionsParams) (listSessionsResult, error) {
	out := listSessionsResult{Sessions: []listedSession{}}
	for _, i := range q.b.Sessions() {
		if p.Cwd == "" || filepath.Clean(p.Cwd) == i.Cwd {
			out.Sessions = append(out.Sessions, encodeListed(i))
		}
	}
	return out, nil
}

func closeSession(q *asked, p sessionParams) (none, error) {
	err := q.b.CloseSession(q.ctx, p.SessionID)
	if err == nil {
		q.s.forgetSession(p.SessionID)
	}
	return none{}, err
}

func deleteSession(q *asked, p sessionParams) (none, error) {
	err := q.b.DeleteSession(q.ctx, p.SessionID)
	if err == nil {
		q.s.user.forget(p.SessionID)
		q.s.plain.SessionDeleted(p.SessionID)
	}
	return none{}, err
}

type setTitleParams struct {
	SessionID string `json:"sessionId"` // of a command, left out: the session used last
	Title     string `json:"title"`
}

// setTitle gives a session the title that the user wants for it.
func setTitle(q *asked, p setTitleParams) (none, error) {
	if q.command && p.SessionID == "" {
		if p.SessionID = q.s.user.session(); p.SessionID == "" {
			return none{}, invalid("there is no session yet: name one by sessionId")
		}
	}
	return none{}, q.b.SetTitle(p.SessionID, p.Title)
}

// forgetSession takes a closed session out.
func (s *server) forgetSession(id string) {
	s.user.forget(id)
	s.plain.SessionClosed(id)
}

// sessionFor is the session used last, or a new one. path is a file the session is to be for, "" if that is not known.
func (s *server) sessionFor(b *bridge.Bridge, path string) (string, error) {
	s.user.opening.Lock()
	defer s.user.opening.Unlock()
	for id := s.user.session(); id != ""; id = s.user.session() {
		if _, err := b.Session(id); err == nil {
			return id, nil
		}
		s.forgetSession(id)
	}
	return s.openSession(b, path)
}

// openSession makes a session in the workspace folder of a file. Caller holds opening.
func (s *server) openSession(b *bridge.Bridge, path string) (string, error) {
	info, err := b.NewSession(s.life, bridge.NewSessionRequest{Cwd: s.folderOf(b, path), Later: true})
	if err != nil {
		return "", err
	}
	s.user.use(info.ID)
	return info.ID, nil
}

// folderOf is the workspace folder that a file is in, the first one if it is in none, and the file's own folder where
// the editor has none at all.
func (s *server) folderOf(b *bridge.Bridge, path string) string {
	if path == "" {
		if sel := s.Selection(); sel != nil {
			path = sel.Path
		}
	}
	folders := s.client.folders
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
