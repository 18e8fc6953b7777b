package fsproxy

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// origin is what a writer may have started from.
type origin struct {
	belief  *served    // what it was served or wrote through us
	started []string   // what others know that it may have had
	saved   *text.Text // what an open buffer had in common with the disk last
	disk    *Snapshot  // as it was when the write came; nil if nothing was there, or the writer reads through us
}

// of gives the text that ours was made from in all likelihood, for a file that holds cur: what the writer read here, else
// the one of those that it may have had that is closest to what it writes. Its own text is none of them: an agent that
// puts it on disk before it asks for the write (opencode 1.18.33) has not started from that. Where nothing else is
// known, or the writer wants the very text that it read while cur is another, there is nothing to merge; to take cur for
// the result would tell the writer of a change that nobody made.
func (o origin) of(path, ours string, cur *Snapshot) (string, error) {
	if o.belief != nil && o.belief.read {
		if !cur.Open {
			return cur.Text.String(), nil // as it is what was read
		}
		if base := o.belief.text.String(); toLF(base) != toLF(ours) || SameText(cur.Text, text.New(ours)) {
			return base, nil
		}
		return "", unmergeable(path, ours, "the text is the one that was read, and it has been changed since", cur)
	}
	all := o.started
	if o.saved != nil {
		all = append(all[:len(all):len(all)], o.saved.String())
	}
	if o.disk != nil {
		all = append(all[:len(all):len(all)], o.disk.Text.String())
	}
	if o.belief != nil && cur.Open {
		all = append(all[:len(all):len(all)], o.belief.text.String())
	}
	best, least := "", -1
	for _, t := range all {
		if toLF(t) == toLF(ours) {
			continue
		}
		if d := diff.Distance(t, ours); least < 0 || d <= least {
			best, least = t, d
		}
	}
	switch {
	case least >= 0 || len(all) == 0:
		return best, nil
	case SameText(cur.Text, text.New(ours)):
		return ours, nil
	}
	return "", unmergeable(path, ours, "what the text was made from is not known: it is on disk already, and the editor has another", cur)
}

// unmergeable is a conflict of two whole texts.
func unmergeable(path, ours, why string, cur *Snapshot) error {
	e := &EditError{Path: path, Outcome: Conflict, Reason: why}
	now := cur.Text.String()
	from, to := strings.SplitAfter(now, "\n"), strings.SplitAfter(ours, "\n")
	for _, h := range diff.Lines(now, ours) {
		e.Conflicts = append(e.Conflicts, diff.Conflict{
			Start: h.OldStart, End: h.OldEnd, Theirs: strings.Join(from[h.OldStart:h.OldEnd], ""), Ours: strings.Join(to[h.NewStart:h.NewEnd], ""),
		})
	}
	return e
}
