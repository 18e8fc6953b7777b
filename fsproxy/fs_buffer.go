package fsproxy

import (
	"context"
	"errors"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// changeBuffer edits an open buffer, and saves it if it held nothing unsaved.
func (f *FS) changeBuffer(ctx context.Context, op *operation, snap *Snapshot) (*WriteResult, error) {
	if f.editor == nil {
		return nil, &EditError{Path: op.at.Path, Outcome: Refused, Reason: "it offers no way to change what is open in it"}
	}
	if f.unshown.waits(op.at.Real, snap) {
		return nil, &EditError{Path: op.at.Path, Outcome: Refused, Reason: "it has not told its text since the change before this one, which it says it made; some editors tell it with the next key that is pressed there"}
	}
	st, err := f.stateOf(ctx, op.at)
	if err != nil {
		return nil, err
	}
	clean := st.clean
	t := &txn{f: f, path: op.at.Real, label: op.label, begin: op.begin, goal: func(cur *Snapshot) (string, error) { return op.goal(st, cur) }}
	p, outcome, err := t.run(ctx)
	op.partly = op.partly || t.partly
	var damage *damageError
	if errors.As(err, &damage) {
		return f.repair(ctx, op, damage)
	}
	now, open := f.overlay.Lookup(op.at.Real)
	if p == nil && err == nil {
		if !open {
			return nil, errAgain
		}
		return &WriteResult{Before: now, After: now, Outcome: outcome, Saved: !now.Dirty}, nil
	}
	if p != nil && !open && (err == nil || errors.Is(err, ErrUnknown)) {
		return f.afterClose(ctx, op, p, t.before, outcome, err)
	}
	if err != nil {
		return nil, err
	}
	r := &WriteResult{Before: t.before, After: now, Outcome: outcome}
	if clean {
		f.save(ctx, op.at, t.first, r)
	}
	if _, open := f.overlay.Lookup(op.at.Real); !open && !r.Saved {
		return f.afterClose(ctx, op, p, t.before, outcome, nil)
	}
	return r, nil
}

// goal is the text wanted in a buffer. What the disk has got under one that holds nothing unsaved comes into it as well.
func (op *operation) goal(st bufferState, cur *Snapshot) (string, error) {
	want, err := op.want(cur, st.disk)
	if err != nil || !st.moved {
		return want, err
	}
	both, conflicts := adapt(st.saved.String(), st.disk.Text.String(), want)
	if len(conflicts) == 0 {
		return both, nil
	}
	for i, c := range conflicts {
		conflicts[i].Ours, conflicts[i].Theirs = c.Theirs, c.Ours // ours is the writer's
	}
	return "", &EditError{Path: op.at.Path, Outcome: Conflict, Reason: "the file was changed on disk", Conflicts: conflicts}
}

// afterClose finds out whether an edit of a buffer that was closed before it was
// saved is on disk: the editor may have saved it, or, as kak-lsp does with what is
// not open, put it there itself.
func (f *FS) afterClose(ctx context.Context, op *operation, p *plan, before *Snapshot, o Outcome, cause error) (*WriteResult, error) {
	onDisk, err := f.files.Read(context.WithoutCancel(ctx), op.at)
	switch {
	case err == nil && p.is(onDisk.Text) && cause != nil:
		return &WriteResult{Before: before, After: onDisk, Outcome: Applied, Saved: true}, nil
	case err == nil && (p.holds(onDisk.Text) || cause == nil && !p.absent(onDisk.Text)):
		// It was in the buffer, and the user or a formatter may have gone on from it.
		if !p.is(onDisk.Text) {
			o = Merged
		}
		return &WriteResult{Before: before, After: onDisk, Outcome: o, Saved: true}, nil
	case cause != nil:
		return nil, cause
	default:
		return nil, errAgain // it went with the buffer
	}
}

// bufferState is how an open buffer and the disk stand to each other.
type bufferState struct {
	disk  *Snapshot // nil: no file
	clean bool      // the buffer holds nothing that is not on disk
	moved bool      // the disk changed under a clean buffer
	saved text.Text // with moved: what the two had in common last
}

// stateOf compares a buffer with the disk. It is errAgain if the buffer is closed.
func (f *FS) stateOf(ctx context.Context, at target) (st bufferState, err error) {
	for waited := false; ; waited = true {
		onDisk, unreadable := f.onDisk(ctx, at) // perhaps in an encoding only the editor knows; the buffer is text
		if err := ctx.Err(); err != nil {
			return st, err
		}
		snap, open := f.overlay.Lookup(at.Real)
		if !open {
			return st, errAgain
		}
		st = bufferState{disk: onDisk, clean: !snap.Dirty && unreadable == nil}
		st.saved, _ = f.overlay.savedText(at.Real)
		switch {
		case !st.clean:
		case onDisk == nil && st.saved.Len() > 0:
			st.clean = false // removed on disk: saving would bring it back, which nobody asked for
		case onDisk != nil && !SameText(st.saved, onDisk.Text):
			st.moved = true
		}
		if !st.moved || waited {
			return st, nil
		}
		// Perhaps it was the editor that saved, and its word of that is on the way.
		wait, cancel := context.WithTimeout(ctx, catchUpTime)
		_, err := f.overlay.Wait(wait, at.Real, func(s *Snapshot) bool { return s == nil || SameText(s.Text, onDisk.Text) })
		cancel()
		if err != nil && ctx.Err() != nil {
			return st, err
		}
	}
}

// repair puts right on disk what an editor did wrong in a buffer that was saved and
// closed before it could be put right there.
func (f *FS) repair(ctx context.Context, op *operation, d *damageError) (*WriteResult, error) {
	onDisk, err := f.files.Read(ctx, op.at)
	if err != nil {
		return nil, errors.Join(d.EditError, err)
	}
	now := onDisk.Text.String()
	text, gone := d.t.repaired(now, false)
	switch {
	case gone:
		return nil, errAgain // it went with the buffer
	case text == now && d.t.result() == nil:
		return &WriteResult{Before: d.t.before, After: onDisk, Outcome: Merged, Saved: true}, nil
	case text == now:
		return nil, d.t.result()
	}
	if op.begin != nil {
		if err := op.begin(onDisk, text); err != nil {
			return nil, errors.Join(d.EditError, err)
		}
	}
	after, err := f.files.Save(ctx, op.at, nil, disk.SaveRequest{Text: text, Expect: new(onDisk.Hash())})
	if err != nil {
		return nil, errors.Join(d.EditError, err)
	}
	r := &WriteResult{Before: onDisk, After: after, Outcome: Merged, Saved: true}
	f.savedOver(ctx, op.at, r)
	if err := d.t.result(); err != nil {
		return nil, err
	}
	return r, nil
}

// save has the editor save a buffer in which there is nothing but what was saved
// before and the change, which makes want of it.
func (f *FS) save(ctx context.Context, at target, want string, r *WriteResult) {
	if plain(r.After.Text.String()) != plain(want) {
		return // somebody is typing: what is unsaved now is theirs too
	}
	// The edit is made, so it is saved no matter who has lost interest.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer cancel()
	saved, err := f.saveBuffer(ctx, at)
	if err != nil && !errors.Is(err, ErrCannotSave) {
		r.Notes = append(r.Notes, "The editor did not save the file: "+err.Error())
	}
	r.Saved = saved
	if now, open := f.overlay.Lookup(at.Real); open {
		r.After = now
	} else if onDisk, err := f.files.Read(ctx, at); err == nil {
		r.After = onDisk
	}
}

// saveBuffer has the editor save the buffer at a path and looks whether it did.
func (f *FS) saveBuffer(ctx context.Context, at target) (bool, error) {
	was, open := f.overlay.Lookup(at.Real)
	if !open {
		return false, nil
	}
	saved, failed, err := f.editor.Save(ctx, []string{at.Real})
	if err == nil && len(saved) == 0 {
		err = errors.New(failed[at.Real])
		if failed[at.Real] == "" {
			err = errors.New("it gave no reason")
		}
	}
	onDisk, readErr := f.onDisk(ctx, at)
	switch {
	case err == nil && readErr != nil:
		return true, nil // only the editor can read what it wrote
	case readErr != nil || onDisk == nil:
		return false, err
	}
	if SameText(onDisk.Text, was.Text) {
		return true, nil // whatever it said
	}
	if err != nil {
		return false, err
	}
	// A formatter changed the text on its way to the disk; the buffer is about to
	// show the same.
	ctx, cancel := context.WithTimeout(ctx, showTime)
	defer cancel()
	_, err = f.overlay.Wait(ctx, at.Real, func(s *Snapshot) bool { return s == nil || SameText(s.Text, onDisk.Text) })
	if err != nil {
		return false, errors.New("it says it did, but the disk has another text")
	}
	f.overlay.onDisk(at.Real, onDisk)
	return true, nil
}
