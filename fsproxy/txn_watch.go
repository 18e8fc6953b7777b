package fsproxy

import (
	"errors"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// verdict is how one request of a transaction ended.
type verdict struct {
	kind  verdictKind
	exact bool // made: the buffer is as wanted, without anything else
	// again: merge want, made of base, with what is there
	base, want string
	spoilt     []diff.Conflict // again: the change itself is given up
	conflicts  []diff.Conflict // conflicting
	reason     string
}

type verdictKind uint8

const (
	made verdictKind = iota
	again
	closed // and not made
	refused
	unclear
	conflicting
)

func (k verdictKind) outcome() Outcome {
	switch k {
	case refused:
		return Refused
	case conflicting:
		return Conflict
	default:
		return Unknown
	}
}

// trace is what is known of a request under way.
type trace struct {
	p       *plan
	texts   []text.Text // the last of the buffer since the request, oldest first
	closed  bool
	answer  *answer
	verdict *verdict // once a text settled it
}

// watch waits until it can be told what became of p.
func (t *txn) watch(p *plan, changes *feed, reply <-chan answer) verdict {
	tr := &trace{p: p, texts: []text.Text{p.from.Text}}
	limit, slow := time.NewTimer(maxReply), time.NewTimer(slowReply)
	var settle timer
	defer func() { limit.Stop(); slow.Stop(); settle.stop() }()
	for {
		select {
		case <-changes.ready:
			for _, c := range changes.take() {
				tr.saw(c)
				if tr.verdict != nil {
					return *tr.verdict
				}
			}
			if tr.answer == nil || tr.answer.Applied || tr.untouched() && !tr.closed {
				continue
			}
			return t.judge(tr) // refused, and now it shows why
		case a := <-reply:
			tr.answer = &a
			if !a.Applied && (tr.closed || !tr.untouched()) {
				return t.judge(tr)
			}
			settle.start(settleTime)
		case <-settle.fired():
			return t.judge(tr)
		case <-slow.C:
			if tr.answer == nil {
				t.slow()
			}
		case <-t.f.life.Done():
			return verdict{kind: unclear, reason: "the connection is being closed"}
		case <-limit.C:
			if tr.answer == nil {
				return verdict{kind: unclear, reason: "it has not answered for " + maxReply.String()}
			}
		}
	}
}

func (tr *trace) last() text.Text { return tr.texts[len(tr.texts)-1] }

func (tr *trace) untouched() bool { return tr.p.untouched(tr.last()) }

// saw looks at each text that a change of the buffer went through.
func (tr *trace) saw(c Change) {
	if c.Closed {
		tr.closed = true
		return
	}
	if c.Before == nil {
		tr.closed, tr.texts = false, nil // opened again, perhaps because of the edit
	}
	steps := c.Steps
	if len(steps) == 0 {
		steps = []text.Text{c.After.Text}
	}
	for _, now := range steps {
		if len(tr.texts) > 0 && tr.last().Equal(now) {
			continue
		}
		if tr.p.holds(now) {
			if tr.verdict = tr.overwritten(now); tr.verdict == nil {
				// What comes after this is somebody else's.
				tr.verdict = &verdict{kind: made, exact: tr.p.is(c.After.Text)}
			}
			return
		}
		if v := tr.misplaced(now); v != nil {
			tr.verdict = v
			return
		}
		tr.texts = append(tr.texts, now)
		if n := len(tr.texts) - max(1, min(len(tr.p.edits), maxStepsLooked)); n > 1 {
			tr.texts = tr.texts[n-1:]
		}
	}
}

// overwritten recognises an edit that the editor carried over to a newer text, as
// Zed does, and that took with it what had been typed in the place. That is put
// back, and the edit given up.
func (tr *trace) overwritten(now text.Text) *verdict {
	if len(tr.texts) == 0 || tr.untouched() {
		return nil
	}
	from, there := tr.p.from.Text.String(), tr.last().String()
	_, conflicts := diff.Merge3(from, tr.p.want, there)
	if len(conflicts) == 0 {
		return nil
	}
	for _, e := range diff.Edits(from, there) {
		if strings.Count(now.String(), e.New) < strings.Count(there, e.New) {
			return &verdict{kind: again, base: now.String(), want: there, spoilt: conflicts}
		}
	}
	return nil
}

// misplaced recognises an edit that the editor made in a newer text than it was
// for, in one step or one for each hunk, and says how to put that right: with the
// edit merged into the text that was there, or without it if that cannot be.
func (tr *trace) misplaced(now text.Text) *verdict {
	for i := len(tr.texts) - 1; i >= 0; i-- {
		there := tr.texts[i]
		if !tr.p.misplaced(there, now) {
			continue
		}
		v := &verdict{kind: again, base: now.String(), want: there.String()}
		merged, conflicts := diff.Merge3(tr.p.from.Text.String(), tr.p.want, v.want)
		if len(conflicts) > 0 {
			v.spoilt = conflicts
		} else {
			v.want = merged
		}
		return v
	}
	return nil
}

// judge decides when no text has shown the edit and none is waited for.
func (t *txn) judge(tr *trace) verdict {
	p, a := tr.p, tr.answer
	reason := a.Reason
	if a.err != nil {
		reason = a.err.Error()
	}
	if tr.closed {
		if a.Applied {
			return verdict{kind: unclear, reason: "the file was closed in the editor meanwhile"}
		}
		return verdict{kind: closed}
	}
	now := tr.last()
	if p.untouched(now) {
		if a.Applied {
			return verdict{kind: unclear, reason: "it says so, but its text does not show it"}
		}
		return verdict{kind: refused, reason: reason}
	}
	if a.Applied && !p.absent(now) {
		return verdict{kind: unclear, reason: "somebody is writing in the same place"}
	}
	from := p.from.Text.String()
	_, conflicts := diff.Merge3(from, p.want, now.String())
	switch {
	case len(conflicts) > 0 && p.partly(now):
		return verdict{kind: unclear, reason: "part of it seems to be made"}
	case len(conflicts) > 0:
		return verdict{kind: conflicting, conflicts: conflicts}
	case t.rebases < maxRebases:
		return verdict{kind: again, base: from, want: p.want}
	case a.Applied || p.partly(now):
		return verdict{kind: unclear, reason: "the text kept changing under it"}
	default:
		return verdict{kind: refused, reason: errors.Join(errors.New("the text kept changing under it"), a.err).Error()}
	}
}
