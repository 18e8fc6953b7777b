package terminalproxy

import (
	"cmp"
	"slices"
)

// rememberReleased keeps a terminal past its release. The caller holds Runner.mu.
func (s *session) rememberReleased(t *Terminal) {
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
		return cmp.Or(a.Started.Compare(b.Started), len(a.ID)-len(b.ID), cmp.Compare(a.ID, b.ID))
	})
	return infos
}

// over reports whether nothing can be left of a command that has ended: its guardian is gone, which stays as long as a
// descendant does.
func (t *Terminal) over() bool {
	g, ok := t.proc.(interface{ Gone() <-chan struct{} })
	return ok && isClosed(g.Gone())
}

// silent reports whether nobody holds the command's output any more: most likely it left nothing behind.
func (t *Terminal) silent() bool { return isClosed(t.read) }

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
	s.rememberReleased(t)
	s.leftovers = append(s.leftovers, t)
	end := s.takeLeftovers((*Terminal).over)
	for len(s.leftovers) > maxLeftovers {
		i := max(0, slices.IndexFunc(s.leftovers, (*Terminal).silent))
		end = append(end, s.leftovers[i])
		s.leftovers = slices.Delete(s.leftovers, i, i+1)
	}
	r.work.Add(1)
	s.ends.Add(1)
	r.mu.Unlock()
	defer r.work.Done()
	defer s.ends.Done()
	shutAll(end)
}

// stopLeftovers ends what the finished commands of a shell left behind.
func (r *Runner) stopLeftovers(session, shell string) {
	r.mu.Lock()
	s := r.sessions[session]
	if r.closed || s == nil {
		r.mu.Unlock()
		return
	}
	end := s.takeLeftovers(func(t *Terminal) bool { return t.info.Shell == shell })
	r.work.Add(1)
	s.ends.Add(1)
	r.mu.Unlock()
	defer r.work.Done()
	defer s.ends.Done()
	shutAll(end)
}

// takeLeftovers removes those of the session's leftovers that which names. The caller holds Runner.mu, and shuts them down
// after it.
func (s *session) takeLeftovers(which func(*Terminal) bool) (taken []*Terminal) {
	s.leftovers = slices.DeleteFunc(s.leftovers, func(t *Terminal) bool {
		if which(t) {
			taken = append(taken, t)
			return true
		}
		return false
	})
	return taken
}
