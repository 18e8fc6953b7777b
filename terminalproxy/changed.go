package terminalproxy

import "strings"

// Changed are the variables of a shell that earlier commands in it have set otherwise than they are outside: a command
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
	var changed []EnvVar
	for _, kv := range sh.state.env {
		name, value, _ := strings.Cut(kv, "=")
		if !base[kv] && name != "PWD" && name != "OLDPWD" && name != "SHLVL" && name != "_" {
			changed = append(changed, EnvVar{Name: name, Value: value})
		}
	}
	return changed
}
