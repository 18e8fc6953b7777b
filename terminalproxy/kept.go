package terminalproxy

import (
	"cmp"
	"slices"
)

// keep remembers a terminal past its release. The caller holds Runner.mu.
func (s *session) keep(t *Terminal) {
	s.released = append(s.released, t)
	bytes := 0
	for i, old := range slices.Backward(s.released) {
		old.mu.Lock()
		bytes += int(old.ring.end - old.ring.start)
		old.mu.Unlock()
		if i < len(s.released)-1 && (len(s.released)-i > KeptTerminals || bytes > KeptBytes) {
			s.released = slices.Delete(s.released, 0, i+1)
			return
		}
	}
}

// Kept is the output of a terminal, also of one that was released, for a view that goes on showing it. Of those, a
// session keeps the last [KeptTerminals] until it is closed.
func (r *Runner) Kept(session, id string) (Output, bool) {
	if t, err := r.Get(session, id); err == nil {
		return t.Output(), true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.sessions[session]; s != nil {
		for _, t := range s.released {
			if t.info.ID == id {
				return t.Output(), true
			}
		}
	}
	return Output{}, false
}

// List describes the terminals of a session that are not released, of all sessions for "", oldest first.
func (r *Runner) List(session string) []Info {
	r.mu.Lock()
	defer r.mu.Unlock()
	var infos []Info
	for id, s := range r.sessions {
		if session == "" || session == id {
			for _, t := range s.terminals {
				infos = append(infos, t.Info())
			}
		}
	}
	slices.SortFunc(infos, func(a, b Info) int {
		if c := a.Started.Compare(b.Started); c != 0 {
			return c
		}
		return cmp.Or(len(a.ID)-len(b.ID), cmp.Compare(a.ID, b.ID))
	})
	return infos
}

// leftover is a command of the shell tools that has ended and whose descendants may not have.
type leftover struct {
	t     *Terminal
	shell string
}

func (l *leftover) close() { l.t.shutdown() }

// over reports whether nothing can be left of it: its guardian is gone, which stays as long as a descendant does.
func (l *leftover) over() bool {
	if g, ok := l.t.proc.(interface{ Gone() <-chan struct{} }); ok {
		select {
		case <-g.Gone():
			return true
		default:
		}
	}
	return false
}

// silent reports whether nobody holds the command's output any more: most likely it left nothing behind.
func (l *leftover) silent() bool {
	select {
	case <-l.t.read:
		return true
	default:
		return false
	}
}

// retire takes a finished command of the shell tools out of the tables. The processes that it left behind (`server
// &`) go on until their shell is stopped or the session closed; only beyond [maxLeftovers]
// they end, the oldest first and before it those that nothing is heard of.
func (r *Runner) retire(t *Terminal) {
	r.mu.Lock()
	if t.released {
		r.mu.Unlock()
		return
	}
	t.released = true
	s := t.s
	delete(s.terminals, t.info.ID)
	r.held--
	s.keep(t)
	s.leftovers = append(s.leftovers, &leftover{t, t.info.Shell})
	var end []*leftover
	s.leftovers = slices.DeleteFunc(s.leftovers, func(l *leftover) bool {
		if l.over() {
			end = append(end, l)
			return true
		}
		return false
	})
	for len(s.leftovers) > maxLeftovers {
		i := max(0, slices.IndexFunc(s.leftovers, (*leftover).silent))
		end = append(end, s.leftovers[i])
		s.leftovers = slices.Delete(s.leftovers, i, i+1)
	}
	r.work.Add(1)
	s.ends.Add(1)
	r.mu.Unlock()
	defer r.work.Done()
	defer s.ends.Done()
	shutAll(nil, end)
}

// stopLeftovers ends what the finished commands of a shell left behind.
func (r *Runner) stopLeftovers(session, shell string) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return
	}
	var end []*leftover
	s := r.sessions[session]
	if s != nil {
		s.ends.Add(1)
		defer s.ends.Done()
		s.leftovers = slices.DeleteFunc(s.leftovers, func(l *leftover) bool {
			if l.shell == shell {
				end = append(end, l)
				return true
			}
			return false
		})
	}
	r.work.Add(1)
	r.mu.Unlock()
	defer r.work.Done()
	shutAll(nil, end)
}

// takeLeftovers removes a session's leftovers. The caller holds r.mu.
func (r *Runner) takeLeftovers(s *session) []*leftover {
	if s == nil {
		return nil
	}
	ls := s.leftovers
	s.leftovers = nil
	return ls
}
