package workspace

import "strings"

// glob matches one pattern of a .gitignore as git's wildmatch does (gitignore(5), "Pattern format"): byte by byte, so that
// ? is one byte, with ** only between slashes and character classes in brackets. What is not closed matches nothing.
type glob struct {
	pattern string
	path    bool // the text is a path: * ? and brackets leave slashes alone
	fold    bool // core.ignoreCase: letters of ASCII match in either case

	// failed are the places in pattern and text that are known not to match, of a pattern with more than one star: a
	// hostile one must not cost more than its length times that of the text.
	failed map[[2]int]bool
}

// match says whether the pattern matches all of text.
func (g *glob) match(text string) bool {
	if strings.Count(g.pattern, "*") > 1 {
		g.failed = map[[2]int]bool{}
	}
	return g.from(0, 0, text)
}

// from matches the pattern from p on against text from t on.
func (g *glob) from(p, t int, text string) bool {
	for ; p < len(g.pattern); p++ {
		c := g.pattern[p]
		if c == '*' {
			return g.star(p, t, text)
		}
		if t == len(text) {
			return false
		}
		switch c {
		case '?':
			if g.path && text[t] == '/' {
				return false
			}
		case '[':
			end, ok := g.class(p, text[t])
			if !ok {
				return false
			}
			p = end
		case '\\':
			if p++; p == len(g.pattern) {
				return false
			}
			c = g.pattern[p]
			fallthrough
		default:
			if g.folded(c) != g.folded(text[t]) {
				return false
			}
		}
		t++
	}
	return t == len(text)
}

// star matches from one or more stars on.
func (g *glob) star(p, t int, text string) bool {
	start := p
	for p < len(g.pattern) && g.pattern[p] == '*' {
		p++
	}
	rest := g.pattern[p:]
	slashes := !g.path
	if g.path && p-start > 1 && (start == 0 || g.pattern[start-1] == '/') && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`)) {
		if rest != "" && rest[0] == '/' && g.try(p+1, t, text) { // no folder at all
			return true
		}
		slashes = true
	}
	if rest == "" {
		return slashes || !strings.Contains(text[t:], "/")
	}
	for ; ; t++ {
		if g.try(p, t, text) {
			return true
		}
		if t == len(text) || !slashes && text[t] == '/' {
			return false
		}
	}
}

// try is from, and remembers what has failed.
func (g *glob) try(p, t int, text string) bool {
	at := [2]int{p, t}
	if g.failed[at] {
		return false
	}
	if g.from(p, t, text) {
		return true
	}
	if g.failed != nil {
		g.failed[at] = true
	}
	return false
}

// class matches one byte against the brackets that open at p. It returns where they close; ok is false where the byte is
// not one of them, or they do not close.
func (g *glob) class(p int, c byte) (end int, ok bool) {
	p++
	not := p < len(g.pattern) && (g.pattern[p] == '!' || g.pattern[p] == '^')
	if not {
		p++
	}
	in, last := false, -1 // last is the byte before, from which a range may start
	for first := true; ; first = false {
		if p >= len(g.pattern) {
			return p, false
		}
		b := g.pattern[p]
		if b == ']' && !first {
			break
		}
		switch {
		case b == '[' && p+1 < len(g.pattern) && g.pattern[p+1] == ':':
			length := strings.IndexByte(g.pattern[p+2:], ']')
			if length < 0 {
				return p, false
			}
			name, named := strings.CutSuffix(g.pattern[p+2:p+2+length], ":")
			if !named { // no name after all, just a bracket
				in, last = in || c == '[', '['
				break
			}
			is, known := namedClass[name]
			if !known {
				return p, false
			}
			in, last = in || is(c) || g.fold && name == "upper" && namedClass["alpha"](c), -1
			p += 2 + length
		case b == '-' && last >= 0 && p+1 < len(g.pattern) && g.pattern[p+1] != ']':
			if p++; g.pattern[p] == '\\' {
				if p++; p == len(g.pattern) {
					return p, false
				}
			}
			from, to := byte(last), g.pattern[p]
			in = in || from <= c && c <= to
			if g.fold && 'a' <= c && c <= 'z' {
				up := c - 'a' + 'A'
				in = in || from <= up && up <= to
			}
			last = -1
		case b == '\\':
			if p++; p == len(g.pattern) {
				return p, false
			}
			b = g.pattern[p]
			fallthrough
		default:
			in, last = in || g.folded(b) == g.folded(c), int(b)
		}
		p++
	}
	return p, in != not && !(g.path && c == '/')
}

func (g *glob) folded(c byte) byte {
	if g.fold && 'A' <= c && c <= 'Z' {
		return c - 'A' + 'a'
	}
	return c
}

// namedClass are the classes by name, of ASCII.
var namedClass = map[string]func(byte) bool{
	"alnum":  func(c byte) bool { return letter(c) || digit(c) },
	"alpha":  letter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  digit,
	"graph":  func(c byte) bool { return c > ' ' && c < 0x7f },
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return c >= ' ' && c < 0x7f },
	"punct":  func(c byte) bool { return c > ' ' && c < 0x7f && !letter(c) && !digit(c) },
	"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }
