package bridge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// repoHooks are the commands that a workspace brings for Copilot CLI and that it runs without a question (1.0.102, ACP mode):
// hooks, by itself, at the first prompt of a session and around each tool, and the MCP servers of the workspace's own
// agents, when the model calls one.
type repoHooks struct {
	files   []string // absolute
	runs    []string // "sessionStart: touch x", as far as it can be read
	content string   // hash of all files; equal to nothing else if they could not be read
}

// permitHooks asks before a turn in which Copilot would run hooks of the workspace: those that were there when it opened the
// session, which it keeps whatever becomes of the files. Where they have changed since, the session is opened anew. A yes
// for good is one to these files with this content; no rule for commands and no allow_all covers what the workspace brings
// along. The link is the one to send the prompt to.
func (s *Session) permitHooks(ctx context.Context, l *link) (*link, error) {
	if !l.copilot || l.perTurn {
		return l, nil
	}
	s.mu.Lock()
	h := s.loaded
	s.mu.Unlock()
	if now := s.findHooks(); now.content != h.content {
		s.mu.Lock()
		s.toolsLost = true // it is closed and loaded
		s.mu.Unlock()
		fresh, err := s.attach(ctx)
		if err != nil {
			return nil, err
		}
		l = fresh
		s.mu.Lock()
		h = s.loaded
		s.mu.Unlock()
	}
	s.mu.Lock()
	known := s.hooks == h.content
	s.mu.Unlock()
	if len(h.files) == 0 || known {
		return l, nil
	}
	r := policy.Request{Tool: policy.ToolShell, Name: "workspace hooks", Argv: []string{"copilot", "hooks"}, CommandDir: s.Cwd, Content: h.content, Brought: true}
	q := Question{
		Title: "Let Copilot run what this workspace brings along (hooks, servers of its agents)", Cwd: s.Cwd,
		Notes: []string{"Copilot runs it by itself, from now on, and nobody is asked again"},
	}
	for _, f := range h.files {
		r.Argv = append(r.Argv, s.short(f))
	}
	q.Argv = r.Argv
	q.Notes = append(q.Notes, h.runs...)
	if err := s.permit(ctx, r, q); err != nil {
		return nil, &Error{
			Code: CodeDenied, Message: "the prompt was not sent: this workspace brings commands that Copilot runs by itself (" + s.short(h.files[0]) + "), and they were not allowed",
			Hint: "allow them or take them away; for hooks there is disableAllHooks in Copilot's settings", Retryable: true, Err: err,
		}
	}
	s.mu.Lock()
	s.hooks = h.content
	s.mu.Unlock()
	return l, nil
}

// findHooks looks where Copilot does: in the session's folder and in those above it up to the top of the repository.
func (s *Session) findHooks() (h repoHooks) {
	hash, off := sha256.New(), copilot.HooksOff(s.b.cfg.Env)
	for dir := s.Cwd; ; dir = filepath.Dir(dir) {
		var files []string
		if !off {
			files, _ = filepath.Glob(filepath.Join(globEscape(dir), ".github", "hooks", "*.json"))
			files = append(files, holding(hasHooks, filepath.Join(globEscape(dir), ".github", "copilot", "settings*.json"))...)
		}
		files = append(files, holding(hasServers, filepath.Join(globEscape(dir), ".github", "agents", "*.md"))...)
		for _, path := range files {
			if len(h.files) == maxHookFiles {
				h.content = "unknown:" + s.b.newID("h")
				return h
			}
			h.files = append(h.files, path)
			info, err := os.Stat(path)
			var b []byte
			if err == nil && info.Size() <= maxHookFile && info.Mode().IsRegular() {
				b, err = os.ReadFile(path)
			} else if err == nil {
				err = fmt.Errorf("%s is too large, or no file", path)
			}
			if err != nil {
				h.content = "unknown:" + s.b.newID("h")
				h.runs = append(h.runs, s.short(path)+" cannot be read: "+err.Error())
				continue
			}
			fmt.Fprintf(hash, "%s\x00%d\x00%s", path, len(b), b)
			h.runs = append(h.runs, hookCommands(s.short(path), b)...)
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || dir == filepath.Dir(dir) {
			break
		}
	}
	if h.content == "" && len(h.files) > 0 {
		h.content = "sha256:" + hex.EncodeToString(hash.Sum(nil))
	}
	return h
}

// globEscape makes a folder's name match itself.
func globEscape(dir string) string {
	if filepath.Separator == '\\' {
		return dir // Windows has no escape in patterns, and no * or ? in names
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// hookCommands are what the hooks of a file run, for a person.
func hookCommands(name string, b []byte) (out []string) {
	if strings.HasSuffix(name, ".md") {
		for i, line := range strings.Split(agentHead(b), "\n") {
			if i == maxHooksShown {
				return append(out, "… and more in "+name)
			}
			out = append(out, name+": "+line)
		}
		return out
	}
	var file struct {
		Hooks map[string]any `json:"hooks"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return []string{name + " is no JSON that could be shown"}
	}
	var find func(event string, v any)
	find = func(event string, v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				find(event, x)
			}
		case map[string]any:
			for _, key := range []string{"bash", "powershell", "command", "url", "prompt", "hooks"} {
				if text, ok := v[key].(string); ok {
					line := event + ": " + text
					if !slices.Contains(out, line) && len(out) < maxHooksShown {
						out = append(out, line)
					}
				} else if v[key] != nil {
					find(event, v[key])
				}
			}
		}
	}
	for _, event := range sortedKeys(file.Hooks) {
		find(event, file.Hooks[event])
	}
	if len(out) == maxHooksShown {
		out = append(out, "… and more in "+name)
	}
	return out
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// What settings with hooks, and agents with servers, are told by.
var (
	hooksMember  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)hooks|\\u`) })
	serversOfMCP = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)mcp[-_]?servers`) })
)

func hasHooks(b []byte) bool { return hooksMember().Match(b) }

// hasServers says whether an agent may bring servers. Its head is YAML, which can spell a name with escapes.
func hasServers(b []byte) bool {
	return serversOfMCP().Match(b) || strings.Contains(agentHead(b), `\`)
}

// agentHead is the part of an agent's file before its text, all of it where that cannot be told.
func agentHead(b []byte) string {
	text := strings.TrimPrefix(string(b), byteOrderMark)
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if i > 0 && strings.TrimRight(line, " \t\r\n") == "---" {
			return strings.TrimRight(strings.Join(lines[1:i], ""), "\n")
		}
	}
	return text
}

// holding are those of the files of a pattern in which something is found. One that cannot be read may hold it.
func holding(what func([]byte) bool, pattern string) (out []string) {
	files, _ := filepath.Glob(pattern)
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil || info.IsDir() {
			continue
		}
		if info.Size() > maxHookFile || !info.Mode().IsRegular() {
			out = append(out, path)
			continue
		}
		if b, err := os.ReadFile(path); err != nil || what(b) {
			out = append(out, path)
		}
	}
	return out
}
