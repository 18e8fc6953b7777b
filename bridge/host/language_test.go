package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

var twoFiles = map[string]string{"lib.txt": "def total(x)\n  return x\n", "use.txt": "call total(1)\ncall total(2)\n"}

func refs(line int, symbol string) tools.LanguageArgs {
	return tools.LanguageArgs{Tool: tools.References, Path: "use.txt", Line: line, Symbol: symbol}
}

// TestPlacesAreShownWithTheTextOfTheBuffer: grouped by file, each line once, unsaved text included.
func TestPlacesAreShownWithTheTextOfTheBuffer(t *testing.T) {
	r := newLangRig(t, twoFiles)
	r.open("use.txt", "mine\n")
	var at protocol.Position
	r.server.references = func(_ context.Context, p *protocol.ReferenceParams) ([]protocol.Location, error) {
		at = p.Position
		return []protocol.Location{r.loc("use.txt", 2), r.loc("lib.txt", 0), r.loc("use.txt", 1), r.loc("use.txt", 1)}, nil
	}
	r.says(refs(2, "total"), "use.txt:2: call total(1)\nuse.txt:3: call total(2)\nlib.txt:1: def total(x)")
	if at != (protocol.Position{Line: 1, Character: 5}) {
		t.Errorf("asked at %v", at)
	}
	if len(r.asked) > 0 {
		t.Errorf("reading in the workspace asked: %s", r.asked[0].Title)
	}
}

// TestTheSymbolIsFoundOnItsLine: as a whole name before a part of one, from the column on, counted in characters, and told in the
// encoding of the editor.
func TestTheSymbolIsFoundOnItsLine(t *testing.T) {
	r := newLangRig(t, map[string]string{"use.txt": "subtotal 𝒳 total(total)\n\n"})
	var at protocol.Position
	r.server.references = func(_ context.Context, p *protocol.ReferenceParams) ([]protocol.Location, error) {
		at = p.Position
		return nil, nil
	}
	for _, c := range []struct {
		enc    text.Encoding
		column int
		symbol string
		want   uint32
	}{
		{text.UTF16, 0, "total", 12}, {text.UTF8, 0, "total", 14}, {text.UTF32, 0, "total", 11},
		{text.UTF16, 13, "total", 18}, {text.UTF16, 14, "total", 18}, {text.UTF16, 20, "total", 18}, {text.UTF16, 3, "", 2}, {text.UTF16, 11, "", 11}, {text.UTF16, 0, "subt", 0},
	} {
		r.enc = c.enc
		a := refs(1, c.symbol)
		a.Column = c.column
		if _, err := r.tool(a); err != nil || at.Character != c.want {
			t.Errorf("%+v: at %d, %v", c, at.Character, err)
		}
	}
	r.fails(refs(1, "nothing"), `"nothing" is not on line 1 of use.txt`, "grep")
	r.fails(refs(9, "total"), "line 9 is not in use.txt", "grep")
	r.fails(refs(0, "total"), "line 0")
	late := refs(1, "total")
	late.Column = 99
	r.fails(late, "column 99 is past the end")
	late.Path = "none.txt"
	r.fails(late, "does not exist")
}

// TestOutsideIsNamedAndSecretsAreNot: the text of what lies outside asks first; what rules deny and secrets are left out, by every name
// of theirs, and counted.
func TestOutsideIsNamedAndSecretsAreNot(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "std.txt")
	if err := os.WriteFile(outside, []byte("hidden text\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := newLangRig(t, map[string]string{"use.txt": "call total(1)\n", ".env": "KEY=total\n", "denied.txt": "total denied\n"},
		policy.Rule{Tool: policy.ToolRead, Path: "denied.txt", Decision: policy.Deny})
	for link, to := range map[string]string{"link.txt": "denied.txt", "out.txt": outside} {
		if err := os.Symlink(to, r.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(r.path("denied.txt"), r.path("twin.txt")); err != nil {
		t.Fatal(err)
	}
	r.server.references = func(context.Context, *protocol.ReferenceParams) ([]protocol.Location, error) {
		all := []protocol.Location{{URI: uri.File(outside)}}
		for _, name := range []string{".env", "denied.txt", "link.txt", "twin.txt", "out.txt", "use.txt"} {
			all = append(all, r.loc(name, 0))
		}
		return all, nil
	}
	got, err := r.tool(refs(1, "total"))
	want := outside + ":1: [outside the session's folders; `view` asks the user for its text]\nuse.txt:1: call total(1)\n[2 files were left out: 1 to ask the user about first (the view tool asks, for a file that is named), 1 not to be read by the user's rules]"
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	r.fails(tools.LanguageArgs{Tool: tools.Symbols, Path: "denied.txt"}, "refused")
	r.fails(tools.LanguageArgs{Tool: tools.Hover, Path: "link.txt", Line: 1, Symbol: "total"}, "refused")
}

// TestHoverIsAReadOfWhatItShows: it shows the text of the file where the name is defined.
func TestHoverIsAReadOfWhatItShows(t *testing.T) {
	r := newLangRig(t, map[string]string{"use.txt": "call total(1)\n", "denied.txt": "total = hunter2\n", "lib.txt": "total\n", ".env": "total\n"},
		policy.Rule{Tool: policy.ToolRead, Path: "denied.txt", Decision: policy.Deny})
	r.server.hover = func(context.Context, *protocol.HoverParams) (*protocol.Hover, error) {
		return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: "total = hunter2"}}, nil
	}
	a := tools.LanguageArgs{Tool: tools.Hover, Path: "use.txt", Line: 1, Symbol: "total"}
	r.says(a, "total = hunter2") // nobody knows of another file
	for name, allowed := range map[string]bool{"lib.txt": true, "denied.txt": false} {
		r.server.definition = func(context.Context, *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
			l := r.loc(name, 0)
			return &l, nil
		}
		if got, err := r.tool(a); (err == nil) != allowed || strings.Contains(got, "hunter2") != allowed {
			t.Errorf("defined in %s: %q %v", name, got, err)
		}
	}
	r.server.definition = func(context.Context, *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
		l := r.loc(".env", 0)
		return &l, nil
	}
	if _, err := r.tool(a); err != nil || len(r.asked) != 1 || !strings.Contains(r.asked[0].Title, ".env") {
		t.Errorf("a secret: %v, asked %d times", err, len(r.asked))
	}
	r.answer = func(*permission.Question) permission.Answer { return permission.Answer{OptionID: permission.OptReject} }
	r.fails(a, "declined")
	r.server.raw[methodDefinition] = func(context.Context, []byte) (string, error) { return "", errors.New("broken") }
	r.fails(a, "whose text hover shows", "broken")
}

// TestAHugeResultDoesNotHurt: 100,000 references become a short answer that says how many there are, and only what is shown is read.
func TestAHugeResultDoesNotHurt(t *testing.T) {
	many := map[string]string{"use.txt": "call total(1)\n" + strings.Repeat("total total total total\n", 50_000)}
	for i := range 50 {
		many[fmt.Sprintf("f%02d.txt", i)] = strings.Repeat("total\n", 1000)
	}
	r := newLangRig(t, many)
	r.host.languageLimit = time.Minute // what is tested is the size
	var all []protocol.Location
	add := func(name string, lines int) {
		l := r.loc(name, 0)
		for i := range lines {
			l.Range.Start.Line = uint32(i)
			all = append(all, l)
		}
	}
	add("use.txt", 50_000)
	for i := range 50 {
		add(fmt.Sprintf("f%02d.txt", i), 1000)
	}
	r.server.references = func(context.Context, *protocol.ReferenceParams) ([]protocol.Location, error) { return all, nil }
	got, err := r.tool(refs(1, "total"))
	if err != nil || len(got) > tools.MaxResult || len(got) < tools.MaxResult/2 {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	shown := strings.Count(got, "\nuse.txt:") + 1
	if want := fmt.Sprintf("… and %d more in 51 files", 100_000-shown); !strings.HasSuffix(got, want) {
		t.Errorf("it ends with %q, want %q", got[len(got)-80:], want)
	}
}

// TestASlowServerIsNotWaitedForLong: the answer says who is slow and what to use instead, and the server hears that nobody waits.
func TestASlowServerIsNotWaitedForLong(t *testing.T) {
	r := newLangRig(t, twoFiles)
	r.host.languageLimit = 50 * time.Millisecond
	heard := make(chan struct{})
	r.server.raw[methodReferences] = func(ctx context.Context, _ []byte) (string, error) {
		<-ctx.Done()
		close(heard)
		return "", ctx.Err()
	}
	r.fails(refs(1, "total"), "no answer to textDocument/references about use.txt within 50ms", "grep")
	<-heard
}

// TestADyingServerIsAnError: for this request, and without a server the tools say so.
func TestADyingServerIsAnError(t *testing.T) {
	r := newLangRig(t, twoFiles)
	r.server.references = func(context.Context, *protocol.ReferenceParams) ([]protocol.Location, error) {
		r.typed.kill()
		return nil, errors.New("dead")
	}
	r.fails(refs(1, "total"), "with an error", "grep")
	for err, words := range map[error]string{ErrNoServer: "no language server of the editor looks after use.txt", ErrUnsupported: "do not know textDocument/references", errors.New("boom"): "boom"} {
		r.refuses = err
		r.fails(refs(1, "total"), words, "grep")
	}
	r.none = ErrUnsupported
	r.fails(refs(1, "total"), "this editor does not let its language servers be asked", "grep")
	r.fails(tools.LanguageArgs{Tool: tools.Symbols, Query: "t"}, "this editor", "grep")
}

// TestAWrongAnswerIsAnError: nothing is made of what cannot be read; documents that are no files are counted.
func TestAWrongAnswerIsAnError(t *testing.T) {
	r := newLangRig(t, twoFiles)
	for _, wrong := range []string{`7`, `"x"`, `[7]`, `[{}]`, `{"uri":"file:///x"}`, `[{"uri":"file:///x","range":{"start":{"line":-1,"character":0}}}]`, `[{"uri":7}]`, `[{"uri":"a","uri":"b","range":{}}]`} {
		r.server.raw[methodReferences] = func(context.Context, []byte) (string, error) { return wrong, nil }
		r.fails(refs(1, "total"), "cannot be read", "grep")
	}
	for _, none := range []string{`null`, `[]`} {
		r.server.raw[methodReferences] = func(context.Context, []byte) (string, error) { return none, nil }
		r.says(refs(1, "total"), "The language server knows no use of \"total\" at use.txt:1. `grep` finds text that looks like it.")
	}
	r.server.raw[methodReferences] = func(context.Context, []byte) (string, error) {
		return `[{"uri":"untitled:1","range":{"start":{"line":0,"character":0}}},{"uri":"file:` + r.path("use.txt") + `","range":{"start":{"line":99,"character":0}}},{"uri":"file:///none/x","range":{"start":{"line":0,"character":0}}}]`, nil
	}
	r.says(refs(1, "total"), "use.txt:100: [the file has no such line any more]\n/none/x:1: [outside the session's folders; `view` asks the user for its text]\n[1 places are in documents that are no files]")
}

// TestSymbolsInEachOfTheirForms: the outline of a file, nested or flat, and the symbols of the workspace, also without a line.
func TestSymbolsInEachOfTheirForms(t *testing.T) {
	r := newLangRig(t, twoFiles)
	rng := func(line int) string {
		return fmt.Sprintf(`{"start":{"line":%d,"character":0},"end":{"line":%d,"character":1}}`, line, line)
	}
	lib := `"uri":"file://` + r.path("lib.txt") + `"`
	outline := tools.LanguageArgs{Tool: tools.Symbols, Path: "lib.txt"}
	for _, form := range []string{
		`[{"name":"total","selectionRange":` + rng(0) + `,"children":[{"name":"x","selectionRange":` + rng(1) + `}]}]`,
		`[{"name":"x","location":{` + lib + `,"range":` + rng(1) + `}},{"name":"total","location":{` + lib + `,"range":` + rng(0) + `}}]`,
	} {
		r.server.raw[methodDocumentSymbol] = func(context.Context, []byte) (string, error) { return form, nil }
		r.says(outline, "lib.txt:1: def total(x)\nlib.txt:2: return x")
	}
	r.server.raw[methodWorkspaceSymbol] = func(_ context.Context, params []byte) (string, error) {
		if string(params) != `{"query":"tot"}` {
			t.Errorf("asked %s", params)
		}
		return `[{"name":"total","location":{` + lib + `}}]`, nil
	}
	r.says(tools.LanguageArgs{Tool: tools.Symbols, Query: "tot"}, "lib.txt:1: def total(x)")
}

func TestHoverInEachOfItsForms(t *testing.T) {
	for form, want := range map[string]string{
		`null`: "", ``: "", `{"contents":"plain"}`: "plain", `{"contents":{"kind":"markdown","value":" **b** "}}`: "**b**",
		`{"contents":{"language":"go","value":"func f()"}}`: "```go\nfunc f()\n```", `{"contents":["a",{"language":"go","value":"b"},""]}`: "a\n\n```go\nb\n```",
	} {
		if got, err := hoverText([]byte(form)); err != nil || got != want {
			t.Errorf("%s: %q %v", form, got, err)
		}
	}
	if _, err := hoverText([]byte(`{"contents":7}`)); err == nil {
		t.Error("a number is no text")
	}
}
