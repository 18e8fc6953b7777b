package host

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// languageEdit asks a language server for an edit, shows the whole of it in one question, and makes what was shown.
func (s *Service) languageEdit(ctx context.Context, a tools.LanguageArgs, call Call) (string, error) {
	q, err := s.languageQuery(ctx, a)
	if err != nil {
		return "", err
	}
	p := newEditPlan(s, string(a.Tool), q.servers)
	title, note := "", ""
	switch a.Tool {
	case tools.Rename:
		title = fmt.Sprintf("Rename %s to %s", escape.Clip(q.text.Slice(q.at, q.end), maxLanguageName), escape.Clip(a.NewName, maxLanguageName))
		err = s.planRename(ctx, q, p)
	case tools.Format:
		title = "Format " + q.short
		err = s.planFormat(ctx, q, p)
	default:
		title = "Apply " + escape.Clip(a.Apply, maxLanguageLine)
		note, err = s.planAction(ctx, q, p)
	}
	if err != nil {
		return "", err
	}
	done, err := p.carryOut(ctx, title, call)
	if err != nil {
		return "", err
	}
	return done + note, nil
}

func (s *Service) planRename(ctx context.Context, q *languageQuery, p *editPlan) error {
	raw, err := q.ask(ctx, methodRename, renameParams{q.document(), q.position(), q.args.NewName})
	if err != nil {
		return err
	}
	if len(raw) == 0 || raw.Kind() == 'n' {
		return fmt.Errorf("the language server does not rename %s; nothing was changed. Use `grep` and `edit` instead", q.what())
	}
	return p.take(ctx, raw)
}

func (s *Service) planFormat(ctx context.Context, q *languageQuery, p *editPlan) error {
	raw, err := q.ask(ctx, methodFormatting, formattingParams{q.document(), formattingOptions{TabSize: 4, InsertSpaces: true}})
	if err != nil {
		return err
	}
	var edits []lspEdit
	if err := each(raw, func(e lspEdit) error { edits = append(edits, e); return nil }); err != nil {
		return q.broken(methodFormatting, err)
	}
	return p.editText(ctx, q.document().URI, nil, edits)
}

// planAction finds the action with the title that the model names. The note says what of it is not done.
func (s *Service) planAction(ctx context.Context, q *languageQuery, p *editPlan) (note string, err error) {
	all, err := q.actions(ctx)
	if err != nil {
		return "", err
	}
	var hit *codeAction
	for i := range all {
		if all[i].Title != q.args.Apply {
			continue
		}
		if hit != nil {
			return "", fmt.Errorf("two actions at %s:%d have the title %q, and which one is meant cannot be told; nothing was changed", q.short, q.args.Line, escape.Clip(q.args.Apply, maxLanguageName))
		}
		hit = &all[i]
	}
	switch {
	case hit == nil:
		return "", fmt.Errorf("there is no action %q at %s:%d; nothing was changed. Without apply the tool lists those that there are", escape.Clip(q.args.Apply, maxLanguageName), q.short, q.args.Line)
	case hit.Disabled != nil:
		return "", fmt.Errorf("the action is not possible here: %s; nothing was changed", escape.Clip(escape.Inline(hit.Disabled.Reason), maxLanguageError))
	case len(hit.Edit) == 0 && len(hit.Data) > 0:
		raw, err := q.ask(ctx, methodResolve, hit.raw)
		if err != nil {
			return "", err
		}
		if err := json.Unmarshal(raw, hit, jsontext.AllowInvalidUTF8(true)); err != nil {
			return "", q.broken(methodResolve, err)
		}
	}
	switch {
	case len(hit.Edit) == 0 || hit.Edit.Kind() == 'n':
		return "", errors.New("the action runs a command of the language server instead of an edit, and what that does cannot be shown before it is done; nothing was changed. Make the change with `edit`")
	case hit.runs():
		note = " The action also has a command of the language server, which was not run."
	}
	return note, p.take(ctx, hit.Edit)
}

// actions are the code actions at a place.
func (q *languageQuery) actions(ctx context.Context) (all []codeAction, err error) {
	enc := q.servers.Encoding()
	r := lspRange{positionOf(q.text, q.at, enc), positionOf(q.text, q.end, enc)}
	raw, err := q.ask(ctx, methodCodeAction, codeActionParams{q.document(), r, codeActionContext{[]jsontext.Value{}, 1}})
	if err != nil {
		return nil, err
	}
	err = each(raw, func(v jsontext.Value) error {
		a := codeAction{raw: v.Clone()}
		all = append(all, a)
		return json.Unmarshal(v, &all[len(all)-1], jsontext.AllowInvalidUTF8(true))
	})
	if err != nil {
		return nil, q.broken(methodCodeAction, err)
	}
	return all, nil
}

// runs says that the action is, or has, a command.
func (a *codeAction) runs() bool { return len(a.Command) > 0 && a.Command.Kind() != 'n' }

// listActions is the answer that lists the actions at a place.
func (s *Service) listActions(ctx context.Context, q *languageQuery) (string, error) {
	all, err := q.actions(ctx)
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return fmt.Sprintf("The language server offers no code actions at %s:%d.", q.short, q.args.Line), nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Code actions at %s:%d; name one in apply:\n", q.short, q.args.Line)
	for i, a := range all {
		if i == maxActions {
			fmt.Fprintf(&b, "… and %d more\n", len(all)-i)
			break
		}
		b.WriteString(a.Title)
		if a.Kind != "" {
			b.WriteString(" [" + escape.Inline(a.Kind) + "]")
		}
		switch {
		case a.Disabled != nil:
			b.WriteString(" (not possible: " + escape.Clip(escape.Inline(a.Disabled.Reason), maxLanguageError) + ")")
		case len(a.Edit) == 0 && a.runs() && len(a.Data) == 0:
			b.WriteString(" (runs a command, which is not done from here)")
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// listed is what is put to the user: each file from the text that is there to the one that is to be.
func (p *editPlan) listed() (list []permission.FileChange) {
	for _, f := range p.files {
		c := permission.FileChange{Target: f.target, Made: f.made, Old: f.before, New: f.after}
		_, open := p.s.all.Overlay.Lookup(f.target.Real)
		switch {
		case f.before == nil && f.after == nil:
		case f.to == nil || f.after == nil:
			if f.before == nil || f.after == nil || *f.after != *f.before {
				list = append(list, c)
			}
		case open: // its buffer keeps its name, so one file goes and another one comes
			list = append(list, permission.FileChange{Target: *f.to, Made: p.s.all.madeTo(*f.to), New: f.after})
			c.New = nil
			list = append(list, c)
		default:
			c.New, c.To = f.before, f.to
			list = append(list, c)
			if *f.after != *f.before {
				list = append(list, permission.FileChange{Target: *f.to, Made: p.s.all.madeTo(*f.to) + 1, Old: f.before, New: f.after})
			}
		}
	}
	return list
}

// carryOut asks about the plan and makes it: first it is looked at once more whether all of it still is what was shown, then the
// files are changed one after the other. One that cannot be changed after all is named, with those that were.
func (p *editPlan) carryOut(ctx context.Context, title string, call Call) (string, error) {
	list := p.listed()
	if len(list) == 0 {
		return "No changes: the language server has nothing to change.", nil
	}
	s := p.s
	if len(list) > 1 {
		title = fmt.Sprintf("%s in %s", title, files(len(p.names(list))))
	}
	if err := s.Gate.PermitChanges(ctx, p.tool, escape.Inline(title), list); err != nil {
		return "", err
	}
	if err := p.still(ctx, list); err != nil {
		return "", err
	}
	var done []string
	for i, c := range list {
		var err error
		var diff permission.FileDiff
		switch before, after := c.Grant.Texts(); {
		case c.To != nil:
			diff = permission.FileDiff{Path: c.To.Real, OldText: before, NewText: after}
			err = s.moveFile(ctx, c)
		case c.Grant.Removes():
			diff = permission.FileDiff{Path: c.Target.Real, OldText: before}
			err = s.removeFile(ctx, c)
		default:
			r, werr := s.writeChosen(ctx, c.Target, c.Grant)
			if err = werr; err == nil {
				changed(call, r)
			}
		}
		if err != nil {
			return "", p.unfinished(done, list[i:], err)
		}
		if diff.Path != "" {
			call.Changed(diff)
		}
		done = append(done, s.Gate.Short(c.Target.Path))
	}
	return fmt.Sprintf("%s: done in %s: %s.", title, files(len(p.names(list))), p.list(p.names(list))), nil
}

// still says with [permission.ErrShownOtherwise] that a file is not any more what it was when it was asked about. What the user
// has typed beside the change stays.
func (p *editPlan) still(ctx context.Context, list []permission.FileChange) error {
	moved := map[string]bool{}
	for _, c := range list {
		if moved[c.Target.Real] {
			continue // it is not there yet
		}
		now, err := p.s.all.FS.Read(ctx, "", c.Target.Path, fsproxy.WithOutside())
		if missing(err) {
			now, err = nil, nil
		}
		if err != nil {
			return err
		}
		if err := c.Grant.Fits(now, p.s.all.madeTo(c.Target)); err != nil {
			return err
		}
		if c.To != nil {
			moved[c.To.Real] = true
		}
	}
	return nil
}

// names are the files of a change, each once.
func (p *editPlan) names(list []permission.FileChange) (names []string) {
	seen := map[string]bool{}
	for _, c := range list {
		t := c.Target
		if c.To != nil {
			t = *c.To
		}
		if !seen[t.Real] {
			seen[t.Real] = true
			names = append(names, p.s.Gate.Short(t.Path))
		}
	}
	return names
}

// list is names in one line, the first ones of many.
func (p *editPlan) list(names []string) string {
	if len(names) > maxNamedFiles {
		return strings.Join(names[:maxNamedFiles], ", ") + fmt.Sprintf(" and %d more", len(names)-maxNamedFiles)
	}
	return strings.Join(names, ", ")
}

// unfinished is what the model reads when one of the files could not be changed.
func (p *editPlan) unfinished(done []string, rest []permission.FileChange, err error) error {
	if len(done) == 0 {
		return err
	}
	return fmt.Errorf("only a part of it was made: %s changed, %s did not (%w). Read those files again, and finish it with `edit` or tell the user, who can undo it",
		p.list(done), p.list(p.names(rest)), unshown(err))
}

// unshown keeps a change that was made in part from being asked about once more as if nothing had been.
func unshown(err error) error {
	if errors.Is(err, permission.ErrShownOtherwise) {
		return errors.New("it has changed since it was asked about")
	}
	return err
}
