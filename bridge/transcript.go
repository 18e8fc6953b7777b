package bridge

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Markdown writes updates as a document that a person reads. What agents and files say cannot get out of its place: it
// passes the escape filter, and texts are fenced by more backquotes than they have in a row.
type Markdown struct {
	b       strings.Builder
	speaker string
	titles  map[acp.ToolCallID]string
	places  map[acp.ToolCallID][]acp.ToolCallLocation
}

// String is the document so far.
func (m *Markdown) String() string { return m.b.String() }

// Take returns what was added since the last Take, for a file that grows.
func (m *Markdown) Take() string {
	out := m.b.String()
	m.b.Reset()
	return out
}

// Prompt adds what the person said.
func (m *Markdown) Prompt(blocks []acp.ContentBlock) {
	m.turnTo("You")
	for _, b := range blocks {
		m.b.WriteString(escape.Text(blockMarkdown(b)))
		m.b.WriteString("\n")
	}
}

// Add adds one update.
func (m *Markdown) Add(u *Update) {
	switch v := u.Update.(type) {
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
	case *acp.ToolCall:
		m.call(v.ToolCallID, v.Title, v.Status, v.Content, v.Locations)
	case *acp.ToolCallUpdate:
		title := ""
		if v.Title != nil {
			title = *v.Title
		}
		m.call(v.ToolCallID, title, v.Status, v.Content, v.Locations)
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
		m.titles, m.places = map[acp.ToolCallID]string{}, map[acp.ToolCallID][]acp.ToolCallLocation{}
	}
	switch speaker {
	case "You", "Copilot":
		fmt.Fprintf(&m.b, "## %s\n\n", speaker)
	case "Thought", "Plan":
		fmt.Fprintf(&m.b, "### %s\n\n", speaker)
	}
}

// call adds what became of a tool call: its end, and what it changed.
func (m *Markdown) call(id acp.ToolCallID, title string, status *acp.ToolCallStatus, content []acp.ToolCallContent, places []acp.ToolCallLocation) {
	if title == "" {
		title = m.titles[id]
	}
	m.turnTo("tool")
	m.titles[id] = title
	if len(places) > 0 {
		m.places[id] = places
	}
	done := status != nil && (*status == acp.ToolCallStatusCompleted || *status == acp.ToolCallStatusFailed)
	if !done {
		return
	}
	word := "done"
	if *status == acp.ToolCallStatusFailed {
		word = "failed"
	}
	fmt.Fprintf(&m.b, "- `%s`: %s", strings.ReplaceAll(escape.Inline(title), "`", "'"), word)
	if links := placeLinks(m.places[id]); links != "" {
		m.b.WriteString(", " + links)
	}
	m.b.WriteString("\n")
	for _, c := range content {
		if d, ok := c.(*acp.Diff); ok {
			old := ""
			if d.OldText != nil {
				old = *d.OldText
			}
			m.b.WriteString("\n" + hunkLinks(d.Path, old, d.NewText) + "\n\n" + Fenced("diff", diff.Unified(d.Path, d.Path, old, d.NewText, 3)) + "\n")
		}
	}
}

// promptText is a prompt in words.
func promptText(blocks []acp.ContentBlock) string {
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
	if path, ok := filePath(uri); ok {
		return fileLink(path, 0, filepath.Base(path))
	}
	return "`" + strings.ReplaceAll(uri, "`", "%60") + "`"
}

// Fenced is a code block that its text cannot end.
func Fenced(lang, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	text = escape.Text(text)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fence + lang + "\n" + text + fence + "\n"
}
