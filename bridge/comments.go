package bridge

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/prompt"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/session"
)

// CommentsChanged gives the comments that wait on one file, all of them.
type CommentsChanged struct {
	Path     string
	Comments []review.Comment
}

func (*CommentsChanged) IsEvent() {}

// SendReview makes one prompt of the comments that wait for a session, and of those that wait for any; words come first. They are gone
// once the prompt is taken. CodeInvalidParams if none waits.
func (b *Bridge) SendReview(ctx context.Context, id, words string) (Turn, error) {
	b.sending.Lock() // no comment is sent twice
	defer b.sending.Unlock()
	s, err := b.Session(id)
	if err != nil {
		return Turn{}, err
	}
	var ids []string
	var remarks []prompt.Remark
	for _, c := range b.Comments(ctx, "") {
		if c.Session == "" || c.Session == id {
			ids = append(ids, c.ID)
			remarks = append(remarks, prompt.Remark{Path: c.Path, StartLine: c.StartLine + 1, EndLine: c.EndLine, Pending: c.Hunk != "", Quoted: c.Quoted, Text: c.Text})
		}
	}
	if ids == nil {
		return Turn{}, &Error{Code: session.CodeInvalidParams, Message: "no comment waits to be sent", Hint: "add one on a hunk or on any line"}
	}
	t, err := s.Prompt(Prompt{Blocks: []acp.ContentBlock{acp.Text(prompt.Review(s.Cwd, words, remarks))}})
	if err == nil {
		b.Uncomment(ids...)
	}
	return t, err
}
