package clifront

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// unsent are the comments that wait for the session of a review, in the order in which they were made.
func (r Reviewing) unsent(ctx context.Context, b *bridge.Bridge) []review.Comment {
	return slices.DeleteFunc(b.Comments(ctx, ""), func(c review.Comment) bool { return r.Session != "" && c.Session != r.Session })
}

// commentsOn are the comments on a pending hunk.
func commentsOn(b *bridge.Bridge, h pendingHunk) []review.Comment {
	return slices.DeleteFunc(b.CommentsOn(h.path), func(c review.Comment) bool { return c.Hunk != h.ID })
}

// receiver is the session that comments are sent to: that of the review, else that of the hunk on the screen, else the first that a
// comment names. "" if none does.
func receiver(r Reviewing, h pendingHunk, unsent []review.Comment) string {
	to := cmp.Or(r.Session, h.Session)
	for _, c := range unsent {
		to = cmp.Or(to, c.Session)
	}
	return to
}

// comment lets the user write a comment on a hunk, or edit the one that was made last. One that is left empty is removed.
func (f *Front) comment(ctx context.Context, b *bridge.Bridge, held Held, h pendingHunk) error {
	var was review.Comment
	if on := commentsOn(b, h); len(on) > 0 {
		was = on[len(on)-1]
	}
	line := typedLine{text: was.Text, most: review.MaxCommentText / 4} // a character has four bytes at most
	for {
		f.mu.Lock()
		f.note(f.ink.dim("  Your comment; Enter saves it, Esc changes nothing:"))
		f.mu.Unlock()
		ok, err := f.readLine(ctx, held, &line)
		switch {
		case errors.Is(err, ErrRedraw):
			continue
		case err != nil || !ok:
			return err
		case line.text == "" && was.ID != "":
			f.uncomment(b, h)
			return nil
		case line.text == "" || line.text == was.Text:
			return nil
		case was.ID != "":
			_, err = b.EditComment(was.ID, line.text)
		default:
			_, err = b.Comment(ctx, review.Comment{Session: h.Session, Hunk: h.ID, Text: line.text})
		}
		if err != nil {
			f.became("saved", []review.Conflict{{Path: h.path, Reason: err.Error()}})
		}
		return nil
	}
}

// uncomment removes the comment on a hunk that was made last, if there is one.
func (f *Front) uncomment(b *bridge.Bridge, h pendingHunk) bool {
	on := commentsOn(b, h)
	if len(on) == 0 {
		return false
	}
	b.Uncomment(on[len(on)-1].ID)
	f.became("removed", nil)
	return true
}

// comments shows comments beside their hunks.
func (f *Front) comments(list []review.Comment) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, c := range list {
		f.note(f.ink.bold(fmt.Sprintf("comment %d of %d, %s line %d", i+1, len(list), f.short(c.Path), c.StartLine+1)))
		f.note("  " + escape.Inline(c.Text))
	}
}

// send sends comments and shows the turn. Only the end of ctx is an error.
func (f *Front) send(ctx context.Context, r Reviewing, session string) error {
	err := errors.New("the comments belong to no session; name one: copilot-bridge review SESSION")
	if session != "" {
		err = r.Send(ctx, session)
	}
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	what, hint := err.Error(), ""
	if told := (*bridge.Error)(nil); errors.As(err, &told) {
		what, hint = cmp.Or(told.Message, what), told.Hint
	}
	f.note(f.ink.red("not sent: " + escape.Text(what)))
	if hint != "" {
		f.note("hint: " + escape.Text(hint))
	}
	return nil
}
