package terminalproxy

import (
	"slices"
	"sync"
)

// Foreign keeps the end of the output of terminals that a session's agent runs itself, for an editor that is shown the session
// once more: of the last maxForeign, KeptForeign bytes each. The zero value is ready; methods may be called on any goroutine.
type Foreign struct {
	mu    sync.Mutex
	terms []*foreign // oldest first
}

type foreign struct {
	id   string
	ring ring
	exit *Exit
}

// Add takes output of a terminal, and its end where exit is set. It says whether that is news: a terminal that has ended says
// nothing more.
func (f *Foreign) Add(id, data string, exit *Exit) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.terms, func(t *foreign) bool { return t.id == id })
	if i < 0 {
		if len(f.terms) >= maxForeign {
			f.terms = slices.Delete(f.terms, 0, 1)
		}
		i = len(f.terms)
		f.terms = append(f.terms, &foreign{id: id, ring: ring{keep: KeptForeign}})
	}
	t := f.terms[i]
	if t.exit != nil {
		return false
	}
	t.ring.append([]byte(data))
	t.exit = exit
	return true
}

// Kept is what is kept of a terminal's output; false if nothing is.
func (f *Foreign) Kept(id string) (Output, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range f.terms {
		if t.id == id {
			text := t.ring.tail(KeptForeign)
			return Output{Text: text, Truncated: int64(len(text)) < t.ring.end, Exit: t.exit}, true
		}
	}
	return Output{}, false
}
