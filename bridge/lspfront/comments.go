package lspfront

import (
	"errors"
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// wireComment is a comment that waits to be sent: whole lines, the range in the text as it is now.
type wireComment struct {
	ID        string    `json:"id"`
	SessionID string    `json:"sessionId,omitzero"`
	URI       string    `json:"uri"`
	Range     wireRange `json:"range"`
	Hunk      string    `json:"hunk,omitzero"` // a pending hunk that it was made on
	Quoted    string    `json:"quoted"`        // these lines, as they are now
	Text      string    `json:"text"`
}

// commentsChanged is all comments that wait on a file.
//
//wire:tell comments/didChange
type commentsChanged struct {
	URI      string        `json:"uri"`
	Comments []wireComment `json:"comments"`
}

func (s *server) comment(c review.Comment) wireComment {
	now, open := s.Text(c.Path)
	if open == nil && now.Len() == 0 {
		now = text.New("")
	}
	return wireComment{c.ID, c.Session, s.URI(c.Path), s.linesRange(now, c), c.Hunk, c.Quoted, c.Text}
}

// linesRange is where the lines of a comment are. Of a file whose text is not at hand it is from start to start of a line.
func (s *server) linesRange(now text.Text, c review.Comment) wireRange {
	if now.Len() == 0 {
		return wireRange{wirePosition{Line: uint32(c.StartLine)}, wirePosition{Line: uint32(c.EndLine)}}
	}
	return s.hunkRange(now, review.Hunk{StartLine: c.StartLine, EndLine: c.EndLine})
}

func (s *server) comments(list []review.Comment) []wireComment {
	out := []wireComment{}
	for _, c := range list {
		out = append(out, s.comment(c))
	}
	return out
}

type addCommentParams struct {
	SessionID string     `json:"sessionId,omitzero"`
	URI       string     `json:"uri,omitzero"`
	Range     *wireRange `json:"range,omitzero"`
	Hunk      string     `json:"hunk,omitzero"`
	Text      string     `json:"text"`
}

type commentResult struct {
	Comment wireComment `json:"comment"`
}

// addComment adds a comment on a pending hunk or on lines. A command that names neither means where the user is.
func addComment(q *asked, p addCommentParams) (out commentResult, err error) {
	c := review.Comment{Session: p.SessionID, Hunk: p.Hunk, Text: p.Text}
	at := q.s.user.at()
	switch {
	case p.Hunk != "":
	case p.URI != "":
		if c.Path, err = q.s.path(p.URI); err != nil {
			return out, err
		}
	case q.command && at.path != "":
		c.Path = at.path
		if p.Range == nil {
			p.Range = &at.where
		}
	default:
		return out, invalid("say what the comment is on: uri and range, or hunk")
	}
	if p.Hunk == "" && p.Range == nil {
		return out, invalid("say which lines the comment is on: range")
	}
	if p.Range != nil {
		at := p.Range.lines()
		c.StartLine, c.EndLine = at.Start, at.End
	}
	if c, err = q.s.refusable(q.b.Comment(q.ctx, c)); err != nil {
		return out, err
	}
	out.Comment = q.s.comment(c)
	q.answer = out
	return out, nil
}

// refusable gives what is wrong with a comment the code of wrong params.
func (s *server) refusable(c review.Comment, err error) (review.Comment, error) {
	switch {
	case errors.Is(err, review.ErrNoHunk), errors.Is(err, review.ErrNoComment), errors.Is(err, review.ErrLongComment), errors.Is(err, review.ErrTooManyComments):
		return c, invalid(err.Error())
	case err != nil:
		return c, invalid("the lines cannot be read: " + err.Error())
	}
	return c, nil
}

type listCommentsParams struct {
	URI string `json:"uri,omitzero"`
}

type listCommentsResult struct {
	Comments []wireComment `json:"comments"`
}

// listComments lists what waits. A command shows it to the user too, who can take one out or send them.
func listComments(q *asked, p listCommentsParams) (out listCommentsResult, err error) {
	path := ""
	if p.URI != "" {
		if path, err = q.s.path(p.URI); err != nil {
			return out, err
		}
	}
	list := q.b.Comments(q.ctx, path)
	out.Comments = q.s.comments(list)
	q.answer = out
	if q.command && len(list) == 0 {
		q.s.message(protocol.MessageTypeInfo, "Copilot: no comment is waiting")
	}
	return out, nil
}

type editCommentParams struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

func editComment(q *asked, p editCommentParams) (out commentResult, err error) {
	c, err := q.s.refusable(q.b.EditComment(p.ID, p.Text))
	if err != nil {
		return out, err
	}
	out.Comment = q.s.comment(c)
	q.answer = out
	return out, nil
}

type commentID struct {
	ID string `json:"id"`
}

func removeComment(q *asked, p commentID) (none, error) {
	if q.b.Uncomment(p.ID) == 0 && !q.command { // a command is as good twice
		return none{}, invalid(review.ErrNoComment.Error())
	}
	return none{}, nil
}

type sendReviewParams struct {
	SessionID string `json:"sessionId,omitzero"`
	Text      string `json:"text,omitzero"` // comes before the comments
}

type sendReviewResult struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId"`
	Queued    int    `json:"queued"`
}

// sendReview makes one prompt of the comments; in the session used last, or a new one, where none is named.
func sendReview(q *asked, p sendReviewParams) (out sendReviewResult, err error) {
	if p.SessionID == "" {
		path := ""
		if list := q.b.CommentsOn(""); len(list) > 0 {
			path = list[0].Path
		}
		if p.SessionID, err = q.s.sessionFor(q.b, path); err != nil {
			return out, err
		}
	}
	t, err := q.b.SendReview(q.ctx, p.SessionID, p.Text)
	if err != nil {
		return out, err
	}
	out = sendReviewResult{p.SessionID, t.ID, t.Queued}
	q.answer = out
	return out, nil
}

// comments are the actions on the comments that wait where the request is.
func (a *actionPlace) comments() (out []protocol.CodeAction) {
	b, err := a.s.Bridge()
	if err != nil || a.s.Rich(plain.Review) {
		return nil
	}
	now, _ := a.s.Text(a.path)
	for _, c := range b.CommentsOn(a.path) {
		if !a.touches(c.StartLine, c.EndLine) {
			continue
		}
		diags := []protocol.Diagnostic{a.s.plain.CommentDiagnostic(now, c)}
		remove := a.s.action("removeComment", a.s.title("removeComment")+": "+escape.Clip(escape.Inline(c.Text), plain.MaxTitle), commentID{c.ID})
		remove.Diagnostics = diags
		send := a.s.action("sendReview", fmt.Sprintf("%s (%d)", a.s.title("sendReview"), len(b.CommentsOn(""))), sendReviewParams{})
		send.Diagnostics = diags
		out = append(out, send, remove)
	}
	return out
}
