package diff

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// gen makes texts and changes of them. Its words are few so that lines repeat,
// which is where comparisons go astray; what it types is unique so that it can
// be found again.
type gen struct {
	*rand.Rand
	eol   string
	typed int
}

func newGen(seed uint64) *gen {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 7)), eol: "\n"}
	if g.IntN(4) == 0 {
		g.eol = "\r\n"
	}
	return g
}

func (g *gen) line() string {
	words := []string{"", "}", "{", "a", "b(x, y)", "return x", "a b", "é𝒳"}
	return words[g.IntN(len(words))]
}

func (g *gen) tag() string {
	g.typed++
	return fmt.Sprintf("T%dz", g.typed)
}

func (g *gen) text(lines int) string {
	var b strings.Builder
	for range lines {
		b.WriteString(g.line() + g.eol)
	}
	s := b.String()
	if g.IntN(3) == 0 {
		s = strings.TrimSuffix(s, g.eol)
	}
	return s
}

// change makes n changes: lines put in, deleted, replaced, words added to. With
// mayDelete false all of it can be found again in the result, and lines typed
// before are left alone.
func (g *gen) change(s string, n int, mayDelete bool) string {
	ls := split(s)
	for range n {
		i := g.IntN(len(ls) + 1)
		switch k := g.IntN(5); {
		case k == 0 && mayDelete && i < len(ls):
			ls = append(ls[:i:i], ls[i+1:]...)
		case k == 1 && mayDelete && i < len(ls):
			ls[i] = g.tag() + g.line() + lineEnd(ls[i])
		case k <= 2 && i < len(ls) && (mayDelete || !strings.Contains(ls[i], "T")):
			toks := tokens(ls[i])
			at := g.IntN(len(toks) + 1)
			if at == len(toks) && lineEnd(ls[i]) != "" {
				at--
			}
			ls[i] = join(toks[:at]) + g.tag() + " " + join(toks[at:])
		default:
			if i > 0 && lineEnd(ls[i-1]) == "" {
				ls[i-1] += g.eol
			}
			var put []string
			for range 1 + g.IntN(3) {
				put = append(put, g.tag()+g.line()+g.eol)
			}
			if mayDelete && g.IntN(4) == 0 {
				put = append(put, g.line()+g.eol)
			}
			ls = append(ls[:i:i], append(put, ls[i:]...)...)
		}
	}
	return join(ls)
}

func lineEnd(l string) string {
	switch {
	case strings.HasSuffix(l, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(l, "\n"):
		return "\n"
	}
	return ""
}
