package fsproxytest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// Pending says which steps can be taken.
type Pending struct{ Requests, Answers, Late, Notes int }

// Pending counts the steps that can be taken.
func (e *Editor) Pending() Pending {
	e.mu.Lock()
	defer e.mu.Unlock()
	return Pending{len(e.requests), len(e.answers), len(e.late), len(e.notes)}
}

// Settle takes all steps there are.
func (e *Editor) Settle() {
	for e.Take() || e.Answer() || e.MakeLate() || e.Deliver() {
	}
}

// Take takes up the oldest request.
func (e *Editor) Take() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.requests) == 0 {
		return false
	}
	r := e.requests[0]
	e.requests = e.requests[1:]
	if r.apply == nil {
		e.takeSave(r)
	} else {
		r.reply, r.err = e.takeEdit(r.apply)
		e.Log = append(e.Log, fmt.Sprintf("%v takes %+v of version %d: %+v, %v", e.Kind, r.apply.Edits, r.apply.Version, r.reply, r.err))
	}
	e.answers = append(e.answers, r)
	return true
}

// Answer gives the oldest answer.
func (e *Editor) Answer() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.answers) == 0 {
		return false
	}
	close(e.answers[0].done)
	e.answers = e.answers[1:]
	e.Log = append(e.Log, "answer")
	return true
}

// MakeLate makes the oldest edit that was answered and not made.
func (e *Editor) MakeLate() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.late) == 0 {
		return false
	}
	f := e.late[0]
	e.late = e.late[1:]
	f()
	e.Log = append(e.Log, "late edit made")
	return true
}

// Deliver delivers the oldest notification; Neovim sends all changes up to the next
// other notification as one.
func (e *Editor) Deliver() bool {
	e.order.Lock()
	defer e.order.Unlock()
	e.mu.Lock()
	if len(e.notes) == 0 {
		e.mu.Unlock()
		return false
	}
	n := e.notes[0]
	e.notes = e.notes[1:]
	for e.Kind == Neovim && n.other == nil && len(e.notes) > 0 && e.notes[0].other == nil && e.notes[0].path == n.path {
		n.version = e.notes[0].version
		n.edits = append(n.edits, e.notes[0].edits...)
		e.notes = e.notes[1:]
	}
	e.Log = append(e.Log, fmt.Sprintf("deliver version %d", n.version))
	e.mu.Unlock()
	if n.other != nil {
		n.other()
	} else if err := e.Overlay.Change(n.path, n.version, n.edits); err != nil {
		panic("fsproxytest: the overlay does not follow: " + err.Error())
	}
	return true
}

// takeSave and what follows needs the lock.
func (e *Editor) takeSave(r *request) {
	for _, path := range r.save {
		if err := e.store(path); err != nil {
			if r.fail == nil {
				r.fail = make(map[string]string)
			}
			r.fail[path] = err.Error()
		} else {
			r.saved = append(r.saved, path)
		}
	}
}

func (e *Editor) takeEdit(req *fsproxy.ApplyRequest) (fsproxy.ApplyReply, error) {
	yes := fsproxy.ApplyReply{Applied: true}
	b := e.buffers[req.Path]
	if b == nil {
		// Real editors open the file and leave it dirty; which text they then edit is
		// theirs to say. Refusing is what a model can answer for.
		return fsproxy.ApplyReply{Reason: "not open"}, nil
	}
	stale := b.version != req.Version
	switch {
	case req.Version < b.first && (e.Kind == Kak || e.Kind == Zed):
		// Of a buffer that was closed since. Zed has no snapshot of it; that kak-lsp
		// would take long enough for this is not a case anybody has seen.
		return fsproxy.ApplyReply{}, errors.New("no such version")
	case e.Kind == Neovim && stale:
		return yes, nil
	case e.Kind == Kak:
		e.late = append(e.late, func() {
			if e.buffers[req.Path] == b {
				e.makeAnywhere(req)
			}
		})
		return yes, nil
	case e.Kind == Zed:
		e.carryOver(req, b)
		return yes, nil
	case e.Kind == Eglot && stale:
		return fsproxy.ApplyReply{}, errors.New("jsonrpc-error: edits on stale document")
	case e.Kind == Helix && stale:
		return fsproxy.ApplyReply{Reason: "document has been changed"}, nil
	case stale:
		return fsproxy.ApplyReply{}, nil
	case e.Kind == Helix && e.Stop && len(req.Edits) > 1:
		last := req.Edits[len(req.Edits)-1]
		e.change(req.Path, b, last.Start, last.End, last.New)
		return fsproxy.ApplyReply{Reason: "failed at change 1"}, nil
	}
	for i := len(req.Edits) - 1; i >= 0; i-- {
		x := req.Edits[i]
		if e.Kind == Neovim {
			x.New = strings.ReplaceAll(x.New, "\r\n", "\n")
			if x.Start == len(b.text) && strings.HasSuffix(b.text, "\n") && strings.HasSuffix(x.New, "\n") {
				x.New += "\n"
			}
		}
		e.change(req.Path, b, x.Start, x.End, x.New)
	}
	return yes, nil
}

// makeAnywhere makes the edits at their lines and columns.
func (e *Editor) makeAnywhere(req *fsproxy.ApplyRequest) {
	b := e.buffers[req.Path]
	for i := len(req.Edits) - 1; i >= 0; i-- {
		x := req.Edits[i]
		now := text.New(b.text)
		start, err1 := now.OffsetOf(req.Before.Text.PositionOf(x.Start, e.Enc), e.Enc)
		end, err2 := now.OffsetOf(req.Before.Text.PositionOf(x.End, e.Enc), e.Enc)
		if err1 == nil && err2 == nil && start <= end {
			e.change(req.Path, b, start, end, x.New)
		}
	}
}

// carryOver moves the edits through all changes since their version: text that was
// put at an edge of a range is not in it, text within is.
func (e *Editor) carryOver(req *fsproxy.ApplyRequest, b *buffer) {
	past := b.past
	for i := len(req.Edits) - 1; i >= 0; i-- {
		start, end := req.Edits[i].Start, req.Edits[i].End
		for _, p := range past {
			if p.version <= req.Version {
				continue
			}
			start, end = p.move(start, true), p.move(end, false)
			end = max(start, end)
		}
		e.change(req.Path, b, start, end, req.Edits[i].New)
	}
}

// move gives where an offset is after p; one where p put text goes behind it if
// after is set.
func (p edit) move(at int, after bool) int {
	switch {
	case at < p.start || at == p.start && !after:
		return at
	case at >= p.end:
		return at + len(p.new) - (p.end - p.start)
	default:
		return p.start
	}
}
