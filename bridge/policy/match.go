package policy

import (
	"path"
	"strings"
	"sync"
)

// matcher finds the entry of a list of files and folders that a name is under. Most entries begin with a plain name, so a map tells
// the few that may fit.
type matcher struct {
	plain map[string][]*entry // by their first part
	globs []*entry            // those whose first part is a pattern
	prose map[string]bool     // entries below which prose does not count
}

// entry is one name of the list in its parts. What begins like its first part has the prefix, and what fits it ends on the
// suffix: both are quicker to see than a pattern.
type entry struct {
	name           string
	parts          []string
	prefix, suffix string
}

// meta are what makes a part of an entry a pattern.
const meta = `*?[\`

// controls is the matcher of the control list.
var controls = sync.OnceValue(func() *matcher { return newMatcher(ControlNames(), proseIn...) })

// newMatcher makes the matcher of a list; below prose, prose does not count.
func newMatcher(names []string, prose ...string) *matcher {
	m := &matcher{plain: map[string][]*entry{}, prose: map[string]bool{}}
	for _, name := range names {
		e := &entry{name: name, parts: strings.Split(name, "/")}
		first := e.parts[0]
		if i := strings.IndexAny(first, meta); i >= 0 {
			e.prefix, e.suffix = first[:i], first[strings.LastIndexAny(first, meta)+1:]
			m.globs = append(m.globs, e)
		} else {
			m.plain[first] = append(m.plain[first], e)
		}
	}
	for _, name := range prose {
		m.prose[name] = true
	}
	return m
}

// ControlNames are the entries of the list, as they stand in it.
func ControlNames() (names []string) {
	for _, row := range controlList() {
		names = append(names, row.names...)
	}
	return names
}

// at gives the entry that the parts of a name from i on begin with.
func (m *matcher) at(parts []string, i int) (string, bool) {
	for _, some := range [][]*entry{m.plain[parts[i]], m.globs} {
		for _, e := range some {
			if e.begins(parts[i:]) && !(m.prose[e.name] && isProse(parts[i+len(e.parts):])) {
				return e.name + "/**", true
			}
		}
	}
	return "", false
}

// above says whether the list has an entry that goes on where a name ends: the folder may hold control files that are none
// for their own name.
func (m *matcher) above(parts []string) bool {
	for i := range parts {
		for _, some := range [][]*entry{m.plain[parts[i]], m.globs} {
			for _, e := range some {
				if len(e.parts) > len(parts)-i && e.fits(parts[i:]) {
					return true
				}
			}
		}
	}
	return false
}

// begins says whether a name begins with the entry.
func (e *entry) begins(parts []string) bool {
	return len(parts) >= len(e.parts) && e.fits(parts[:len(e.parts)])
}

// fits says whether a name is the beginning of the entry, or all of it.
func (e *entry) fits(parts []string) bool {
	if !strings.HasPrefix(parts[0], e.prefix) || !strings.HasSuffix(parts[0], e.suffix) {
		return false
	}
	for i, glob := range e.parts[:len(parts)] {
		if ok, _ := path.Match(glob, parts[i]); !ok {
			return false
		}
	}
	return true
}

// isProse says whether the rest of a name is prose or a picture.
func isProse(rest []string) bool {
	if len(rest) == 0 {
		return false
	}
	_, ok := entryOf(rest[len(rest)-1], prose)
	return ok
}
