package meaning

import (
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// MaxFiles bounds the files that one tool call names: its locations, its changes, the paths in its input, those of a search. A
// question about more is refused, of anything else the first ones count. The length of each is [disk.MaxPath].
const MaxFiles = 1_000

// Files are the paths that a tool call names, as it spells them, each once. all is false where that is not all of them: there
// are more than are looked at, or one is too long to be one.
func Files(locations []acp.ToolCallLocation, content []acp.ToolCallContent) (out []string, all bool) {
	all = len(locations)+len(content) <= MaxFiles
	seen := map[string]bool{}
	add := func(p string) {
		switch {
		case len(p) > disk.MaxPath:
			all = false
		case !seen[p]:
			seen[p] = true
			out = append(out, p)
		}
	}
	for _, l := range First(locations) {
		add(l.Path)
	}
	for _, c := range First(content) {
		if d, ok := c.(*acp.Diff); ok {
			add(d.Path)
		}
	}
	return out, all
}

// First is as much of a tool call's list as is looked at.
func First[T any](list []T) []T { return list[:min(len(list), MaxFiles)] }

// Merge is a tool call as a question and the updates before it, nil for none, tell it. What the question says counts, but it
// cannot take back what the rules look at: places and changes add up.
func Merge(known, asked *acp.ToolCallUpdate) *acp.ToolCallUpdate {
	if known == nil {
		return asked
	}
	out := *asked
	if out.Kind == nil {
		out.Kind = known.Kind
	}
	if out.Title == nil {
		out.Title = known.Title
	}
	if len(out.RawInput) == 0 {
		out.RawInput = known.RawInput
	}
	out.Locations = slices.Concat(known.Locations, asked.Locations)
	paths, all := Files(nil, known.Content)
	if !all || !HasDiff(out.Content) { // what is too much together is too much
		out.Content = slices.Concat(known.Content, asked.Content)
		return &out
	}
	for _, path := range paths { // a file whose change it has shown before
		out.Locations = append(out.Locations, acp.ToolCallLocation{Path: path})
	}
	return &out
}

// Inputs is the input of a call as it came, with that of the call before its question where it was another.
func Inputs(asked, known *acp.ToolCallUpdate) string {
	input := string(asked.RawInput)
	if known != nil && len(known.RawInput) > 0 && string(known.RawInput) != input {
		if input != "" {
			input += ", and before "
		}
		input += string(known.RawInput)
	}
	return input
}

// HasDiff says whether a call shows the change of a file.
func HasDiff(content []acp.ToolCallContent) bool {
	return slices.ContainsFunc(content, func(c acp.ToolCallContent) bool { _, ok := c.(*acp.Diff); return ok })
}

// TakesAway says whether a call was announced as one that takes a file away or gives it another name.
func TakesAway(known *acp.ToolCallUpdate) bool {
	return known != nil && known.Kind != nil && (*known.Kind == acp.ToolKindDelete || *known.Kind == acp.ToolKindMove)
}

// ForeignKind says whether a kind is one that tools have of which the bridge knows nothing.
func ForeignKind(k acp.ToolKind) bool {
	switch k {
	case acp.ToolKindExecute, acp.ToolKindEdit, acp.ToolKindDelete, acp.ToolKindMove, acp.ToolKindRead, acp.ToolKindSearch:
		return false
	}
	return true
}

// Agrees says whether the input says the same of a change as a diff of the agent's.
func (in Input) Agrees(d *acp.Diff) bool {
	switch {
	case in.Text != nil && *in.Text != d.NewText:
		return false
	case in.Old == nil || in.New == nil || d.OldText == nil || *in.Old == *d.OldText && *in.New == d.NewText:
		return true
	case in.Every:
		return strings.ReplaceAll(*d.OldText, *in.Old, *in.New) == d.NewText
	}
	text, err := fsproxy.Replace(*d.OldText, *in.Old, *in.New)
	return err == nil && text == d.NewText
}
