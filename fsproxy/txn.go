package fsproxy

import (
	"context"
	"errors"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

// txn is an edit of an open buffer that counts only when the buffer shows it.
//
// It plans small edits from the buffer's text to the one wanted, has the
// before-image stored (begin), sends them with the buffer's version, one request
// at a time for the whole editor, and then believes nothing but the overlay: the
// edit is made when a text comes that holds it. An edit that met a newer text is
// merged with it and sent again; one that an editor made at stale places is
// recognised and put right; what cannot be merged, or cannot be told, ends the
// transaction with an error that claims nothing.
type txn struct {
	f     *FS
	path  string
	label string
	begin func(before *Snapshot, after string) error
	// goal gives the text wanted in place of cur. It is asked as long as nothing has
	// been sent.
	goal func(cur *Snapshot) (string, error)

	before  *Snapshot // as begin was told last
	rebases int
	repairs int
	saved   *string // what was on disk before the mistake, as far as we know
	life    *int    // of the buffer with the mistake
	damaged bool    // the editor made the edit in the wrong place, and that is not put right yet
	partly  bool    // some of the edit is in the buffer, or may be
	// base and want are the texts that the next plan merges with what is there then,
	// once something has been sent.
	base, want string
	without    string // with damaged: base without the mistake and without the edit
	first      string // the text wanted, had nobody come between
	// spoilt is the conflict to be reported once a misplaced edit is put right.
	spoilt []diff.Conflict
}

// errAgain: the buffer is not open any more, and nothing was changed in it.
var errAgain = errors.New("the file was closed in the editor while it was being edited")

// errHealed: what was to be put right is gone, and the edit with it.
var errHealed = errors.New("the text is as it was before the edit")

// run makes the edit. The plan it returns is the one that came true; nil if there
// was nothing to do in the first place.
func (t *txn) run(ctx context.Context) (*plan, Outcome, error) {
	for {
		p, feed, free, err := t.plan(ctx)
		switch {
		case errors.Is(err, errHealed):
			return nil, Refused, errAgain
		case errors.Is(err, errAgain) && t.damaged:
			return nil, Unknown, t.damage()
		case err != nil:
			return nil, Refused, err
		case len(p.edits) == 0 && t.rebases == 0:
			return nil, Applied, nil
		case len(p.edits) == 0:
			return p, Merged, t.result()
		}
		reply := t.send(p, free)
		v := t.watch(p, feed, reply)
		feed.stop()
		t.f.log.Debug().Str("path", t.path).Int32("version", p.from.Version).Int("edits", len(p.edits)).
			Stringer("verdict", v.kind).Bool("damaged", v.damaged).Str("reason", v.reason).Msg("edit of a buffer")
		switch v.kind {
		case made:
			if v.exact && plain(p.want) == plain(t.first) {
				return p, Applied, nil
			}
			return p, Merged, t.result()
		case again:
			t.rebases++
			t.partly = t.partly || v.partly
			if err := t.repair(p, v); err != nil {
				return p, Unknown, err
			}
		case closed:
			t.partly = t.partly || v.partly
			if t.damaged {
				return nil, Unknown, t.damage()
			}
			return p, Refused, errAgain
		default:
			e := t.failure(v.kind.outcome(), v.reason)
			e.Conflicts = v.conflicts
			if e.Unshown = v.unshown && e.Outcome == Unknown; e.Unshown {
				t.f.unshown.note(t.path, p.from)
			}
			return p, e.Outcome, e
		}
	}
}

// plan waits for its turn, decides what to send and has the before-image stored. A
// plan without edits means that the buffer is as wanted, and the turn is given back;
// else free does that.
func (t *txn) plan(ctx context.Context) (p *plan, changes *feed, free func(), err error) {
	if t.damaged {
		ctx = context.WithoutCancel(ctx) // what went wrong is put right, no matter who has lost interest
	}
	select {
	case t.f.slot <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, nil, ctx.Err()
	}
	free = func() { <-t.f.slot }
	fail := func(err error) (*plan, *feed, func(), error) {
		if changes != nil {
			changes.stop()
		}
		free()
		return nil, nil, nil, err
	}
	for n := 0; ; n++ {
		cur, open := t.f.overlay.Lookup(t.path)
		if !open {
			return fail(errAgain)
		}
		want, err := t.rebase(cur)
		if err != nil {
			return fail(err)
		}
		p = newPlan(cur, want)
		if len(p.edits) == 0 {
			free()
			return p, nil, nil, nil
		}
		if err := t.announce(ctx, p); err != nil {
			return fail(err)
		}
		var now *Snapshot
		now, changes = t.f.overlay.follow(t.path)
		p.life = changes.life
		if saved, ok := t.f.overlay.savedText(t.path); ok {
			s := saved.String()
			p.saved = &s
		}
		if now == cur || now != nil && n >= maxPlans {
			return p, changes, free, nil
		}
		changes.stop()
	}
}

// rebase is the text wanted in place of cur.
func (t *txn) rebase(cur *Snapshot) (string, error) {
	if t.rebases == 0 {
		want, err := t.goal(cur)
		t.first = want
		return want, err
	}
	if t.damaged {
		want, gone := t.repaired(cur.Text.String(), t.life == t.f.overlay.lifeOf(t.path))
		if gone {
			return "", errHealed
		}
		return want, nil
	}
	merged, conflicts := diff.Merge3(t.base, t.want, cur.Text.String())
	if len(conflicts) > 0 {
		return "", t.conflict(conflicts)
	}
	return merged, nil
}

func (t *txn) announce(ctx context.Context, p *plan) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.begin != nil && !t.damaged { // a mistake is no before-image
		if err := t.begin(p.from, p.want); err != nil {
			return fmt.Errorf("edit %s: nothing was changed: %w", t.path, err)
		}
	}
	if !t.damaged {
		t.before = p.from
	}
	return ctx.Err()
}

// answer is what came of an ApplyEdit.
type answer struct {
	ApplyReply
	err error
}

// send asks the editor. Once asked, an edit cannot be taken back, so the caller's
// context ends nothing here; the editor's time is limited instead.
func (t *txn) send(p *plan, free func()) <-chan answer {
	reply := make(chan answer, 1)
	f := t.f
	asked := f.start(func() {
		defer free()
		ctx, cancel := context.WithTimeout(f.life, maxReply)
		defer cancel()
		r, err := f.editor.ApplyEdit(ctx, ApplyRequest{
			Path: t.path, Version: p.from.Version, Before: p.from, Edits: p.edits, Label: t.label,
		})
		if errors.Is(err, ErrUnknown) {
			r.Applied = true // it may have been
		}
		if ctx.Err() == nil {
			reply <- answer{r, err}
		}
	})
	if !asked {
		free()
	}
	return reply
}

// failure is an error of the given kind.
func (t *txn) failure(o Outcome, reason string) *EditError {
	if o != Unknown && (t.damaged || t.partly) {
		o, reason = Unknown, "part of it seems to be made"
	}
	return &EditError{Path: t.path, Outcome: o, Reason: reason}
}

func (t *txn) conflict(cs []diff.Conflict) error {
	e := t.failure(Conflict, "")
	e.Conflicts = cs
	return e
}
