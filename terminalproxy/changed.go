package terminalproxy

import "strings"

// UnsetPrefix begins the name of a variable that is set outside and not in a shell. No variable's name has a blank.
const UnsetPrefix = "unset "

// Changed are the variables of a shell that earlier commands in it have set otherwise than they are outside, or unset: a command
// that was allowed before is not the same command with another environment. A shell that is new has none.
func (s *Shells) Changed(session, shellID string) []EnvVar {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ss := s.sessions[session]; ss != nil {
		if sh := ss.find(shellID); sh != nil {
			return s.changed(sh)
		}
	}
	return nil
}

// changed is [Shells.Changed] of one shell. The caller holds s.mu.
func (s *Shells) changed(sh *shellState) []EnvVar {
	base := make(map[string]bool, len(s.r.env))
	for _, kv := range s.r.env {
		base[kv] = true
	}
	left := map[string]bool{}
	var changed []EnvVar
	for _, kv := range sh.state.env {
		name, value, _ := strings.Cut(kv, "=")
		left[name] = true
		if !base[kv] && !ofTheShell(name) {
			changed = append(changed, EnvVar{Name: name, Value: value})
		}
	}
	if sh.state.env == nil { // nothing has run in it yet
		return nil
	}
	for _, kv := range s.r.env {
		if name, _, _ := strings.Cut(kv, "="); !left[name] && !ofTheShell(name) {
			left[name] = true
			changed = append(changed, EnvVar{Name: UnsetPrefix + name})
		}
	}
	return changed
}
