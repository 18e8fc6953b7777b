package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// The methods that language servers are asked with (LSP 3.18).
const (
	methodDocumentSymbol  = "textDocument/documentSymbol"
	methodWorkspaceSymbol = "workspace/symbol"
	methodDefinition      = "textDocument/definition"
	methodReferences      = "textDocument/references"
	methodHover           = "textDocument/hover"
	methodRename          = "textDocument/rename"
	methodFormatting      = "textDocument/formatting"
	methodCodeAction      = "textDocument/codeAction"
	methodResolve         = "codeAction/resolve"
)

// LanguageMethods are all methods that an editor's language servers are asked with: none of them changes anything.
var LanguageMethods = []string{
	methodDocumentSymbol, methodWorkspaceSymbol, methodDefinition, methodReferences, methodHover, methodRename, methodFormatting, methodCodeAction, methodResolve,
}

// Language is one of the tools that ask the editor's language servers.
func (s *Service) Language(ctx context.Context, a tools.LanguageArgs, call Call) (string, error) {
	switch a.Tool {
	case tools.Rename, tools.Format, tools.CodeActions:
		if a.Tool == tools.CodeActions && a.Apply == "" {
			break
		}
		if err := s.Gate.RefuseChange(string(a.Tool), policy.ToolEdit, a.Path); err != nil {
			return "", err
		}
		var out string
		err := permission.AsShown(func() (err error) { out, err = s.languageEdit(ctx, a, call); return err })
		return out, err
	case tools.Symbols:
		if a.Path == "" {
			return s.workspaceSymbols(ctx, a)
		}
	}
	q, err := s.languageQuery(ctx, a)
	if err != nil {
		return "", err
	}
	switch a.Tool {
	case tools.Symbols:
		raw, err := q.ask(ctx, methodDocumentSymbol, documentParams{q.document()})
		if err != nil {
			return "", err
		}
		found := newPlaces(s, q.servers)
		if err := found.outline(q.target.Real, raw); err != nil {
			return "", q.broken(methodDocumentSymbol, err)
		}
		return s.placesText(ctx, a, found, "The language server names no symbols in "+q.short+".")
	case tools.Definition:
		return s.placesOf(ctx, a, q, methodDefinition, "The language server knows no definition of "+q.what()+".")
	case tools.References:
		return s.placesOf(ctx, a, q, methodReferences, "The language server knows no use of "+q.what()+".")
	case tools.Hover:
		return s.hover(ctx, q)
	default:
		return s.listActions(ctx, q)
	}
}

// languageQuery is a question about a place in a file, which may be read.
type languageQuery struct {
	s       *Service
	args    tools.LanguageArgs
	target  target
	short   string // the file as the model reads it
	servers LanguageServers
	text    text.Text
	at, end int // bytes: the symbol, or the whole line
}

// languageQuery finds what a tool asks about. The answers tell what is in the file, so it is a read.
func (s *Service) languageQuery(ctx context.Context, a tools.LanguageArgs) (*languageQuery, error) {
	tool := string(a.Tool)
	t, err := s.Gate.Reach(ctx, tool, a.Path)
	if err != nil {
		return nil, err
	}
	if err := s.Gate.PermitSight(ctx, tool, t); missing(err) {
		return nil, noSuchPath(a.Path)
	} else if err != nil {
		return nil, err
	}
	snap, err := s.read(ctx, t)
	if err != nil {
		return nil, err
	}
	q := &languageQuery{s: s, args: a, target: t, short: s.Gate.Short(t.Path), text: snap.Text}
	if a.Tool != tools.Symbols && a.Tool != tools.Format {
		if err := q.find(); err != nil {
			return nil, err
		}
	}
	q.servers, err = s.languages(ctx, t.Real)
	return q, err
}

// languages is who can be asked about a path.
func (s *Service) languages(ctx context.Context, path string) (LanguageServers, error) {
	servers, err := s.all.Editor.Languages(ctx, path)
	if errors.Is(err, ErrUnsupported) {
		return nil, errors.New("this editor does not let its language servers be asked; use `grep` instead")
	}
	return servers, err
}

// find looks for the symbol on its line: as a whole name if it is there as one, else as a part of one.
func (q *languageQuery) find() error {
	a := q.args
	if a.Line < 1 || a.Line > q.text.Lines() {
		return fmt.Errorf("line %d is not in %s, which has %d lines; `view` or `grep` show where the name is", a.Line, q.short, q.text.Lines())
	}
	start, line := q.text.LineStart(a.Line-1), q.text.Line(a.Line-1)
	from := 0
	if a.Column > 0 {
		for range a.Column - 1 {
			_, n := utf8.DecodeRuneInString(line[from:])
			from += n
		}
		if from >= len(line) && line != "" {
			return fmt.Errorf("column %d is past the end of line %d of %s", a.Column, a.Line, q.short)
		}
	}
	switch {
	case a.Symbol == "" && a.Column == 0: // the whole line
		q.at, q.end = start, start+len(line)
		return nil
	case a.Symbol == "":
		q.at, q.end = start+from, start+from
		return nil
	}
	at := wordIn(line, a.Symbol, from)
	if at < 0 && a.Column > 0 { // the column may be inside of the name
		at = wordIn(line, a.Symbol, max(0, from-len(a.Symbol)+1))
	}
	if at < 0 {
		return fmt.Errorf("%q is not on line %d of %s, which is: %s\n`grep` finds where it is", escape.Clip(a.Symbol, maxLanguageName), a.Line, q.short, escape.Clip(line, maxLanguageLine))
	}
	q.at, q.end = start+at, start+at+len(a.Symbol)
	return nil
}

// wordIn is where a name is in a line from a byte on, as a whole word rather than as a part of one; -1 if it is not there.
func wordIn(line, name string, from int) int {
	first := -1
	for at := from; at <= len(line); {
		i := strings.Index(line[at:], name)
		if i < 0 {
			break
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(line[:i])
		after, _ := utf8.DecodeRuneInString(line[i+len(name):])
		if (i == 0 || !isWord(before)) && (i+len(name) == len(line) || !isWord(after)) {
			return i
		}
		if first < 0 {
			first = i
		}
		_, n := utf8.DecodeRuneInString(line[i:])
		at = i + n
	}
	return first
}

func (q *languageQuery) document() documentID { return documentID{q.servers.URI(q.target.Real)} }

func (q *languageQuery) position() lspPosition { return positionOf(q.text, q.at, q.servers.Encoding()) }

func (q *languageQuery) place() placeParams { return placeParams{q.document(), q.position()} }

// what is the place in words.
func (q *languageQuery) what() string {
	if q.args.Symbol == "" {
		return fmt.Sprintf("what is at %s:%d", q.short, q.args.Line)
	}
	return fmt.Sprintf("%q at %s:%d", escape.Clip(q.args.Symbol, maxLanguageName), q.short, q.args.Line)
}

// ask asks the servers of the query's file.
func (q *languageQuery) ask(ctx context.Context, method string, params any) (jsontext.Value, error) {
	return q.s.all.askLanguage(ctx, q.servers, method, q.short, params)
}

func (q *languageQuery) broken(method string, err error) error {
	return fmt.Errorf("the editor's answer to %s about %s cannot be read (%w); use `grep` instead", method, q.short, err)
}

// askLanguage asks, for a limited time, and says in an error what the model can do instead. about names the file.
func (h *Host) askLanguage(ctx context.Context, servers LanguageServers, method, about string, params any) (jsontext.Value, error) {
	limited, cancel := context.WithTimeout(ctx, h.languageLimit)
	defer cancel()
	raw, err := servers.Request(limited, method, params)
	var instead string
	switch {
	case err == nil:
		return raw, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		instead = fmt.Sprintf("the language server gave no answer to %s about %s within %v", method, about, h.languageLimit)
	case errors.Is(err, ErrNoServer):
		instead = fmt.Sprintf("no language server of the editor looks after %s", about)
	case errors.Is(err, ErrUnsupported):
		instead = fmt.Sprintf("the language servers of %s do not know %s, or the editor does not pass it on", about, method)
	default:
		instead = fmt.Sprintf("the language server answered %s about %s with an error: %s", method, about, escape.Clip(escape.Inline(err.Error()), maxLanguageError))
	}
	switch method {
	case methodRename, methodFormatting, methodCodeAction, methodResolve:
		return nil, errors.New(instead + "; nothing was changed. Use `grep` and `edit` instead")
	}
	return nil, errors.New(instead + "; use `grep` instead")
}

// hover is what the servers say of a name. It is text of the file where the name is defined, so that is read too.
func (s *Service) hover(ctx context.Context, q *languageQuery) (string, error) {
	raw, err := q.ask(ctx, methodHover, q.place())
	if err != nil {
		return "", err
	}
	said, err := hoverText(raw)
	if err != nil {
		return "", q.broken(methodHover, err)
	}
	if said == "" {
		return "The language server says nothing of " + q.what() + ".", nil
	}
	defined := newPlaces(s, q.servers)
	limited, cancel := context.WithTimeout(ctx, s.all.languageLimit)
	defer cancel()
	switch raw, err = q.servers.Request(limited, methodDefinition, q.place()); {
	case errors.Is(err, ErrUnsupported): // nobody tells where it would come from
	case err == nil:
		err = defined.locations(raw)
		fallthrough
	default:
		if err != nil {
			return "", fmt.Errorf("it cannot be told whose text hover shows (%s: %w); use `grep` instead", methodDefinition, err)
		}
	}
	for _, f := range defined.files {
		t, err := s.Gate.Reach(ctx, "hover", f.path)
		if err == nil && t.Real != q.target.Real {
			err = s.Gate.PermitRead(ctx, "hover", t)
		}
		if err != nil {
			return "", fmt.Errorf("what hover shows is in %s: %w", s.Gate.Short(f.path), err)
		}
	}
	return said, nil
}

// placesOf are the places that a method finds.
func (s *Service) placesOf(ctx context.Context, a tools.LanguageArgs, q *languageQuery, method, none string) (string, error) {
	var params any = q.place()
	if method == methodReferences {
		params = referenceParams{q.document(), q.position(), referenceContext{IncludeDeclaration: true}}
	}
	raw, err := q.ask(ctx, method, params)
	if err != nil {
		return "", err
	}
	found := newPlaces(s, q.servers)
	if err := found.locations(raw); err != nil {
		return "", q.broken(method, err)
	}
	return s.placesText(ctx, a, found, none)
}

// workspaceSymbols are the symbols of all files whose names match a query.
func (s *Service) workspaceSymbols(ctx context.Context, a tools.LanguageArgs) (string, error) {
	servers, err := s.languages(ctx, s.Cwd)
	if err != nil {
		return "", err
	}
	raw, err := s.all.askLanguage(ctx, servers, methodWorkspaceSymbol, "the workspace", symbolParams{a.Query})
	if err != nil {
		return "", err
	}
	found := newPlaces(s, servers)
	if err := found.symbols(raw); err != nil {
		return "", fmt.Errorf("the editor's answer to %s cannot be read (%w); use `grep` instead", methodWorkspaceSymbol, err)
	}
	return s.placesText(ctx, a, found, fmt.Sprintf("The language servers know no symbol like %q.", escape.Clip(a.Query, maxLanguageName)))
}

// isWord says whether a character can be part of a name.
func isWord(r rune) bool {
	return r == '_' || r == '$' || r >= utf8.RuneSelf || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// KnownLanguageMethod says whether a method is one that language servers are asked with.
func KnownLanguageMethod(method string) bool { return slices.Contains(LanguageMethods, method) }
