package bridge

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// grants are the person's yes to an agent's own question (session/request_permission), waiting for the request of the
// agent that carries it out. Each is good for one use, in the same turn, and for the change that was shown; where the
// agent showed none, the person agreed to whatever it is. Guarded by Session.mu.
type grants struct {
	byPath   map[string][][]FileDiff
	commands map[string]int
}

func (g *grants) clear() { g.byPath, g.commands = nil, nil }

// grantCommand keeps a yes to a command.
func (s *Session) grantCommand(argv []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.allows.commands == nil {
		s.allows.commands = map[string]int{}
	}
	s.allows.commands[strings.Join(argv, "\x00")]++
}

// takeCommandGrant uses up a yes to exactly this command. One that is to run elsewhere, or with an environment that makes
// another thing of it, is asked about once more.
func (s *Session) takeCommandGrant(argv []string, cwd string, env []terminalproxy.EnvVar) bool {
	if cwd != s.Cwd || len(terminalproxy.Surprising(env)) > 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := strings.Join(argv, "\x00")
	if s.allows.commands[key] == 0 {
		return false
	}
	s.allows.commands[key]--
	return true
}

// grant keeps a yes to a change of files.
func (s *Session) grant(targets []target, diffs []FileDiff) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range targets {
		var mine []FileDiff
		for _, d := range diffs {
			if d.Path == t.Path || d.Path == t.Real {
				mine = append(mine, d)
			}
		}
		if s.allows.byPath == nil {
			s.allows.byPath = map[string][][]FileDiff{}
		}
		s.allows.byPath[t.Real] = append(s.allows.byPath[t.Real], mine)
	}
}

// takeGrant uses up a yes to exactly this change. before is nil for a new file.
func (s *Session) takeGrant(t target, before *string, after string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.allows.byPath[t.Real]
	for i, diffs := range list {
		if len(diffs) == 0 || carriesOut(diffs, before, after) {
			s.allows.byPath[t.Real] = append(list[:i:i], list[i+1:]...)
			return true
		}
	}
	return false
}

// carriesOut says whether a write does what diffs have shown. Agents show whole texts or only the lines they replace.
func carriesOut(diffs []FileDiff, before *string, after string) bool {
	text := ""
	if before != nil {
		text = *before
	}
	for _, d := range diffs {
		if d.Created || before == nil || d.OldText == text {
			text = d.NewText
			continue
		}
		next, err := fsproxy.Replace(text, d.OldText, d.NewText)
		if err != nil {
			return false
		}
		text = next
	}
	return text == after
}
