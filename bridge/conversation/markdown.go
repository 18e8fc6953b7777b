package conversation

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Markdown writes updates as a document for people to read. What agents and files say cannot get out of its place: it
// passes the escape filter, and texts are fenced by more backquotes than they have in a row.
type Markdown struct {
	b         strings.Builder
	speaker   string
	titles    map[acp.ToolCallID]string
	locations map[acp.ToolCallID][]acp.ToolCallLocation
}

// String is the document so far.
func (m *Markdown) String() string { return m.b.String() }

// Take returns what was added since the last Take, for a file that grows.
func (m *Markdown) Take() string {
	out := m.b.String()
	m.b.Reset()
	return out
}

// Markdown is the conversation as a document, and the number of the newest update in it.
func (c *Conversation) Markdown() (string, uint64) {
	var t Markdown
	turn := "" // that has begun and not ended
	seq := c.each(func(e *item) {
		if e.prompt != nil {
			turn = e.turn
		}
		if e.end != nil && e.turn != turn {
			return // of a prompt that never ran
		}
		switch {
		case e.update != nil:
			t.Add(e.asMessage("", 0))
		case e.prompt != nil:
			t.Prompt(e.prompt)
		case e.note != nil:
			t.Note(e.note.Message)
		case e.end != nil:
			t.End(e.end.StopReason, e.end.Message, e.end.Files)
		}
	})
	return t.String(), seq
}

// Prompt adds what the user said.
func (m *Markdown) Prompt(blocks []acp.ContentBlock) {
	m.turnTo("You")
	for _, b := range blocks {
		m.b.WriteString(escape.Text(blockMarkdown(b)))
		m.b.WriteString("\n")
	}
}

// Add adds one update.
func (m *Markdown) Add(u *Message) {
	switch v := u.Update().(type) {
	case *acp.UserMessageChunk:
		m.turnTo("You")
		m.b.WriteString(escape.Text(blockMarkdown(v.Content)))
	case *acp.AgentMessageChunk:
		if _, notice := NoticeOf(v); notice {
			m.Note(blockMarkdown(v.Content))
			return
		}
		m.turnTo("Copilot")
		m.b.WriteString(escape.Text(blockMarkdown(v.Content)))
	case *acp.AgentThoughtChunk:
		m.turnTo("Thought")
		m.b.WriteString(escape.Text(blockMarkdown(v.Content)))
	case *acp.ToolCall, *acp.ToolCallUpdate:
		m.call(acp.CallOf(v))
	case *acp.Plan:
		m.turnTo("Plan")
		for _, e := range v.Entries {
			mark := " "
			if e.Status == acp.PlanEntryStatusCompleted {
				mark = "x"
			}
			fmt.Fprintf(&m.b, "- [%s] %s\n", mark, escape.Inline(e.Content))
		}
	}
}

// Note adds a line of the bridge's own.
func (m *Markdown) Note(text string) {
	m.turnTo("")
	fmt.Fprintf(&m.b, "> %s\n", escape.Inline(text))
}

// End adds how a turn ended, where that was not by its own, and which files it left changed.
func (m *Markdown) End(stop acp.StopReason, why string, files []FileCount) {
	switch {
	case why != "":
		m.Note("The turn ended: " + why)
	case stop == acp.StopReasonCancelled:
		m.Note("Cancelled.")
	case stop != acp.StopReasonEndTurn:
		m.Note("The turn ended: " + string(stop))
	}
	if len(files) == 0 {
		return
	}
	m.turnTo("files")
	m.b.WriteString("Changed:\n\n")
	for _, f := range files {
		fmt.Fprintf(&m.b, "- %s (+%d -%d)\n", fileLink(f.Path, 0, filepath.Base(f.Path)), f.Added, f.Removed)
	}
}

// turnTo begins a part of somebody else, if it is one.
func (m *Markdown) turnTo(speaker string) {
	if speaker != "" && speaker == m.speaker {
		return
	}
	m.speaker = speaker
	if m.b.Len() > 0 || m.titles != nil {
		m.b.WriteString("\n\n")
	}
	if m.titles == nil {
		m.titles, m.locations = map[acp.ToolCallID]string{}, map[acp.ToolCallID][]acp.ToolCallLocation{}
	}
	switch speaker {
	case "You", "Copilot":
		fmt.Fprintf(&m.b, "## %s\n\n", speaker)
	case "Thought", "Plan":
		fmt.Fprintf(&m.b, "### %s\n\n", speaker)
	}
}

// call adds what became of a tool call: its end, and what it changed.
func (m *Markdown) call(u *acp.ToolCallUpdate) {
	m.turnTo("tool")
	id := u.ToolCallID
	if u.Title != nil && *u.Title != "" {
		m.titles[id] = *u.Title
	}
	if len(u.Locations) > 0 {
		m.locations[id] = u.Locations
	}
	if !Ended(u.Status) {
		return
	}
	word := "done"
	if *u.Status == acp.ToolCallStatusFailed {
		word = "failed"
	}
	fmt.Fprintf(&m.b, "- `%s`: %s", strings.ReplaceAll(escape.Inline(m.titles[id]), "`", "'"), word)
	if why := FailureReason(m.titles[id], u); why != "" {
		m.b.WriteString(": " + escape.Inline(why))
	}
	if links := locationLinks(m.locations[id]); links != "" {
		m.b.WriteString(", " + links)
	}
	m.b.WriteString("\n")
	for _, c := range u.Content {
		if d, ok := c.(*acp.Diff); ok {
			m.b.WriteString("\n" + hunkLinks(d.Path, d.Old(), d.NewText) + "\n\n" + escape.Fenced("diff", diff.Unified(d.Path, d.Path, d.Old(), d.NewText, 3)) + "\n")
		}
	}
}

// PromptText is a prompt in words, with the URI of what it links.
func PromptText(blocks []acp.ContentBlock) string {
	var text []string
	for _, b := range blocks {
		switch b := b.(type) {
		case *acp.ResourceLink:
			text = append(text, b.URI)
		default:
			text = append(text, blockMarkdown(b))
		}
	}
	return strings.Join(text, "\n")
}

func blockMarkdown(b acp.ContentBlock) string {
	switch b := b.(type) {
	case *acp.TextContent:
		return b.Text
	case *acp.ResourceLink:
		return linkOrCode(b.URI)
	case *acp.ImageContent:
		return "(an image, " + b.MIMEType + ")" // never a link: nothing is fetched to read a transcript
	case *acp.EmbeddedResource:
		if r, ok := b.Resource.(*acp.TextResourceContents); ok {
			return linkOrCode(r.URI)
		}
	}
	return ""
}

// linkOrCode is a URI in Markdown: a link if it is that of a file.
func linkOrCode(uri string) string {
	if path, ok := LocalPath(uri); ok {
		return fileLink(path, 0, filepath.Base(path))
	}
	return "`" + strings.ReplaceAll(uri, "`", "%60") + "`"
}
