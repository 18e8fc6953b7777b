package bridge

import (
	"bytes"
	"cmp"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// agentInput is what the input of an agent's own tool says that it does. It is either wholly understood, or odd says why
// it is not: then nothing in it is believed, paths and maybe are what it might name, for rules that deny, and it is shown as it
// came.
type agentInput struct {
	argv  []string // the command
	dir   string   // its folder
	paths []string // the files it names
	text  *string  // a whole new text
	old   *string  // the text that is replaced
	new   *string  // and what by
	every bool     // wherever it stands
	patch bool     // it holds a patch
	goes  bool     // which takes a file away, or gives it another name

	odd     string
	maybe   [][]string
	foreign bool // it names nothing that the bridge knows: no command, no file
}

// readInput reads the input of a tool. It is understood if it has one of the known shapes, with known members only, and
// all shapes that it has say the same of it: which of two readings the agent acts on is not known (CVE-2026-27896).
func readInput(raw jsontext.Value) agentInput {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return agentInput{}
	}
	var members map[string]any
	if err := json.Unmarshal(raw, &members); err != nil {
		if text := ""; json.Unmarshal(raw, &text) == nil { // Copilot's apply_patch has nothing else
			members = map[string]any{"patch": text}
		} else {
			return guess(raw, "its input is not an object of valid text with each member once")
		}
	}
	for name, value := range members {
		if value == nil { // codex-acp spells out what it has not got
			delete(members, name)
		}
	}
	if len(members) == 0 {
		return agentInput{}
	}
	var in *agentInput
	for _, s := range shapes {
		r, ok := s.read(members)
		switch {
		case !ok:
		case in == nil:
			in = r
		case !reflect.DeepEqual(in, r):
			return guess(raw, "its input can be read in two ways")
		}
	}
	if in == nil {
		return guess(raw, "its input has none of the forms that are known")
	}
	return *in
}

// read reads members as a shape has them; false if it is another.
func (s shape) read(members map[string]any) (*agentInput, bool) {
	for name := range s.must {
		if _, ok := members[name]; !ok {
			return nil, false
		}
	}
	r := inputReader{in: new(agentInput)}
	for name, value := range members {
		if !r.take(cmp.Or(s.must[name], s.may[name]), value) { // one that the shape has not is no role at all
			return nil, false
		}
	}
	return r.in, r.whole()
}

// inputReader is an input on its way to be understood.
type inputReader struct {
	in    *agentInput
	line  string   // the command, where it is a line
	again []string // the command once more
	named []string // the files that a patch names
	begin bool     // the patch is of the kind that needs no other name
}

// take reads one member as what it is; false if it cannot be that, or contradicts what was read before.
func (r *inputReader) take(as role, value any) (ok bool) {
	text, isString := value.(string)
	switch as {
	case isNote:
		return isString || plainNote(value)
	case isCount:
		return plainNote(value)
	case isParsed:
		_, ok = value.([]any)
		return ok
	case isCommand:
		r.in.argv, ok = commandOf(value)
		r.line = text
		return ok
	case isSame:
		r.again, ok = wordsOf(value)
		return ok
	case isEvery:
		r.in.every, ok = value.(bool)
		return ok
	}
	if !isString {
		return false
	}
	switch as {
	case isDir:
		ok = (text == "" || plainPath(text)) && (r.in.dir == "" || r.in.dir == text)
		r.in.dir = text
	case isPath:
		ok = plainPath(text)
		r.in.paths = append(r.in.paths, text)
	case isPattern: // one that leads out of its folder names files as well
		ok = oneLine(text) && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "~") && !strings.Contains(text, "..") && !strings.Contains(text, ":")
	case isPatch:
		r.named, r.begin, ok = patchPaths(text)
		r.in.patch, r.in.goes = true, r.in.goes || patchTakesAway(text)
	case isText:
		r.in.text, ok = &text, true
	case isOld:
		r.in.old, ok = &text, true
	case isNew:
		r.in.new, ok = &text, true
	}
	return ok
}

// whole compares what says the same thing twice.
func (r *inputReader) whole() bool {
	if r.again != nil && (r.line == "" || len(r.again) != 1 || r.again[0] != r.line) {
		return false
	}
	if len(r.in.paths) == 0 && r.begin {
		r.in.paths = r.named
	}
	slices.Sort(r.in.paths)
	return !slices.ContainsFunc(r.named, func(name string) bool {
		return !slices.ContainsFunc(r.in.paths, func(path string) bool { return namesFile(name, path) })
	})
}

// commandOf is a command as a line for the shell or as its words.
func commandOf(value any) ([]string, bool) {
	if line, ok := value.(string); ok {
		return []string{"bash", "-c", line}, strings.TrimSpace(line) != "" && !strings.Contains(line, "\x00")
	}
	words, ok := wordsOf(value)
	return words, ok && len(words) > 0 && words[0] != "" && !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "\x00") })
}

func wordsOf(value any) ([]string, bool) {
	list, ok := value.([]any)
	words := make([]string, 0, len(list))
	for _, w := range list {
		s, isString := w.(string)
		ok = ok && isString
		words = append(words, s)
	}
	return words, ok
}

// plainNote says that a value is a number, a yes or no, or some numbers.
func plainNote(value any) bool {
	switch v := value.(type) {
	case float64, bool:
		return true
	case []any:
		return !slices.ContainsFunc(v, func(x any) bool { _, number := x.(float64); return !number })
	}
	return false
}

// plainPath says whether a path names the same file to everybody. Agents take some texts for another one than the file system
// does: they expand ~ and variables, trim blanks and quotes, decode URLs and drop an @ in front. What none of them does
// anything to is an absolute path, or a relative one that begins like a name.
func plainPath(p string) bool {
	if p == "" || !oneLine(p) || p != strings.TrimSpace(p) || strings.Contains(p, "://") || strings.ContainsAny(p, "`\uFFFD") {
		return false
	}
	if filepath.Separator == '/' && strings.Contains(p, `\`) { // a name here, a folder to some
		return false
	}
	lower, folded := strings.ToLower(p), policy.Fold(p)
	for _, code := range []string{"%2e", "%2f", "%5c", "${", "$("} {
		if strings.Contains(lower, code) {
			return false
		}
	}
	for _, part := range []string{"/", ".."} { // full-width ones, or with something invisible between
		if strings.Count(folded, part) != strings.Count(p, part) {
			return false
		}
	}
	if filepath.IsAbs(p) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(p)
	head, _, _ := strings.Cut(p, "/")
	return (unicode.IsLetter(first) || unicode.IsDigit(first) || strings.ContainsRune("._([+", first)) && !strings.Contains(head, ":")
}

func oneLine(text string) bool { return !strings.ContainsAny(text, "\n\r\x00") }

// after adds what was said of the call before its question. What contradicts the question makes both of them odd.
func (in agentInput) after(before agentInput) agentInput {
	in.paths = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(in.paths), before.paths...))))
	in.maybe = append(slices.Clone(in.maybe), before.maybe...)
	differ := func(a, b *string) bool { return a != nil && b != nil && *a != *b }
	switch {
	case in.odd != "" || before.odd != "":
		in.doubt(cmp.Or(in.odd, before.odd))
	case in.argv != nil && before.argv != nil && !slices.Equal(in.argv, before.argv):
		in.doubt("it asks about another command than it announced")
	case in.dir != "" && before.dir != "" && in.dir != before.dir:
		in.doubt("it asks about another folder than it announced")
	case differ(in.text, before.text), differ(in.old, before.old), differ(in.new, before.new):
		in.doubt("it asks about another text than it announced")
	}
	if before.argv != nil {
		if in.odd != "" {
			in.maybe = append(in.maybe, before.argv)
		} else {
			in.argv = before.argv
		}
	}
	if in.odd != "" {
		return in
	}
	in.dir = cmp.Or(in.dir, before.dir)
	in.text, in.old, in.new = cmp.Or(in.text, before.text), cmp.Or(in.old, before.old), cmp.Or(in.new, before.new)
	in.every, in.patch, in.goes = in.every || before.every, in.patch || before.patch, in.goes || before.goes
	if in.argv != nil && (len(in.paths) > 0 || in.text != nil || in.old != nil || in.new != nil || in.patch) {
		in.doubt("it speaks of a command and of files")
	}
	return in
}

// doubt makes an input one that is not understood.
func (in *agentInput) doubt(why string) {
	if in.argv != nil {
		in.maybe = append(in.maybe, in.argv)
	}
	*in = agentInput{paths: in.paths, maybe: in.maybe, patch: in.patch, odd: why}
}
