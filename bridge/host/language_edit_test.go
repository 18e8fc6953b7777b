package host

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// edits has the server answer a rename with an edit; %NAME% is the URI of a file.
func (r *langRig) edits(edit string) {
	r.server.raw[methodRename] = func(context.Context, []byte) (string, error) { return r.uris(edit), nil }
}

func (r *langRig) uris(s string) string {
	parts := strings.Split(s, "%")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = `"file://` + r.path(parts[i]) + `"`
	}
	return strings.Join(parts, "")
}

// sub is a TextEdit of characters of one line.
func sub(line, from, to int, text string) string {
	return fmt.Sprintf(`{"range":{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}},"newText":%q}`, line, from, line, to, text)
}

func doc(name string, edits ...string) string {
	return `{"textDocument":{"uri":%` + name + `%,"version":null},"edits":[` + strings.Join(edits, ",") + `]}`
}

func docs(all ...string) string { return `{"documentChanges":[` + strings.Join(all, ",") + `]}` }

var renameIt = tools.LanguageArgs{Tool: tools.Rename, Path: "lib.txt", Line: 1, Symbol: "total", NewName: "sum"}

// pending are the files in review, with what happened to them.
func (r *langRig) pending() (out []string) {
	for _, f := range r.host.Book.Files(review.Filter{}) {
		out = append(out, string(f.Kind)+" "+r.s.Gate.Short(f.Path))
	}
	slices.Sort(out)
	return out
}

func (r *langRig) reviewed(want ...string) {
	r.t.Helper()
	if got := r.pending(); !slices.Equal(got, want) {
		r.t.Errorf("in review: %q, want %q", got, want)
	}
}

var three = map[string]string{"lib.txt": "def total(x)\n", "use.txt": "call total(1)\n", "far.txt": "call total(2)\n"}

// TestARenameIsOneReviewedChange: one question that shows all files whole; a dirty buffer is changed and stays dirty, a clean one is
// saved, a closed file is written, and all are in review.
func TestARenameIsOneReviewedChange(t *testing.T) {
	r := newLangRig(t, three)
	r.open("use.txt", "mine\n")
	r.open("far.txt")
	r.edits(threeEdits(1))
	got, err := r.tool(renameIt)
	if err != nil || got != "Rename total to sum in 3 files: done in 3 files: lib.txt, use.txt, far.txt." {
		t.Errorf("%q %v", got, err)
	}
	if len(r.asked) != 1 || len(r.asked[0].Diffs) != 3 || r.asked[0].Title != "Rename total to sum in 3 files" {
		t.Fatalf("%d questions", len(r.asked))
	}
	if d := r.asked[0].Diffs[1]; d.Path != r.path("use.txt") || d.OldText != "mine\ncall total(1)\n" || d.NewText != "mine\ncall sum(1)\n" {
		t.Errorf("shown: %+v", d)
	}
	if r.disk("lib.txt") != "def sum(x)\n" || r.disk("use.txt") != "call total(1)\n" || r.buffer("use.txt") != "mine\ncall sum(1)\n" || r.disk("far.txt") != "call sum(2)\n" || r.buffer("far.txt") != "call sum(2)\n" {
		t.Errorf("%q %q %q %q", r.disk("lib.txt"), r.disk("use.txt"), r.buffer("use.txt"), r.disk("far.txt"))
	}
	r.reviewed("edit far.txt", "edit lib.txt", "edit use.txt")
	if len(r.changed) != 3 {
		t.Errorf("the call tells of %d files", len(r.changed))
	}
}

func TestANoToARenameChangesNothing(t *testing.T) {
	r := newLangRig(t, three)
	r.edits(threeEdits(0))
	r.answer = func(*permission.Question) permission.Answer { return permission.Answer{OptionID: permission.OptReject} }
	r.fails(renameIt, "declined")
	r.answer = func(q *permission.Question) permission.Answer { // a part cannot be chosen
		return permission.Answer{OptionID: permission.OptOnce, Hunks: []string{q.ID + ".1"}}
	}
	r.fails(renameIt, "not offered")
	r.reviewed()
	for name, want := range three {
		if r.disk(name) != want {
			t.Errorf("%s: %q", name, r.disk(name))
		}
	}
}

func threeEdits(line int) string {
	return docs(doc("lib.txt", sub(0, 4, 9, "sum")), doc("use.txt", sub(line, 5, 10, "sum")), doc("far.txt", sub(0, 5, 10, "sum")))
}

// TestWhatChangesDuringTheQuestionIsAskedAboutAgain: before anything is touched, for all files together. What the user types beside
// the change stays.
func TestWhatChangesDuringTheQuestionIsAskedAboutAgain(t *testing.T) {
	r := newLangRig(t, three)
	r.open("use.txt")
	r.edits(threeEdits(0))
	r.answer = func(*permission.Question) permission.Answer {
		if len(r.asked) == 1 {
			r.put("far.txt", "call total(2) and\n")
			r.buffers.Type(r.path("use.txt"), len("call total(1)\n"), "typed\n")
			if r.disk("lib.txt") != three["lib.txt"] {
				t.Error("written before the answer")
			}
		}
		return permission.Answer{OptionID: permission.OptOnce}
	}
	if _, err := r.tool(renameIt); err != nil {
		t.Fatal(err)
	}
	if len(r.asked) != 2 || r.asked[1].Diffs[2].NewText != "call sum(2) and\n" {
		t.Errorf("%d questions", len(r.asked))
	}
	if r.disk("far.txt") != "call sum(2) and\n" || r.buffer("use.txt") != "call sum(1)\ntyped\n" || r.disk("lib.txt") != "def sum(x)\n" {
		t.Errorf("%q %q %q", r.disk("far.txt"), r.buffer("use.txt"), r.disk("lib.txt"))
	}
}

// TestTheRulesHoldForEachFileOfAChange: a rule that denies one denies the change, a control file and one outside are said, and plan
// mode changes nothing.
func TestTheRulesHoldForEachFileOfAChange(t *testing.T) {
	for _, tool := range []policy.Tool{policy.ToolRead, policy.ToolEdit} {
		r := newLangRig(t, three, policy.Rule{Tool: policy.ToolEdit, Path: "**", Decision: policy.Allow})
		r.edits(threeEdits(0))
		r.says(renameIt, "Rename total to sum in 3 files: done in 3 files: lib.txt, use.txt, far.txt.")
		if len(r.asked) > 0 {
			t.Error("what a rule allows was asked")
		}
		r = newLangRig(t, three, policy.Rule{Tool: tool, Path: "far.txt", Decision: policy.Deny}, policy.Rule{Tool: policy.ToolEdit, Path: "**", Decision: policy.Allow})
		r.edits(threeEdits(0))
		r.fails(renameIt, "far.txt: refused")
		if r.disk("lib.txt") != three["lib.txt"] || len(r.asked) > 0 {
			t.Errorf("%s: %q, %d questions", tool, r.disk("lib.txt"), len(r.asked))
		}
	}
	r := newLangRig(t, map[string]string{"lib.txt": "def total(x)\n", ".git/config": "x\n"}, policy.Rule{Tool: policy.ToolEdit, Path: "**", Decision: policy.Allow})
	r.edits(docs(doc("lib.txt", sub(0, 4, 9, "sum")), doc(".git/config", sub(0, 0, 1, "y"))))
	if _, err := r.tool(renameIt); err != nil || len(r.asked) != 1 || !strings.Contains(r.asked[0].Reason, ".git/config") {
		t.Errorf("a control file: %v, %d questions", err, len(r.asked))
	}
}

// TestOperationsOnFilesGoTheSameWay: a file that is created, renamed or removed is in the one question, and in review.
func TestOperationsOnFilesGoTheSameWay(t *testing.T) {
	r := newLangRig(t, map[string]string{"lib.txt": "def total(x)\n", "old.txt": "one\n", "dead.txt": "dead\n"})
	r.edits(docs(
		`{"kind":"create","uri":%sub/new.txt%}`, doc("sub/new.txt", sub(0, 0, 0, "fresh\n")),
		`{"kind":"rename","oldUri":%old.txt%,"newUri":%moved.txt%}`, doc("moved.txt", sub(0, 0, 3, "two")),
		`{"kind":"delete","uri":%dead.txt%}`, doc("lib.txt", sub(0, 4, 9, "sum"))))
	if _, err := r.tool(renameIt); err != nil {
		t.Fatal(err)
	}
	if len(r.asked) != 1 {
		t.Fatalf("%d questions", len(r.asked))
	}
	notes := strings.Join(r.asked[0].Notes, "\n")
	if !strings.Contains(notes, "old.txt gets the name "+r.path("moved.txt")) || !strings.Contains(notes, "dead.txt is removed") {
		t.Errorf("notes: %s", notes)
	}
	if r.disk("sub/new.txt") != "fresh\n" || r.disk("old.txt") != "(none)" || r.disk("moved.txt") != "two\n" || r.disk("dead.txt") != "(none)" || r.disk("lib.txt") != "def sum(x)\n" {
		t.Errorf("%q %q %q %q %q", r.disk("sub/new.txt"), r.disk("old.txt"), r.disk("moved.txt"), r.disk("dead.txt"), r.disk("lib.txt"))
	}
	r.reviewed("create sub/new.txt", "delete dead.txt", "edit lib.txt", "move moved.txt")
}

// TestAFileWithABufferIsNotRenamedUnderIt: the buffer keeps its name, so one file goes and another one comes; unsaved text is in the way.
func TestAFileWithABufferIsNotRenamedUnderIt(t *testing.T) {
	r := newLangRig(t, map[string]string{"lib.txt": "def total(x)\n", "old.txt": "one\n"})
	r.open("old.txt", "typed\n")
	r.edits(docs(`{"kind":"rename","oldUri":%old.txt%,"newUri":%moved.txt%}`))
	r.fails(renameIt, "unsaved text")
	if r.disk("old.txt") != "one\n" {
		t.Errorf("the file is gone: %q", r.disk("old.txt"))
	}
	if err := os.Remove(r.path("moved.txt")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := r.buffers.SaveFile(r.path("old.txt")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.tool(renameIt); err != nil || r.disk("old.txt") != "(none)" || r.disk("moved.txt") != "typed\none\n" {
		t.Errorf("%v: %q %q", err, r.disk("old.txt"), r.disk("moved.txt"))
	}
}

// TestAnEditThatIsNotUnderstoodIsNotMade: nothing of it.
func TestAnEditThatIsNotUnderstoodIsNotMade(t *testing.T) {
	r := newLangRig(t, map[string]string{"lib.txt": "def total(x)\n", "use.txt": "call\n", "dir/x.txt": "x\n"})
	r.open("use.txt")
	good := doc("lib.txt", sub(0, 4, 9, "sum"))
	for edit, words := range map[string]string{
		`null`:                         "does not rename",
		`7`:                            "cannot be read",
		docs(good, `{"kind":"paint"}`): "not known",
		docs(good, `{}`):               "not known",
		docs(good, doc("none.txt", sub(0, 0, 0, "x"))):                                                                                     "not there",
		docs(good, doc("use.txt", sub(9, 0, 0, "x"))):                                                                                      "does not fit",
		docs(good, doc("use.txt", sub(0, 0, 3, "x"), sub(0, 2, 4, "y"))):                                                                   "overlap",
		docs(good, doc("use.txt", `{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":1}},"newText":""}`)):             "ends before",
		docs(good, doc("use.txt", `{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"snippet":{"value":"$1"}}`)): "no plain text",
		docs(good, doc("dir", sub(0, 0, 0, "x"))):                                                                                          "folder",
		docs(good, `{"kind":"delete","uri":%dir%}`):                                                                                        "folder",
		docs(good, `{"kind":"delete","uri":%none.txt%}`):                                                                                   "not there",
		docs(good, `{"kind":"create","uri":%use.txt%}`):                                                                                    "exists",
		docs(good, `{"kind":"rename","oldUri":%dir/x.txt%,"newUri":%use.txt%,"options":{"overwrite":true}}`):                               "exists",
		docs(good, `{"kind":"rename","oldUri":%none.txt%,"newUri":%n.txt%}`):                                                               "not there",
		`{"documentChanges":[` + good + `,{"textDocument":{"uri":"untitled:1"},"edits":[]}]}`:                                              "no file",
		`{"documentChanges":[{"textDocument":{"uri":%use.txt%,"version":77},"edits":[]}]}`:                                                 "has changed",
	} {
		r.edits(edit)
		r.fails(renameIt, words)
	}
	if len(r.asked) > 0 || r.disk("lib.txt") != "def total(x)\n" {
		t.Errorf("%d questions, %q", len(r.asked), r.disk("lib.txt"))
	}
	r.reviewed()
	r.edits(`{"changes":{%lib.txt%:[` + sub(0, 4, 9, "sum") + `],%use.txt%:[]}}`) // the older form
	r.says(renameIt, "Rename total to sum: done in 1 file: lib.txt.")
}

func TestEditsAreMadeInTheTextAsItWas(t *testing.T) {
	edit := func(from, to uint32, s string) lspEdit {
		return lspEdit{&lspRange{lspPosition{0, from}, lspPosition{0, to}}, &s}
	}
	for _, c := range []struct {
		in, want string
		enc      text.Encoding
		edits    []lspEdit
	}{
		{"abc", "1a2b3c", text.UTF16, []lspEdit{edit(2, 2, "3"), edit(0, 0, "1"), edit(1, 1, "2")}},
		{"abc", "12bc", text.UTF16, []lspEdit{edit(0, 1, "2"), edit(0, 0, "1")}},
		{"abc", "12abc", text.UTF16, []lspEdit{edit(0, 0, "1"), edit(0, 0, "2")}},
		{"𝒳b\r\n", "𝒳c\r\n", text.UTF16, []lspEdit{edit(2, 3, "c")}},
		{"𝒳b", "𝒳c", text.UTF8, []lspEdit{edit(4, 5, "c")}},
		{"ab", "c", text.UTF16, []lspEdit{edit(0, 99, "c")}}, // past its end is the end of the line
	} {
		if got, err := applyEdits(text.New(c.in), c.edits, c.enc); err != nil || got != c.want {
			t.Errorf("%q: %q %v", c.in, got, err)
		}
	}
}

// TestFormatAndActions: an action is applied by its title, resolved if need be; what is no edit is not done.
func TestFormatAndActions(t *testing.T) {
	r := newLangRig(t, map[string]string{"lib.txt": "def  total(x)\n"})
	r.server.raw[methodFormatting] = func(context.Context, []byte) (string, error) { return `[` + sub(0, 3, 5, " ") + `]`, nil }
	r.says(tools.LanguageArgs{Tool: tools.Format, Path: "lib.txt"}, "Format lib.txt: done in 1 file: lib.txt.")
	r.server.raw[methodFormatting] = func(context.Context, []byte) (string, error) { return `null`, nil }
	r.says(tools.LanguageArgs{Tool: tools.Format, Path: "lib.txt"}, "No changes: the language server has nothing to change.")
	edit := r.uris(docs(doc("lib.txt", sub(0, 4, 9, "sum"))))
	r.server.raw[methodCodeAction] = func(context.Context, []byte) (string, error) {
		return `[{"title":"Run it","command":"do.it"},{"title":"Both","kind":"quickfix","edit":` + edit + `,"command":{"title":"x","command":"x"}},` +
			`{"title":"Later","data":{"n":1}},{"title":"Twice","edit":{}},{"title":"Twice","edit":{}},{"title":"Off","disabled":{"reason":"no reason"}}]`, nil
	}
	r.server.raw[methodResolve] = func(_ context.Context, params []byte) (string, error) {
		if string(params) != `{"title":"Later","data":{"n":1}}` {
			t.Errorf("resolved %s", params)
		}
		return `{"title":"Later","data":{"n":1},"edit":` + r.uris(docs(doc("lib.txt", sub(0, 4, 7, "all")))) + `}`, nil
	}
	a := tools.LanguageArgs{Tool: tools.CodeActions, Path: "lib.txt", Line: 1}
	r.says(a, "Code actions at lib.txt:1; name one in apply:\nRun it (runs a command, which is not done from here)\nBoth [quickfix]\nLater\nTwice\nTwice\nOff (not possible: no reason)\n")
	asked := len(r.asked)
	for title, words := range map[string]string{"Run it": "runs a command", "Twice": "two actions", "Off": "no reason", "Nothing": "there is no action"} {
		a.Apply = title
		r.fails(a, words, "nothing was changed")
	}
	if len(r.asked) != asked {
		t.Error("it was asked about what is not done")
	}
	a.Apply = "Both"
	r.says(a, "Apply Both: done in 1 file: lib.txt. The action also has a command of the language server, which was not run.")
	a.Apply = "Later"
	r.says(a, "Apply Later: done in 1 file: lib.txt.")
	if r.disk("lib.txt") != "def all(x)\n" {
		t.Errorf("%q", r.disk("lib.txt"))
	}
}
