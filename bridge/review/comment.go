package review

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// Comment is what the user has to say of some lines and has not sent yet. It is in the journal, and moves with its lines.
type Comment struct {
	ID      string `json:"id"`
	Session string `json:"session,omitzero"` // the bridge's, "" for any
	Path    string `json:"path"`
	Hunk    string `json:"hunk,omitzero"` // the hunk that it was made on, which may have been decided about since

	// StartLine and EndLine bound it in the text as it is now, 0-based, half open. They are the same where its lines are gone, or
	// the hunk that it was made on took lines out and put none in.
	StartLine int    `json:"a"`
	EndLine   int    `json:"b"`
	Quoted    string `json:"quoted,omitzero"` // these lines, as they are now
	Text      string `json:"text"`
}

// The ways in which a comment is refused.
var (
	ErrNoHunk          = errors.New("the hunk is not pending any more")
	ErrNoComment       = errors.New("there is no such comment")
	ErrTooManyComments = fmt.Errorf("%d comments wait already; send or remove some", maxComments)
	ErrLongComment     = fmt.Errorf("a comment has 1 to %d bytes", MaxCommentText)
)

// commentOp: a comment is made, or one that is there is another.
type commentOp struct {
	New bool `json:"new,omitzero"`
	Comment
}

// uncommentOp: comments are gone.
type uncommentOp struct {
	IDs []string `json:"ids"`
}

func (st *state) comment(op *commentOp) {
	c := op.Comment
	st.talked[c.Path] = true
	if op.New {
		c.ID = st.newID()
		st.Comments = append(st.Comments, c)
		return
	}
	for i, was := range st.Comments {
		if was.ID == c.ID {
			st.talked[was.Path] = true
			st.Comments = slices.Clone(st.Comments)
			st.Comments[i] = c
		}
	}
}

func (st *state) uncomment(op *uncommentOp) {
	st.Comments = slices.DeleteFunc(slices.Clone(st.Comments), func(c Comment) bool {
		gone := slices.Contains(op.IDs, c.ID)
		st.talked[c.Path] = st.talked[c.Path] || gone
		return gone
	})
}

// takeComments takes over those of another journal.
func (st *state) takeComments(other *state) {
	for _, c := range other.Comments {
		if !slices.ContainsFunc(st.Comments, func(mine Comment) bool { return mine.ID == c.ID }) {
			st.Comments = append(st.Comments, c)
			st.talked[c.Path] = true
		}
	}
}

// Comment adds a comment on lines of the text of a file as it is now. Its id and its quoted text are those of the answer.
func (b *Book) Comment(c Comment, text string) (Comment, error) {
	defer b.changing()()
	switch {
	case len(b.st.Comments) >= maxComments:
		return c, ErrTooManyComments
	case strings.TrimSpace(c.Text) == "" || len(c.Text) > MaxCommentText:
		return c, ErrLongComment
	}
	b.bringComments(c.Path, text) // those that are there
	body := lines.New(text)
	c.StartLine = min(max(c.StartLine, 0), body.Lines())
	c.EndLine = min(max(c.EndLine, c.StartLine), body.Lines())
	c.Quoted = body.Slice(c.StartLine, c.EndLine)
	b.do(record{Comment: &commentOp{New: true, Comment: c}})
	return b.st.Comments[len(b.st.Comments)-1], nil
}

// EditComment gives a comment other words.
func (b *Book) EditComment(id, words string) (Comment, error) {
	defer b.changing()()
	c, ok := b.st.commentOf(id)
	switch {
	case !ok:
		return c, ErrNoComment
	case strings.TrimSpace(words) == "" || len(words) > MaxCommentText:
		return c, ErrLongComment
	}
	c.Text = words
	b.do(record{Comment: &commentOp{Comment: c}})
	return c, nil
}

func (st *state) commentOf(id string) (Comment, bool) {
	i := slices.IndexFunc(st.Comments, func(c Comment) bool { return c.ID == id })
	if i < 0 {
		return Comment{}, false
	}
	return st.Comments[i], true
}

// Uncomment takes comments away, and returns how many there were.
func (b *Book) Uncomment(ids ...string) (gone int) {
	defer b.changing()()
	var there []string
	for _, id := range ids {
		if _, ok := b.st.commentOf(id); ok {
			there = append(there, id)
		}
	}
	if there != nil {
		b.do(record{Uncomment: &uncommentOp{there}})
	}
	return len(there)
}

// Comments lists the comments of a file, all for "", in the order in which they were made. A hunk that is not pending is not named.
func (b *Book) Comments(path string) []Comment {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.commentsOn(path)
}

func (b *Book) commentsOn(path string) []Comment {
	out := []Comment{}
	for _, c := range b.st.Comments {
		if path != "" && c.Path != path {
			continue
		}
		if f := b.st.files[c.Path]; f == nil || !slices.ContainsFunc(f.list(Filter{}).Hunks, func(h Hunk) bool { return h.ID == c.Hunk }) {
			c.Hunk = ""
		}
		out = append(out, c)
	}
	return out
}

// HasComments says whether there are comments on a file.
func (b *Book) HasComments(path string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.st.Comments, func(c Comment) bool { return c.Path == path })
}

// SubscribeComments calls back after every change of the comments of a file, with all of them; as [Book.Subscribe] does.
func (b *Book) SubscribeComments(told func(path string, list []Comment)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.commentSubs = append(b.commentSubs, told)
}

// CommentsFollow has the comments on a file go with their lines into the text that it has now.
func (b *Book) CommentsFollow(path, text string) {
	defer b.changing()()
	b.bringComments(path, text)
}

// bringComments is CommentsFollow. The caller holds b.mu.
func (b *Book) bringComments(path, text string) {
	was := b.texts[path]
	if was != nil && was.Text == text {
		return
	}
	body := lines.New(text)
	var blocks []lines.Block
	if was != nil {
		blocks = was.BlocksTo(text)
	}
	for _, c := range b.commentsOn(path) {
		to := c
		if was != nil {
			to.StartLine, to.EndLine = moved(c.StartLine, c.EndLine, blocks)
		} else {
			to.StartLine, to.EndLine = found(&body, c)
		}
		if to.Quoted = body.Slice(to.StartLine, to.EndLine); to != c {
			to.Hunk = b.hunkOf(c.ID)
			b.do(record{Comment: &commentOp{Comment: to}})
		}
	}
	b.texts[path] = &body
}

// hunkOf is the hunk that a comment was made on, pending or not.
func (b *Book) hunkOf(id string) string {
	c, _ := b.st.commentOf(id)
	return c.Hunk
}

// moved is where lines [start, end) are after the blocks are true. What is put in above pushes them down, what replaces some of
// them is among them.
func moved(start, end int, blocks []lines.Block) (int, int) {
	lo, hi := start, end
	for _, k := range blocks {
		n := lines.Count(k.Text)
		switch {
		case k.End <= start: // above
			lo, hi = lo+k.Delta(), hi+k.Delta()
		case k.Start >= end: // below
		default:
			hi += n - (min(k.End, end) - max(k.Start, start)) // the new text is theirs
			if k.Start < start {
				lo, hi = lo-(start-k.Start), hi-(start-k.Start)
			}
		}
	}
	return lo, max(lo, hi)
}

// found is where the lines of a comment are in a text of which nobody saw how it came to be: where they were, else the nearest place
// that has them, else where they were as far as there are lines.
func found(body *lines.Body, c Comment) (start, end int) {
	n := c.EndLine - c.StartLine
	at := func(i int) bool { return i >= 0 && i+n <= body.Lines() && body.Slice(i, i+n) == c.Quoted }
	if n > 0 {
		for d := 0; d <= max(c.StartLine, body.Lines()); d++ {
			if at(c.StartLine - d) {
				return c.StartLine - d, c.EndLine - d
			}
			if at(c.StartLine + d) {
				return c.StartLine + d, c.EndLine + d
			}
		}
	}
	start = min(c.StartLine, body.Lines())
	return start, min(c.EndLine, body.Lines())
}
