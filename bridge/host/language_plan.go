package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// editPlan is what the edit of a language server makes of all files, worked out before anything is touched and before anybody is
// asked. It belongs to the call of the tool that made it.
type editPlan struct {
	s       *Service
	tool    string
	servers LanguageServers
	files   []*planned
	room    int // bytes of text that may still be taken in
}

// planned is one file. What it is named in the edit changes with the edit's own renames.
type planned struct {
	target target
	made   int     // how often agents had changed it before its text was read
	before *string // nil: there is none
	after  *string // nil: there will be none
	to     *target // where it goes
	places int
}

// name is where the file is at this point of the edit.
func (f *planned) name() target {
	if f.to != nil {
		return *f.to
	}
	return f.target
}

// lspEdit is a TextEdit, an AnnotatedTextEdit or a SnippetTextEdit; the latter has no text.
type lspEdit struct {
	Range   *lspRange `json:"range"`
	NewText *string   `json:"newText"`
}

// lspChange is a TextDocumentEdit, or an operation on a file, which has a kind.
type lspChange struct {
	Kind     string `json:"kind"`
	URI      string `json:"uri"`
	OldURI   string `json:"oldUri"`
	NewURI   string `json:"newUri"`
	Document *struct {
		URI     string `json:"uri"`
		Version *int32 `json:"version"`
	} `json:"textDocument"`
	Edits   []lspEdit `json:"edits"`
	Options struct {
		Overwrite         bool `json:"overwrite"`
		IgnoreIfExists    bool `json:"ignoreIfExists"`
		IgnoreIfNotExists bool `json:"ignoreIfNotExists"`
	} `json:"options"`
}

// workspaceEdit is LSP's; the server says what it changes in one of the two ways, of which the first counts.
type workspaceEdit struct {
	DocumentChanges []lspChange    `json:"documentChanges"`
	Changes         jsontext.Value `json:"changes"`
}

func newEditPlan(s *Service, tool string, servers LanguageServers) *editPlan {
	return &editPlan{s: s, tool: tool, servers: servers, room: maxEditedText}
}

// take works a WorkspaceEdit out. Nothing of an edit that is not wholly understood is made.
func (p *editPlan) take(ctx context.Context, raw jsontext.Value) error {
	var e workspaceEdit
	if err := json.Unmarshal(raw, &e, jsontext.AllowInvalidUTF8(true)); err != nil {
		return fmt.Errorf("the language server's edit cannot be read (%w); nothing was changed. Use `grep` and `edit` instead", err)
	}
	if e.DocumentChanges == nil && len(e.Changes) > 0 {
		if err := p.eachOf(e.Changes, func(uri string, edits []lspEdit) error { return p.editText(ctx, uri, nil, edits) }); err != nil {
			return err
		}
	}
	for _, c := range e.DocumentChanges {
		var err error
		switch {
		case c.Kind == "" && c.Document != nil:
			err = p.editText(ctx, c.Document.URI, c.Document.Version, c.Edits)
		case c.Kind == "create":
			err = p.create(ctx, c)
		case c.Kind == "rename":
			err = p.rename(ctx, c)
		case c.Kind == "delete":
			err = p.remove(ctx, c)
		default:
			err = fmt.Errorf("the language server wants to do something with files that is not known (%q); nothing was changed", escape.Clip(c.Kind, maxLanguageName))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eachOf goes through the edits of each file in the order of the wire, so that a question shows them alike each time.
func (p *editPlan) eachOf(changes jsontext.Value, do func(uri string, edits []lspEdit) error) error {
	d := jsontext.NewDecoder(strings.NewReader(string(changes)), jsontext.AllowInvalidUTF8(true))
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		uri, err := d.ReadToken()
		if err != nil {
			return err
		}
		name := uri.String()
		var edits []lspEdit
		if err := json.UnmarshalDecode(d, &edits); err != nil {
			return fmt.Errorf("the language server's edit cannot be read (%w); nothing was changed", err)
		}
		if err := do(name, edits); err != nil {
			return err
		}
	}
	return nil
}

// fileAt is the file of a URI at this point of the edit.
func (p *editPlan) fileAt(ctx context.Context, uri string) (*planned, error) {
	path, err := p.servers.Path(uri)
	if err != nil {
		return nil, fmt.Errorf("the language server wants to change %s, which is no file; nothing was changed", escape.Clip(escape.Inline(uri), maxLanguageLine))
	}
	t, err := p.s.Gate.Reach(ctx, p.tool, path)
	if err != nil {
		return nil, err
	}
	for _, f := range slices.Backward(p.files) {
		if f.name().Real == t.Real {
			return f, nil
		}
	}
	// What comes of it is told in the answer, so it is a read as well.
	if err := p.s.Gate.Unwritable(p.tool, t); err != nil {
		return nil, fmt.Errorf("%s: %w", p.s.Gate.Short(t.Path), err)
	}
	if err := p.s.Gate.Unreadable(p.tool, t); err != nil {
		return nil, fmt.Errorf("%s: %w", p.s.Gate.Short(t.Path), err)
	}
	if t.Info != nil && t.Info.IsDir() {
		return nil, fmt.Errorf("the language server wants to change the folder %s as a whole; nothing was changed. Use the bash tool for that", p.s.Gate.Short(t.Path))
	}
	f := &planned{target: t, made: p.s.all.madeTo(t)}
	if f.before, err = p.s.Gate.TextOf(ctx, t); err != nil {
		return nil, fmt.Errorf("%w; nothing was changed", err)
	}
	f.after = f.before
	if f.before != nil {
		p.room -= len(*f.before)
	}
	if p.files = append(p.files, f); len(p.files) > maxPlanned || p.room < 0 {
		return nil, errors.New("the language server wants to change more than can be shown in one question; nothing was changed. Make it in parts")
	}
	return f, nil
}

// editText makes edits in the text of a file.
func (p *editPlan) editText(ctx context.Context, uri string, version *int32, edits []lspEdit) error {
	f, err := p.fileAt(ctx, uri)
	if err != nil {
		return err
	}
	short := p.s.Gate.Short(f.name().Path)
	if f.after == nil {
		return fmt.Errorf("the language server wants to change %s, which is not there; nothing was changed", short)
	}
	if snap, open := p.s.all.Overlay.Lookup(f.target.Real); open && version != nil && snap.Version != *version {
		return permission.ErrShownOtherwise // the server is behind, or ahead: it is asked again
	}
	after, err := applyEdits(text.New(*f.after), edits, p.servers.Encoding())
	if err != nil {
		return fmt.Errorf("the language server's edit does not fit %s (%w); nothing was changed. Use `edit` instead", short, err)
	}
	f.after, f.places = &after, f.places+len(edits)
	p.room -= len(after)
	return nil
}

func (p *editPlan) create(ctx context.Context, c lspChange) error {
	f, err := p.fileAt(ctx, c.URI)
	empty := ""
	switch {
	case err != nil:
		return err
	case f.after == nil:
		f.after = &empty
	case c.Options.Overwrite:
		f.after = &empty
	case !c.Options.IgnoreIfExists:
		return fmt.Errorf("the language server wants to create %s, which exists; nothing was changed", p.s.Gate.Short(f.name().Path))
	}
	return nil
}

func (p *editPlan) remove(ctx context.Context, c lspChange) error {
	f, err := p.fileAt(ctx, c.URI)
	switch {
	case err != nil:
		return err
	case f.after == nil && !c.Options.IgnoreIfNotExists:
		return fmt.Errorf("the language server wants to remove %s, which is not there; nothing was changed", p.s.Gate.Short(f.name().Path))
	}
	f.after = nil
	return nil
}

// rename gives a file another name. Where a file is in the way nothing is made: which of the two counts is not the server's to say.
func (p *editPlan) rename(ctx context.Context, c lspChange) error {
	from, err := p.fileAt(ctx, c.OldURI)
	if err != nil {
		return err
	}
	to, err := p.fileAt(ctx, c.NewURI)
	if err != nil {
		return err
	}
	switch short := p.s.Gate.Short; {
	case from == to:
		return nil
	case from.after == nil:
		return fmt.Errorf("the language server wants to rename %s, which is not there; nothing was changed", short(from.name().Path))
	case to.after != nil && c.Options.IgnoreIfExists && !c.Options.Overwrite:
		return nil
	case to.after != nil || to.before != nil:
		return fmt.Errorf("the language server wants to rename %s to %s, which exists; nothing was changed", short(from.name().Path), short(to.name().Path))
	}
	p.files = slices.DeleteFunc(p.files, func(f *planned) bool { return f == to })
	if from.before == nil { // it is new itself
		from.target, from.made = to.target, to.made
		return nil
	}
	t := to.target
	from.to = &t
	return nil
}

// applyEdits makes LSP's text edits, whose ranges are all in the text as it is. Edits at one place keep their order; those that
// overlap have no one meaning.
func applyEdits(t text.Text, edits []lspEdit, enc text.Encoding) (string, error) {
	type span struct {
		from, to int
		text     string
	}
	spans := make([]span, 0, len(edits))
	for _, e := range edits {
		if e.Range == nil || e.NewText == nil {
			return "", errors.New("it is no plain text edit")
		}
		from, err := t.OffsetOf(text.Position(e.Range.Start), enc)
		if err != nil {
			return "", err
		}
		to, err := t.OffsetOf(text.Position(e.Range.End), enc)
		if err != nil {
			return "", err
		}
		if to < from {
			return "", errors.New("a range ends before it begins")
		}
		spans = append(spans, span{from, to, *e.NewText})
	}
	slices.SortStableFunc(spans, func(a, b span) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return a.to - b.to // what is put in comes before what is replaced there
	})
	var b strings.Builder
	whole, at := t.String(), 0
	for _, e := range spans {
		if e.from < at {
			return "", errors.New("two of its edits overlap")
		}
		b.WriteString(whole[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.WriteString(whole[at:])
	return b.String(), nil
}
