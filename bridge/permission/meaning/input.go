package meaning

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

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// Input is what the input of an agent's own tool says that it does. It is either wholly understood, or Odd says why
// it is not: then nothing in it is believed, Paths and Maybe are what it might name, for rules that deny, and it is shown as it
// came.
type Input struct {
	Argv  []string // the command
	Dir   string   // its folder
	Paths []string // the files it names
	Text  *string  // a whole new text
	Old   *string  // the text that is replaced
	New   *string  // and what by
	Every bool     // wherever it stands
	Patch bool     // it holds a patch
	Goes  bool     // which takes a file away, or gives it another name

	Odd     string
	Maybe   [][]string
	Foreign bool // it names nothing that the bridge knows: no command, no file
}

// ReadCall reads the input of a call and what was said of it before, nil for nothing: the same again, or nothing, adds nothing.
func ReadCall(asked, known *acp.ToolCallUpdate) Input {
	now, before := bytes.TrimSpace(asked.RawInput), jsontext.Value(nil)
	if known != nil {
		before = bytes.TrimSpace(known.RawInput)
	}
	empty := func(raw jsontext.Value) bool { return slices.Contains([]string{"", "null", "{}"}, string(raw)) }
	switch {
	case empty(before), bytes.Equal(now, before):
		return Read(now)
	case empty(now):
		return Read(before)
	}
	return Read(now).After(Read(before))
}

// Read reads the input of a tool. It is understood if it has one of the known shapes, with known members only, and
// all shapes that it has say the same of it: which of two readings the agent acts on is not known (CVE-2026-27896).
func Read(raw jsontext.Value) Input {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return Input{}
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
		return Input{}
	}
	var in *Input
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
func (s shape) read(members map[string]any) (*Input, bool) {
	for name := range s.must {
		if _, ok := members[name]; !ok {
			return nil, false
		}
	}
	r := inputReader{in: new(Input)}
	for name, value := range members {
		if !r.take(cmp.Or(s.must[name], s.may[name]), value) { // one that the shape has not is no role at all
			return nil, false
		}
	}
	return r.in, r.whole()
}

// inputReader is an input on its way to be understood.
type inputReader struct {
	in    *Input
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
		r.in.Argv, ok = commandOf(value)
		r.line = text
		return ok
	case isSame:
		r.again, ok = wordsOf(value)
		return ok
	case isEvery:
		r.in.Every, ok = value.(bool)
		return ok
	}
	if !isString {
		return false
	}
	switch as {
	case isDir:
		ok = (text == "" || PlainPath(text)) && (r.in.Dir == "" || r.in.Dir == text)
		r.in.Dir = text
	case isPath:
		ok = PlainPath(text)
		r.in.Paths = append(r.in.Paths, text)
	case isPattern: // one that leads out of its folder names files as well
		ok = oneLine(text) && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "~") && !strings.Contains(text, "..") && !strings.Contains(text, ":")
	case isPatch:
		r.named, r.begin, ok = patchPaths(text)
		r.in.Patch, r.in.Goes = true, r.in.Goes || patchTakesAway(text)
	case isText:
		r.in.Text, ok = &text, true
	case isOld:
		r.in.Old, ok = &text, true
	case isNew:
		r.in.New, ok = &text, true
	}
	return ok
}

// whole compares what says the same thing twice.
func (r *inputReader) whole() bool {
	if r.again != nil && (r.line == "" || len(r.again) != 1 || r.again[0] != r.line) {
		return false
	}
	if len(r.in.Paths) == 0 && r.begin {
		r.in.Paths = r.named
	}
	slices.Sort(r.in.Paths)
	return !slices.ContainsFunc(r.named, func(name string) bool {
		return !slices.ContainsFunc(r.in.Paths, func(path string) bool { return namesFile(name, path) })
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

// PlainPath says whether a path names the same file to everybody. Agents take some texts for another one than the file system
// does: they expand ~ and variables, trim blanks and quotes, decode URLs and drop an @ in front. What none of them does
// anything to is an absolute path, or a relative one that begins like a name.
func PlainPath(p string) bool {
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

// After adds what was said of the call before its question. What contradicts the question makes both of them odd.
func (in Input) After(before Input) Input {
	in.Paths = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(in.Paths), before.Paths...))))
	in.Maybe = append(slices.Clone(in.Maybe), before.Maybe...)
	differ := func(a, b *string) bool { return a != nil && b != nil && *a != *b }
	switch {
	case in.Odd != "" || before.Odd != "":
		in.Doubt(cmp.Or(in.Odd, before.Odd))
	case in.Argv != nil && before.Argv != nil && !slices.Equal(in.Argv, before.Argv):
		in.Doubt("it asks about another command than it announced")
	case in.Dir != "" && before.Dir != "" && in.Dir != before.Dir:
		in.Doubt("it asks about another folder than it announced")
	case differ(in.Text, before.Text), differ(in.Old, before.Old), differ(in.New, before.New):
		in.Doubt("it asks about another text than it announced")
	}
	if before.Argv != nil {
		if in.Odd != "" {
			in.Maybe = append(in.Maybe, before.Argv)
		} else {
			in.Argv = before.Argv
		}
	}
	if in.Odd != "" {
		return in
	}
	in.Every, in.Patch, in.Goes = in.Every || before.Every, in.Patch || before.Patch, in.Goes || before.Goes
	in.Text, in.Old, in.New = cmp.Or(in.Text, before.Text), cmp.Or(in.Old, before.Old), cmp.Or(in.New, before.New)
	if in.Argv != nil && (len(in.Paths) > 0 || in.Text != nil || in.Old != nil || in.New != nil || in.Patch) {
		in.Doubt("it speaks of a command and of files")
	}
	return in
}

// Doubt makes an input one that is not understood.
func (in *Input) Doubt(why string) {
	if in.Argv != nil {
		in.Maybe = append(in.Maybe, in.Argv)
	}
	*in = Input{Paths: in.Paths, Maybe: in.Maybe, Patch: in.Patch, Odd: why}
}
