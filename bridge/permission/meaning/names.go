package meaning

import (
	"bytes"
	"errors"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// Name is a text in a call that may be the name of a file.
type Name struct {
	Text string
	// Whole says that it is all of a text, or of an address, so that somebody may mean it as a name; else it is a word of one.
	Whole bool
	// Elsewhere says that it begins with what programs put something else for: a home, a variable.
	Elsewhere bool
}

// maxNames is how many names are looked for in one call. What has more is a text of several pages, which nobody looks through.
const maxNames = 4_000

// maxJoined is how many texts of an input are tried as the two parts of a name, each with each.
const maxJoined = 40

// elsewhere finds a home or a variable where a path begins with it, or is nothing else.
var elsewhere = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?:^|[\\s\"'`=:,])((?:~[\\w.-]*|\\$\\{?[A-Za-z_][\\w:]*\\}?|%[A-Za-z_]\\w*%)(?:[/\\\\][^\\s\"'`]*|$))")
})

// Names are the texts that may name files in calls of a tool of which nothing is known: in its titles, its input and what it shows,
// whatever the member is called that they are in, the names of members among them. Addresses of the web name none. all is false
// where there are more, or where something cannot be read.
func Names(calls ...*acp.ToolCallUpdate) (names []Name, all bool) {
	c := &nameCollector{seen: map[Name]bool{}, all: true}
	for _, call := range calls {
		if call == nil {
			continue
		}
		if call.Title != nil {
			c.text(*call.Title, false)
		}
		c.json(call.RawInput, true)
		for _, item := range First(call.Content) {
			raw, err := acp.Marshal(item)
			c.all = c.all && err == nil
			c.json(raw, false)
		}
	}
	c.joined()
	return c.names, c.all
}

type nameCollector struct {
	names []Name
	seen  map[Name]bool
	parts []string // whole texts, that may be the two parts of a name
	all   bool
}

func (c *nameCollector) add(text string, whole bool) { c.put(Name{Text: text, Whole: whole}) }

func (c *nameCollector) put(n Name) {
	if len(n.Text) > disk.MaxPath { // no file has such a name, but somebody may shorten it: ././x
		n.Text = path.Clean(n.Text)
	}
	switch text := n.Text; {
	case text == "" || len(text) > disk.MaxPath || strings.ContainsRune(text, 0) || c.seen[n]:
	case len(c.names) >= maxNames:
		c.all = false
	default:
		c.seen[n] = true
		c.names = append(c.names, n)
	}
}

// json takes every text of a value, the names of members among them. Those that are none may be parts of a name where it is the
// tool's input.
func (c *nameCollector) json(raw jsontext.Value, input bool) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return
	}
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	for {
		kind := dec.PeekKind()
		tok, err := dec.ReadToken()
		if err != nil {
			c.all = c.all && errors.Is(err, io.EOF)
			return
		}
		if kind == '"' {
			in, read := dec.StackIndex(dec.StackDepth())
			c.text(tok.String(), input && !(in == '{' && read%2 == 1))
		}
	}
}

// text takes a text, the words in it, and what each of these is to somebody who decodes, expands or trims it.
func (c *nameCollector) text(text string, part bool) {
	whole := strings.TrimSpace(text)
	if whole == "" {
		return
	}
	words := strings.FieldsFunc(text, endsWord)
	if !strings.ContainsAny(whole, "\n\r") && !slices.ContainsFunc(words, webAddress) {
		c.spelled(whole, true)
		if part && !slices.Contains(c.parts, whole) {
			c.parts = append(c.parts, whole)
		}
	}
	for _, m := range elsewhere().FindAllStringSubmatch(text, maxJoined) {
		c.put(Name{Text: m[1], Whole: true, Elsewhere: true})
	}
	for _, word := range words {
		if webAddress(word) {
			continue
		}
		c.spelled(word, word == whole)
		for _, piece := range strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(":@=&?#", r) }) {
			c.spelled(piece, false)
		}
	}
}

func endsWord(r rune) bool {
	return unicode.IsSpace(r) || r == 0 || strings.ContainsRune("\"'`<>()[]{}|;,\u200b\ufeff", r)
}

// spelled adds a text in all the ways in which it may be taken for a name.
func (c *nameCollector) spelled(text string, whole bool) {
	if strings.Trim(text, "/") == "" && len(text) > 1 { // a comment in code
		return
	}
	c.add(text, whole)
	c.add(strings.TrimRight(text, `.,:!?\`), whole)
	if scheme, rest, ok := strings.Cut(text, ":"); ok && isScheme(scheme) {
		c.add(strings.TrimLeft(rest, "/"), whole)
		if after, isURL := strings.CutPrefix(rest, "//"); isURL {
			if i := strings.IndexByte(after, '/'); i >= 0 { // what is before is a host
				rest = after[i:]
			}
		}
		rest, _, _ = strings.Cut(rest, "?")
		rest, _, _ = strings.Cut(rest, "#")
		c.add(rest, whole)
		text = rest
	}
	for range 2 {
		decoded, err := url.PathUnescape(text)
		if err != nil || decoded == text {
			break
		}
		text = decoded
		c.add(text, whole)
	}
	if slashed := strings.ReplaceAll(text, `\`, "/"); slashed != text {
		text = slashed
		c.add(text, whole)
	}
	if folded := policy.Fold(text); folded != strings.ToLower(text) {
		c.add(folded, whole)
	}
}

// joined adds names that are made of two texts: a folder and what is in it.
func (c *nameCollector) joined() {
	if len(c.parts) > maxJoined {
		c.all = false
		return
	}
	for _, dir := range c.parts {
		for _, name := range c.parts {
			if dir != name {
				c.add(strings.TrimRight(dir, "/")+"/"+strings.TrimLeft(name, "/"), false)
			}
		}
	}
}

// webAddress says whether a word is the address of something on the web, which is no file here.
func webAddress(word string) bool {
	lower := strings.ToLower(word)
	for _, begin := range []string{"http://", "https://", "ws://", "wss://", "mailto:"} {
		if strings.HasPrefix(lower, begin) {
			return true
		}
	}
	return false
}

func isScheme(s string) bool {
	return len(s) > 1 && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("+.-", r))
	})
}
