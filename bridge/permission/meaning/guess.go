package meaning

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// maxInputDepth is how deep the input of an agent's tool is searched for the files it names; real ones have three levels.
const maxInputDepth = 16

// guess gathers what an input that is not understood might mean: every command and every file that it could name, so that a
// rule that denies one of them holds. Nothing is ever allowed by it.
func guess(raw jsontext.Value, why string) Input {
	g := &guesses{telling: raw[0] != '{' || !raw.IsValid()}
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	g.value(dec, named{}, maxInputDepth)
	slices.Sort(g.paths)
	in := Input{Odd: why, Paths: slices.Compact(g.paths), Maybe: g.lines, Foreign: !g.telling}
	if len(g.lines)*len(g.lists) <= MaxFiles { // else nobody means it
		for _, line := range g.lines { // a program beside its words
			for _, args := range g.lists {
				in.Maybe = append(in.Maybe, append([]string{line[2]}, args...))
			}
		}
	}
	in.Maybe = append(in.Maybe, g.lists...)
	return in
}

type guesses struct {
	paths   []string
	lines   [][]string // for the shell
	lists   [][]string // words
	telling bool       // a member has a name that commands, files or texts have
}

// named is what the name of a member makes of the texts in it.
type named struct{ command, path bool }

// value looks at one value, which is that of a member or of a list in it.
func (g *guesses) value(dec *jsontext.Decoder, as named, depth int) bool {
	kind := dec.PeekKind()
	if depth == 0 && (kind == '{' || kind == '[') {
		g.telling = true
		return dec.SkipValue() == nil
	}
	tok, err := dec.ReadToken()
	if err != nil {
		g.telling = true
		return false
	}
	switch kind {
	case '"':
		g.text(as, tok.String())
	case '{':
		for dec.PeekKind() == '"' {
			tok, err := dec.ReadToken()
			if err != nil {
				break
			}
			if !g.value(dec, g.member(tok.String()), depth-1) {
				return false
			}
		}
		_, err = dec.ReadToken()
	case '[':
		var words []string
		for k := dec.PeekKind(); k != ']'; k = dec.PeekKind() {
			if k == '"' {
				tok, err := dec.ReadToken()
				if err != nil {
					return false
				}
				words = append(words, tok.String())
				g.text(as, words[len(words)-1])
				continue
			}
			if !g.value(dec, as, depth-1) {
				return false
			}
		}
		if len(words) > 0 && as.command {
			g.lists = append(g.lists, words)
		}
		_, err = dec.ReadToken()
	}
	return err == nil
}

// member looks at the name of a member, which may be a file itself.
func (g *guesses) member(name string) named {
	if strings.ContainsAny(name, `/\.`) && oneLine(name) {
		g.paths, g.telling = append(g.paths, name), true
	}
	as := named{command: commandName(name), path: pathName(policy.Fold(name))}
	g.telling = g.telling || as.command || as.path
	return as
}

func (g *guesses) text(as named, text string) {
	if as.command && text != "" {
		g.lines = append(g.lines, []string{"bash", "-c", text})
	}
	switch {
	case text == "":
	case !oneLine(text):
		for line := range strings.Lines(text) {
			if file, ok := afterAny(strings.TrimSpace(line), append([]string{"--- ", "+++ ", "rename from ", "rename to "}, fileHeaders...)); ok && file != "" {
				g.telling = true
				g.paths = append(g.paths, file, strings.TrimPrefix(file, "a/"), strings.TrimPrefix(file, "b/"))
			}
		}
	case as.path, pathLike(text):
		g.telling = true
		g.paths = append(g.paths, strings.TrimPrefix(text, "file://"))
	default:
		if file, ok := afterAny(text, fileHeaders); ok {
			g.telling = true
			g.paths = append(g.paths, file)
		}
	}
}

// commandName says whether a member's name is one that commands have.
func commandName(name string) bool {
	key := policy.Fold(name)
	for _, part := range []string{"command", "cmd", "shell", "exec", "argv"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return slices.Contains([]string{"script", "scripts", "args", "run", "program", "binary", "bash", "sh", "code", "line"}, key)
}

// pathName says whether a member's name, folded, is one that files have.
func pathName(key string) bool {
	for _, part := range []string{"path", "file", "folder", "uri", "source", "destination"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}

// pathLike says whether a text on one line looks like a file's name wherever it stands.
func pathLike(text string) bool {
	for _, begin := range []string{"/", "~/", "./", "../", `\\`, "file:"} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return len(text) > 2 && text[1] == ':' && (text[2] == '\\' || text[2] == '/')
}
