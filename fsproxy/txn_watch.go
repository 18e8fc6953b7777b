package fsproxy

import (
	"errors"
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
	partly     bool // again, closed: some of the edit may be there already
	// again: base is what the editor made by mistake of there
	damaged   bool
	there     string
	life      *int            // again: of the document that base is the text of
	conflicts []diff.Conflict // conflicting
	reason    string
	unshown   bool // unclear: the editor says that it made the edit, and shows the text before it
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

func (k verdictKind) String() string {
	return [...]string{"made", "again", "closed", "refused", "unclear", "conflicting"}[k]
}

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

// watch waits until it can be told what became of p.
func (t *txn) watch(p *plan, changes *feed, reply <-chan answer) verdict {
	tr := &trace{p: p, texts: []text.Text{p.from.Text}}
	limit, slow := time.After(maxReply), time.After(slowReply)
	var settled <-chan time.Time // nil until the answer is there
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
			settled = time.After(showTime)
		case <-settled:
			return t.judge(tr)
		case <-slow:
			if tr.answer == nil { // the user seems to be thinking
				t.f.log.Warn().Str("path", t.path).Stringer("after", slowReply).Msg("the editor has not answered an edit")
			}
		case <-t.f.life.Done():
			return verdict{kind: unclear, reason: "the connection is being closed"}
		case <-limit:
			if tr.answer == nil {
				return verdict{kind: unclear, reason: "it has not answered for " + maxReply.String()}
			}
		}
	}
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
		return verdict{kind: closed, partly: tr.partly || p.partly(tr.last())}
	}
	now := tr.last()
	if t.damaged && !a.Applied { // the mistake is still to be put right
		return verdict{kind: again, base: p.from.Text.String(), want: p.want, life: p.life}
	}
	if p.untouched(now) {
		if a.Applied {
			return verdict{kind: unclear, unshown: true, reason: "it says so, but its text does not show it"}
		}
		return verdict{kind: refused, reason: reason}
	}
	if a.Applied && (!p.absent(now) || p.appears(now)) {
		return verdict{kind: unclear, reason: "somebody is writing in the same place"}
	}
	from := p.from.Text.String()
	_, conflicts := diff.Merge3(from, p.want, now.String())
	switch {
	case len(conflicts) > 0 && (tr.partly || p.partly(now)):
		return verdict{kind: unclear, reason: "part of it seems to be made"}
	case len(conflicts) > 0:
		return verdict{kind: conflicting, conflicts: conflicts}
	case t.rebases < maxRebases:
		return verdict{kind: again, base: from, want: p.want, partly: tr.partly || p.partly(now)}
	case a.Applied || tr.partly || p.partly(now):
		return verdict{kind: unclear, reason: "the text kept changing under it"}
	default:
		return verdict{kind: refused, reason: errors.Join(errors.New("the text kept changing under it"), a.err).Error()}
	}
}
