package lspfront

import (
	"slices"
	"sync"
)

// user is what is known of where the user is and what they used last: it is what commands mean that name nothing.
type user struct {
	opening sync.Mutex // held while a session is chosen or made

	mu       sync.Mutex
	spot     spot
	sessions []string // used here, the one used last at the end
	hunk     string   // the pending hunk that nextHunk showed last
}

// spot is where the user was last: as the plugin says, else where they asked for code actions, which is all that plain LSP tells of
// a cursor.
type spot struct {
	path    string // "" if that is not known
	version int32  // of the file's text then, -1 if it was not open
	where   wireRange
}

func (u *user) moved(to spot) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.spot = to
}

func (u *user) at() spot {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.spot
}

func (u *user) use(session string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.sessions = append(without(u.sessions, session), session)
}

func (u *user) forget(session string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.sessions = without(u.sessions, session)
}

func without(list []string, s string) []string {
	return slices.DeleteFunc(list, func(x string) bool { return x == s })
}

// session is the session used last, "" if there is none.
func (u *user) session() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n := len(u.sessions); n > 0 {
		return u.sessions[n-1]
	}
	return ""
}

// nextHunk is the hunk after the one that it gave last, the first one after the last. There is at least one.
func (u *user) nextHunk(all []pendingHunk) pendingHunk {
	u.mu.Lock()
	defer u.mu.Unlock()
	i := slices.IndexFunc(all, func(h pendingHunk) bool { return h.ID == u.hunk })
	h := all[(i+1)%len(all)]
	u.hunk = h.ID
	return h
}
