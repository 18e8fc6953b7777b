package review

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// Kind says what happens to a file as a whole.
type Kind string

// The kinds, with the names the editor sees.
const (
	KindEdit   Kind = "edit"
	KindCreate Kind = "create"
	KindDelete Kind = "delete"
	KindMove   Kind = "move"
)

// Change is one change of the agent to one file, before it is applied. A command's
// changes, found by comparing, are the same: Begin and Commit after the fact.
type Change struct {
	Session string `json:"session"`
	Turn    string `json:"turn"`
	Path    string `json:"path"` // absolute and canonical; where the file ends up
	Kind    Kind   `json:"kind"`
	From    string `json:"from,omitzero"` // move: where it comes from

	// Before and After are the whole texts, without BOM. A move has both, equal
	// where only the name changes; a create has no Before, a delete no After.
	Before       string `json:"before,omitzero"`
	After        string `json:"-"`
	BeforeExists bool   `json:"exists,omitzero"`

	// Saved says that Before is what is on disk: a buffer that is closed without being saved has that text again. Disk is the
	// text there to the byte, where an editor shows it otherwise: with other line ends, or with a last one that is not there.
	Saved bool   `json:"saved,omitzero"`
	Disk  string `json:"disk,omitzero"`

	Mode   fs.FileMode `json:"mode,omitzero"`   // of the file before, or of the new one
	BOM    bool        `json:"bom,omitzero"`    // likewise
	Remark bool        `json:"remark,omitzero"` // edit: the byte order mark came or went with it, which no text shows
	Remode bool        `json:"remode,omitzero"` // edit: its mode changed with it; Mode is the one before
	Dirs   []string    `json:"dirs,omitzero"`   // create: the folders that have to be made for it, outermost first

	// NoImage, if not empty, says why Before and After are not known ("binary,
	// 300 MB"): the change is listed and can only be kept.
	NoImage string `json:"noImage,omitzero"`
}

func (c *Change) check() error {
	switch {
	case c.Path == "" || c.Turn == "" || c.Session == "":
		return errors.New("review: a change needs a path, a session and a turn")
	case c.Kind != KindEdit && c.Kind != KindCreate && c.Kind != KindDelete && c.Kind != KindMove:
		return fmt.Errorf("review: no such kind of change: %q", c.Kind)
	case (c.Kind == KindMove) != (c.From != "") || c.From == c.Path:
		return errors.New("review: a move, and nothing else, has another path it comes from")
	}
	if c.Kind == KindCreate && c.BeforeExists {
		c.Kind = KindEdit
	}
	if c.NoImage == "" && max(len(c.Before), len(c.After)) > MaxImage {
		c.NoImage = fmt.Sprintf("the text is longer than %d MB", MaxImage>>20)
	}
	if c.NoImage != "" {
		c.Before, c.After, c.Disk = "", "", ""
	}
	return nil
}

// Pending is a change between its journal record and the end of its writing.
type Pending struct {
	b  *Book
	id uint64
}

// Begin records a change. It is on disk, with its before-image, when Begin
// returns; on an error nothing may be applied. Until Commit or Abort, a text that
// shows the change (TextChanged) is known for what it is.
func (b *Book) Begin(c Change) (*Pending, error) {
	defer b.changing()()
	b.makeRoom()
	if err := b.journal.Current(); err != nil {
		return nil, notOnRecord(c.Path, err)
	}
	id, err := b.begin(c, 0)
	if err == nil {
		err = b.safe(id)
	}
	if err != nil {
		return nil, err
	}
	return &Pending{b, id}, nil
}

// Record notes changes that are there already, such as those a command has made:
// Begin and Commit of each, with one wait for the disk. The error is the first
// one; the changes after it are recorded all the same.
func (b *Book) Record(cs []Change) error {
	defer b.changing()()
	b.makeRoom()
	first := b.journal.Current()
	for _, c := range cs {
		id, err := b.begin(c, 0)
		if err == nil {
			b.commit(b.st.flights[id], c.After)
		} else if first == nil {
			first = err
		}
	}
	b.journal.SaveNow()
	return first
}

// Rebase replaces the texts of a change that was not applied because the file had
// changed in between. It is on disk when Rebase returns, like Begin.
func (p *Pending) Rebase(before, after string) error {
	b := p.b
	defer b.changing()()
	err := b.journal.Current()
	fl := b.st.flights[p.id]
	if fl == nil {
		return errors.New("review: rebase of a change that has ended")
	}
	if fl.renamed {
		return fmt.Errorf("review: the file is %s now; nothing was changed", fl.path())
	}
	if err != nil {
		return notOnRecord(fl.c.Path, err)
	}
	c := fl.c
	c.Before, c.After, c.Saved, c.Disk = before, after, false, ""
	if c.Kind == KindCreate && before != "" {
		c.Kind, c.BeforeExists = KindEdit, true // somebody made the file meanwhile
	}
	if _, err = b.begin(c, p.id); err == nil {
		err = b.safe(p.id)
	}
	return err
}

// begin puts a change in flight; again is its number if it is already. The caller holds b.mu.
func (b *Book) begin(c Change, again uint64) (uint64, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	if fl := b.st.flights[again]; fl != nil && fl.landed {
		b.takeBack(fl, c.Before)
	}
	at := c.Path
	if c.Kind == KindMove {
		at = c.From
	}
	if f := b.st.files[at]; f != nil && c.NoImage == "" {
		b.bring(f, c.Before, c.Kind != KindCreate)
	}
	op := &beginOp{ID: again, Change: changeRec{Change: c}}
	if again == 0 {
		op.ID = b.st.NextFlight
	}
	if f := b.st.files[at]; f != nil && f.Exists && f.Text == c.Before && f.Opaque == nil {
		op.Change.Before, op.Change.Tracked = "", true
	}
	if c.Kind != KindDelete {
		was := lines.New(c.Before)
		op.Change.Blocks = was.BlocksTo(c.After)
	}
	r := record{Begin: op}
	err := b.journal.Stale()
	if err == nil {
		err = b.journal.Write(r)
	}
	if err != nil {
		return 0, notOnRecord(c.Path, err)
	}
	if err := b.st.step(r); err != nil {
		b.journal.Diverged()
		return 0, fmt.Errorf("review: %s: %w", c.Path, err)
	}
	return op.ID, nil
}

// safe returns when a change that was begun is on disk; if it cannot be, the
// change is ended. The caller holds b.mu, which is given back for the time: others
// may go on while the disk works.
func (b *Book) safe(id uint64) error {
	err := b.journal.Sync()
	if fl := b.st.flights[id]; err != nil && fl != nil {
		b.do(record{Close: &closeOp{ID: id}})
		err = notOnRecord(fl.c.Path, err)
	}
	return err
}

func notOnRecord(path string, err error) error {
	return fmt.Errorf("review: %s was not changed, because its text could not be put on record first: %w", path, err)
}

// Commit ends a change that was applied. actual is the text there is now, which
// may hold more than the change: what else differs is not the agent's.
func (p *Pending) Commit(actual string) {
	b := p.b
	defer b.changing()()
	if fl := b.st.flights[p.id]; fl != nil {
		b.commit(fl, actual)
	}
}

func (b *Book) commit(fl *flight, actual string) {
	if !fl.landed {
		b.land(fl)
	}
	f := b.st.files[fl.c.Path]
	b.do(record{Close: &closeOp{ID: fl.id}})
	if f != nil && f.Exists && fl.c.NoImage == "" && fl.c.Kind != KindDelete {
		b.userText(f, actual)
	}
}

// Abort ends a change that was not applied. Should the text have been exactly what
// the change makes of it, that is believed rather than the caller: the hunks stay.
func (p *Pending) Abort() {
	b := p.b
	defer b.changing()()
	fl := b.st.flights[p.id]
	if fl == nil {
		return
	}
	b.end(fl)
}

// Unknown ends a change of which nobody can say whether it was applied: an editor
// that did not answer may still do it. The next text of the file decides.
func (p *Pending) Unknown() {
	b := p.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if fl := b.st.flights[p.id]; fl != nil {
		fl.orphan = true
	}
}
