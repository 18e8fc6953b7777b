package host

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// View is the tool of that name: a file as it is in the editor, or the names in a folder.
func (s *Service) View(ctx context.Context, a tools.ViewArgs) (string, error) {
	t, err := s.Gate.Reach(ctx, "view", a.Path)
	if err != nil {
		return "", err
	}
	if err := s.Gate.PermitSight(ctx, "view", t); missing(err) {
		return "", noSuchPath(a.Path)
	} else if err != nil {
		return "", err
	}
	if t.Info != nil && t.Info.IsDir() {
		return listFolder(t.Real, s.Gate.NewReading("view"))
	}
	snap, err := s.read(ctx, t)
	if err != nil {
		return "", err
	}
	return tools.ViewText(a.Path, snap.Text.String(), a.Range, a.Force)
}

// listFolder is a folder's names, one a line, as the agent's own tool shows them, without those of files that a rule forbids to
// read.
func listFolder(dir string, through *permission.Reading) (string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return "", err
	}
	defer f.Close()
	names, err := f.Readdirnames(maxFolderNames + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	slices.Sort(names)
	names = slices.DeleteFunc(names, func(name string) bool { return through.Verdict(filepath.Join(dir, name)) == policy.Deny })
	if len(names) > maxFolderNames {
		names = append(names[:maxFolderNames], "[more names; use grep or a deeper path]")
	}
	return strings.Join(names, "\n"), nil
}

// Edit is the tool of that name: one occurrence of a text is replaced. The user sees the whole change first, and that is
// what is made, beside what they have typed since.
func (s *Service) Edit(ctx context.Context, a tools.EditArgs, call Call) (string, error) {
	t, err := s.reachToWrite(ctx, "edit", a.Path)
	if err != nil {
		return "", err
	}
	// The outcome of an edit tells what is in the file, so it is a read as well. The question about the change is about both; one
	// about the read alone comes where the change cannot be made, or would not be asked about.
	read := s.Gate.NewReading("edit").MayNamed(t.Path)
	if !read {
		if err := s.Gate.Unreadable("edit", t); err != nil {
			return "", err
		}
		if !s.Gate.AsksToWrite("edit", t) {
			if err := s.Gate.PermitRead(ctx, "edit", t); err != nil {
				return "", err
			}
			read = true
		}
	}
	var text string
	err = permission.AsShown(func() (err error) { text, err = s.editAsShown(ctx, t, read, a, call); return err })
	return text, err
}

// reachToWrite is where a path leads that a tool is to write, unless nothing may be written there whatever the user says.
func (s *Service) reachToWrite(ctx context.Context, tool, path string) (target, error) {
	if err := s.Gate.RefuseChange(tool, policy.ToolEdit, path); err != nil {
		return target{}, err
	}
	t, err := s.Gate.Reach(ctx, tool, path)
	if err == nil {
		err = s.Gate.Unwritable(tool, t)
	}
	return t, err
}

// editAsShown asks about an edit, and makes what was shown. read says that the model may know what is in the file.
func (s *Service) editAsShown(ctx context.Context, t target, read bool, a tools.EditArgs, call Call) (string, error) {
	tell := func(why error) (string, error) {
		if !read {
			if no := s.Gate.PermitRead(ctx, "edit", t); no != nil {
				return "", no
			}
		}
		return "", why
	}
	made := s.all.madeTo(t)
	old, err := s.Gate.TextOf(ctx, t)
	if err != nil {
		return tell(err)
	}
	if old == nil {
		return tell(noSuchPath(a.Path))
	}
	p, err := s.all.FS.PreviewEdit(ctx, fsproxy.EditRequest{Reader: s.ID, Path: t.Path, Old: a.Old, New: a.New, Outside: t.Outside})
	if err != nil {
		return tell(editError(a.Path, *old, err))
	}
	*old = p.Before.Text.String()
	g := permission.ChangeGrant(t, made, old, p.After)
	part, err := s.Gate.PermitWrite(ctx, "edit", t, &g)
	if err != nil {
		return "", err
	}
	w := s.watchErrors(ctx, t.Real)
	if part != nil {
		r, err := s.writeChosen(ctx, t, part.Grant)
		if err != nil {
			return "", part.Stale(err)
		}
		changed(call, r)
		return tools.EditDone(a.Path) + " " + part.Note(a.Path) + w.newErrors(ctx, r), nil
	}
	r, err := s.edit(ctx, t, a.Old, a.New, g)
	var edit *fsproxy.EditError
	if errors.As(err, &edit) && edit.Unshown {
		return edit.Error(), nil // it did not fail, as far as anybody knows
	}
	if err != nil {
		return "", editError(a.Path, *old, err)
	}
	changed(call, r)
	return tools.EditDone(a.Path) + outcomeNote(r) + w.newErrors(ctx, r), nil
}

// editError words a failed edit as the model knows it.
func editError(path, text string, err error) error {
	var amb *fsproxy.AmbiguousError
	switch {
	case errors.Is(err, fsproxy.ErrNoMatch):
		return &failure{tools.NoMatch(path), "The text to change is not in the file; it reads again"}
	case errors.As(err, &amb):
		return &failure{tools.Ambiguous(path, amb.Old, amb.Lines), "The text to change is in the file more than once; it tries again"}
	}
	return err
}

// Create is the tool of that name: a new file.
func (s *Service) Create(ctx context.Context, a tools.CreateArgs, call Call) (string, error) {
	t, err := s.reachToWrite(ctx, "create", a.Path)
	if err != nil {
		return "", err
	}
	if err := s.Gate.Unreadable("create", t); err != nil { // the answer would tell whether there is such a file
		return "", err
	}
	var text string
	err = permission.AsShown(func() (err error) { text, err = s.createAsShown(ctx, t, a, call); return err })
	return text, err
}

// createAsShown asks about a new file, and makes it.
func (s *Service) createAsShown(ctx context.Context, t target, a tools.CreateArgs, call Call) (string, error) {
	g := permission.ChangeGrant(t, 0, nil, a.Text)
	open, err := s.Gate.IsOpen(ctx, t)
	if err != nil {
		return "", err
	}
	if t.Exists || open {
		if t.Outside {
			if _, err := s.Gate.PermitWrite(ctx, "create", t, &g); err != nil {
				return "", err
			}
		}
		if t.Info != nil && !t.Info.Mode().IsRegular() && !t.Info.IsDir() {
			return "", fsproxy.ErrNotRegular
		}
		return "", &failure{tools.AlreadyExists(a.Path, t.Info != nil && t.Info.IsDir()), "There is such a file already"}
	}
	part, err := s.Gate.PermitWrite(ctx, "create", t, &g)
	if err != nil {
		return "", err
	}
	w := s.watchErrors(ctx, t.Real)
	if part != nil { // a new file is one part, so it is a text of the user's
		r, err := s.writeChosen(ctx, t, part.Grant)
		if err != nil {
			return "", part.Stale(err)
		}
		changed(call, r)
		_, text := part.Grant.Texts()
		return tools.CreateDone(a.Path, text) + " " + part.Note(a.Path) + w.newErrors(ctx, r), nil
	}
	empty := ""
	r, err := s.write(ctx, t, a.Text, &empty, g)
	if err != nil {
		return "", err
	}
	changed(call, r)
	return tools.CreateDone(a.Path, a.Text) + w.newErrors(ctx, r), nil
}

// changed notes what a call did.
func changed(call Call, r *fsproxy.WriteResult) {
	call.Changed(permission.FileDiff{Path: r.After.Path, OldText: r.Before.Text.String(), NewText: r.After.Text.String(), Created: r.Created})
}

// outcomeNote tells the model when what is in the file now is not just its own edit.
func outcomeNote(r *fsproxy.WriteResult) string {
	if r.Outcome != fsproxy.Merged {
		return ""
	}
	return " The user changed the file at the same time; both changes are in it. Read it again before the next edit."
}
