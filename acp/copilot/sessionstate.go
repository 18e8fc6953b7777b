package copilot

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// SessionState is a session that Copilot CLI has on disk, no matter who started it.
type SessionState struct {
	ID      string
	Cwd     string
	Name    string
	Created time.Time
	Updated time.Time
	Dir     string // its folder; "" for versions that kept only a log
	Log     string // its event log
}

// stateSubdir is where the sessions are in a state folder.
const stateSubdir = "session-state"

// isSessionID says whether a word is what Copilot names sessions by; it ends up in paths.
func isSessionID(id string) bool {
	if len(id) < 8 || len(id) > 64 || id[0] == '-' {
		return false
	}
	return !strings.ContainsFunc(id, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-')
	})
}

// Sessions lists what Copilot has on disk, newest first: the folders of today's versions and the single files of older
// ones, in $COPILOT_HOME or the home folder, and where versions before kept them. It needs no login and no Copilot.
func Sessions(env []string) []SessionState {
	var out []SessionState
	seen := map[string]bool{}
	for _, root := range stateRoots(env) {
		entries, err := os.ReadDir(root)
		if err != nil {
			continue // Copilot was never used there
		}
		for _, e := range entries {
			if s, ok := readSession(root, e.Name()); ok && !seen[s.ID] {
				seen[s.ID] = true
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, b SessionState) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID))
	})
	return out
}

// FindSession looks for one session.
func FindSession(env []string, id string) (SessionState, bool) {
	if !isSessionID(id) {
		return SessionState{}, false
	}
	for _, root := range stateRoots(env) {
		for _, name := range []string{id, id + ".jsonl"} {
			if s, ok := readSession(root, name); ok {
				return s, true
			}
		}
	}
	return SessionState{}, false
}

// SessionDir is where Copilot keeps a session, whether or not it is there yet. "" if env names no home.
func SessionDir(env []string, id string) string {
	dir := SessionsDir(env)
	if dir == "" || !isSessionID(id) {
		return ""
	}
	return filepath.Join(dir, id)
}

// FreshSession finds the session that a program started in a folder since then has made, for versions that neither take
// a name for it nor tell it: among the newest folders the one of that working folder that was made within a minute, and
// is not among those that were there before. If there are two, it cannot be told which, and none is found.
func FreshSession(env []string, cwd string, since time.Time, before []string) (id string, ok bool) {
	for _, s := range newest(env) {
		if slices.Contains(before, s.ID) || !SamePath(s.Cwd, cwd) || s.Created.Before(since.Add(-time.Second)) || s.Created.After(since.Add(stateFresh)) {
			continue
		}
		if ok {
			return "", false
		}
		id, ok = s.ID, true
	}
	return id, ok
}

// NewestSessions are the ids of the newest folders, for FreshSession to leave out.
func NewestSessions(env []string) (ids []string) {
	for _, s := range newest(env) {
		ids = append(ids, s.ID)
	}
	return ids
}

// newest reads the newest folders. An old version may have written no log yet, so that is not asked for.
func newest(env []string) (out []SessionState) {
	for _, root := range stateRoots(env) {
		entries, err := os.ReadDir(root)
		if err != nil {
			continue // Copilot was never used there
		}
		for _, e := range entries {
			info, err := e.Info()
			if err == nil && e.IsDir() && isGUID(e.Name()) {
				out = append(out, SessionState{ID: e.Name(), Dir: filepath.Join(root, e.Name()), Updated: info.ModTime()})
			}
		}
	}
	slices.SortFunc(out, func(a, b SessionState) int { return b.Updated.Compare(a.Updated) })
	out = out[:min(len(out), newestStates)]
	for i := range out {
		out[i].workspace(filepath.Join(out[i].Dir, "workspace.yaml"))
	}
	return out
}

func isGUID(name string) bool {
	return len(name) == 36 && strings.Count(name, "-") == 4 && isSessionID(name) && !strings.ContainsFunc(name, func(r rune) bool {
		return r > 'f' && r <= 'z' || r > 'F' && r <= 'Z'
	})
}

// SamePath says whether two spellings name one folder.
func SamePath(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// RemoveSession removes what Copilot keeps of a session that was made by the way, so that it is not offered for loading.
func RemoveSession(env []string, id string) error {
	dir := SessionDir(env, id)
	if dir == "" || !isGUID(id) {
		return nil
	}
	return os.RemoveAll(dir)
}

// Plan is the plan that Copilot keeps in a session's folder, "" if there is none.
func Plan(env []string, id string) string {
	dir := SessionDir(env, id)
	if dir == "" {
		return ""
	}
	return strings.TrimSpace(strings.ToValidUTF8(beginning(filepath.Join(dir, "plan.md")), "\uFFFD"))
}

// beginning is the text of a file, as far as it is looked at; "" if it cannot be read.
func beginning(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxWorkspaceFile))
	if err != nil {
		return ""
	}
	return string(text)
}

// SessionsDir is where Copilot keeps its sessions, and LogDir where it keeps its logs. "" if env names no home.
func SessionsDir(env []string) string { return below(env, stateSubdir) }

// LogDir is explained at [SessionsDir].
func LogDir(env []string) string { return below(env, "logs") }

func below(env []string, name string) string {
	dir := StateDir(env)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

func stateRoots(env []string) []string {
	var out []string
	for _, dir := range []string{StateDir(env), oldStateDir(env)} {
		if dir != "" {
			out = append(out, filepath.Join(dir, stateSubdir))
		}
	}
	return slices.Compact(out)
}

// readSession reads what a folder or a log of session-state is. A folder without a log is none: nothing was said in it.
func readSession(root, name string) (SessionState, bool) {
	s := SessionState{ID: strings.TrimSuffix(name, ".jsonl")}
	if !isSessionID(s.ID) {
		return s, false
	}
	s.Log = filepath.Join(root, name)
	if s.ID == name {
		s.Dir = filepath.Join(root, name)
		s.Log = filepath.Join(s.Dir, eventLogName)
	}
	info, err := os.Stat(s.Log)
	if err != nil || !info.Mode().IsRegular() {
		return s, false
	}
	s.Updated = info.ModTime()
	if s.Dir != "" {
		s.workspace(filepath.Join(s.Dir, "workspace.yaml"))
	}
	if s.Cwd == "" {
		s.firstEvent()
	}
	return s, filepath.IsAbs(s.Cwd)
}

// workspace reads workspace.yaml: one line a value, as Copilot writes it. What is not understood is left out.
func (s *SessionState) workspace(name string) {
	for line := range strings.Lines(beginning(name)) {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		if !ok {
			continue
		}
		value = yamlScalar(value)
		switch key {
		case "cwd":
			s.Cwd = value
		case "name", "summary":
			if s.Name == "" || key == "name" {
				s.Name = value
			}
		case "created_at":
			s.Created, _ = time.Parse(time.RFC3339, value)
		}
	}
}

// yamlScalar is the value of a one-line YAML scalar: plain, or in quotes.
func yamlScalar(v string) string {
	v = strings.TrimSpace(v)
	switch {
	case len(v) >= 2 && v[0] == '"' && v[len(v)-1] == '"':
		var out string
		if json.Unmarshal([]byte(v), &out) == nil {
			return out
		}
	case len(v) >= 2 && v[0] == '\'' && v[len(v)-1] == '\'':
		return strings.ReplaceAll(v[1:len(v)-1], "''", "'")
	}
	return v
}

// firstEvent reads the folder from the log's first line, for versions without workspace.yaml.
func (s *SessionState) firstEvent() {
	line, _, whole := strings.Cut(beginning(s.Log), "\n")
	if !whole {
		return
	}
	var e struct {
		Data struct {
			StartTime time.Time `json:"startTime"`
			Context   struct {
				Cwd string `json:"cwd"`
			} `json:"context"`
		} `json:"data"`
	}
	if json.Unmarshal([]byte(line), &e) != nil {
		return
	}
	s.Cwd = e.Data.Context.Cwd
	if s.Created.IsZero() {
		s.Created = e.Data.StartTime
	}
}
