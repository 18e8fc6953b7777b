package calls

import (
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission/meaning"
)

// Added puts what our own tool changed, and the terminal of its command, into an update of its call. Copilot's last
// update of a call replaces the content that was sent before, so that goes into every update that brings content, and into
// the last one.
func (c *Call) Added(params jsontext.Value) jsontext.Value {
	update := acp.Member(params, "update")
	if why := c.why(); c.Done && why != "" {
		update = acp.SetWithin(update, []string{"_meta", "copilot-bridge"}, "message", acp.Quote(why))
	}
	if c.Use == nil || len(c.Use.content()) == 0 {
		return acp.SetMember(params, "update", update)
	}
	ours, err := acp.Marshal(&acp.ToolCallUpdate{Content: c.Use.content(), Locations: diffLocations(c.Use.Diffs)})
	if err != nil {
		return params
	}
	list := acp.Member(ours, "content")
	update = acp.SetMember(update, "content", acp.PutFirst(acp.Member(update, "content"), list[1:len(list)-1]))
	if l := acp.Member(update, "locations"); c.Done && len(c.Use.Diffs) > 0 && (len(l) == 0 || string(l) == "null") {
		update = acp.SetMember(update, "locations", acp.Member(ours, "locations"))
	}
	return acp.SetMember(params, "update", update)
}

// Adds says whether a call has something of ours to show in an update.
func (c *Call) Adds(said *acp.ToolCallUpdate) bool {
	u := c.Use
	return c.Done && c.why() != "" || u != nil && (len(u.Diffs) > 0 || u.EditorTerminal != "") && (c.Done || len(said.Content) > 0)
}

// why is why the call was not done, in words for the user, "" if it was or is not known.
func (c *Call) why() string {
	if c.Use != nil {
		return c.Use.No
	}
	return c.no
}

// Refused notes why a tool of the agent's own was not let through, in words for the user.
func (t *Table) Refused(id acp.ToolCallID, why string) {
	if c := t.byID[id]; c != nil {
		c.no = why
	}
}

// content is what the editor is shown of a call: why it was not done, what it changed, the terminal of its command.
func (u *Use) content() (out []acp.ToolCallContent) {
	if u.NoFirst && u.No != "" {
		out = append(out, &acp.Content{Content: &acp.TextContent{Text: u.No}})
	}
	out = append(out, diffContent(u.Diffs)...)
	if u.EditorTerminal != "" {
		out = append(out, &acp.Terminal{TerminalID: acp.TerminalID(u.EditorTerminal)})
	}
	return out
}

// diffLocations are where the first change of each file is.
func diffLocations(diffs []permission.FileDiff) (out []acp.ToolCallLocation) {
	for _, d := range diffs {
		line := uint32(1)
		for i := 0; i < len(d.NewText) && i < len(d.OldText) && d.NewText[i] == d.OldText[i]; i++ {
			if d.NewText[i] == '\n' {
				line++
			}
		}
		out = append(out, acp.ToolCallLocation{Path: d.Path, Line: &line})
	}
	return out
}

// Bound shortens the lists of a tool call to what is looked at.
func Bound(u acp.SessionUpdate) {
	switch u := u.(type) {
	case *acp.ToolCall:
		u.Locations, u.Content = meaning.First(u.Locations), meaning.First(u.Content)
	case *acp.ToolCallUpdate:
		u.Locations, u.Content = meaning.First(u.Locations), meaning.First(u.Content)
	}
}

// Followed are those of the paths of a call that an editor can follow: ACP v1 has absolute ones only.
func Followed(said *acp.ToolCallUpdate) []string {
	paths, _ := meaning.Files(said.Locations, said.Content)
	return slices.DeleteFunc(paths, func(p string) bool { return !filepath.IsAbs(p) })
}
