package bridge

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// asked is a question of the agent's own about one of its tools, as it is judged and shown.
type asked struct {
	request policy.Request
	shown   Question
	targets []target // the files that it names
	covers  []grant  // what a yes to it is good for
}

// agentQuestion is what the agent asks about, as far as it can be told. The rules see what it is from the input (a
// command, a path), not from the kind or the title the agent gives it: Copilot calls a create outside its folders a
// read. What was said of the tool call before, known, belongs to it; some agents say nothing in the question itself. An input
// with a command makes it a command, whatever else it says.
func (s *Session) agentQuestion(ctx context.Context, call, known *acp.ToolCallUpdate) *asked {
	in := readInput(call.RawInput)
	if known != nil {
		in = in.after(readInput(known.RawInput))
	}
	if r := servedOf(ctx); r != nil && r.stale && s.b.speaksACP() {
		in.doubt("it has the id of a call of an earlier turn, whose words may still be what is shown")
	}
	input := inputsOf(call, known)
	call = mergeCall(known, call)
	title, kind := string(call.ToolCallID), acp.ToolKindOther
	if call.Title != nil && *call.Title != "" {
		title = *call.Title
	}
	if call.Kind != nil {
		kind = *call.Kind
	}
	a := &asked{shown: Question{ToolCall: call, Cwd: s.Cwd}, request: policy.Request{Tool: policy.ToolMCP, Name: title}}
	r, q := &a.request, &a.shown
	places, all := callPaths(call.Locations, call.Content)
	if in.argv != nil && hasDiff(call.Content) {
		in.doubt("it speaks of a command and of a change of files")
	}
	if slices.ContainsFunc(places, func(p string) bool { return !plainPath(p) }) {
		in.doubt("it names a file in a way that can be read otherwise")
	}
	if in.odd != "" && in.foreign && len(places) == 0 && foreignKind(kind) {
		in.odd = "" // a tool of somebody else, whose input is its own affair: it asks by what it is
	}
	if in.odd != "" {
		r.Odd, r.Maybe = in.odd, in.maybe
	}
	if input != "" && (in.odd != "" || in.foreign) {
		q.Notes = append(q.Notes, "what it sent, as it came: "+bounded(input))
	}
	if in.argv != nil {
		s.agentCommand(a, in, places)
		return a
	}
	paths := append(slices.Clone(places), in.paths...)
	op := policy.OpWrite
	changes := hasDiff(call.Content) || in.text != nil || in.old != nil || in.new != nil || in.patch
	switch {
	case kind == acp.ToolKindExecute, len(in.maybe) > 0:
		r.Tool = policy.ToolShell
	case (kind == acp.ToolKindRead || kind == acp.ToolKindSearch) && !changes:
		r.Tool, op = policy.ToolRead, policy.OpRead
	case kind == acp.ToolKindDelete:
		r.Tool, op = policy.ToolEdit, policy.OpDelete
	case kind == acp.ToolKindMove:
		r.Tool, op = policy.ToolEdit, policy.OpRename
	case kind == acp.ToolKindEdit, changes, len(paths) > 0 && kind == acp.ToolKindOther:
		r.Tool = policy.ToolEdit
	}
	switch {
	case !all: // refused, before any work is done on them
		q.Notes = append(q.Notes, fmt.Sprintf("it names more than %d files, or one by more than %d bytes", maxCallPaths, disk.MaxPath))
		r.Paths = append(r.Paths, policy.Path{Op: op})
	case in.odd == "":
		a.targets = s.askedPaths(r, q, paths, op)
	default:
		a.targets = s.askedPaths(r, q, places, op)
		a.targets = append(a.targets, s.askedPaths(r, &Question{}, in.paths, op)...) // what it may name is only guessed
	}
	q.plain = !slices.ContainsFunc(a.targets, func(t target) bool {
		return t.outside && (t.Path != t.Real || !slices.Contains(places, t.Path))
	})
	if all {
		s.askedChanges(ctx, a, call.Content, in)
	}
	for i := range r.Paths {
		if r.Tool == policy.ToolEdit && op == policy.OpWrite && (in.goes || takesAway(known)) {
			r.Paths[i].Op = policy.OpDelete
		}
	}
	q.Title = agentTitle(r.Tool, op, s.names(a.targets), title)
	if q.Title != title {
		q.aside = append(q.aside, "the agent calls it: "+title)
	}
	q.Notes = append(q.Notes, q.aside...)
	return a
}

// takesAway says whether a call was announced as one that takes a file away or gives it another name.
func takesAway(known *acp.ToolCallUpdate) bool {
	return known != nil && known.Kind != nil && (*known.Kind == acp.ToolKindDelete || *known.Kind == acp.ToolKindMove)
}

// foreignKind says whether a kind is one that tools have of which the bridge knows nothing.
func foreignKind(k acp.ToolKind) bool {
	switch k {
	case acp.ToolKindExecute, acp.ToolKindEdit, acp.ToolKindDelete, acp.ToolKindMove, acp.ToolKindRead, acp.ToolKindSearch:
		return false
	}
	return true
}

// inputsOf is the input of a call as it came, with that of the call before its question where it was another.
func inputsOf(call, known *acp.ToolCallUpdate) string {
	input := string(call.RawInput)
	if known != nil && len(known.RawInput) > 0 && string(known.RawInput) != input {
		if input != "" {
			input += ", and before "
		}
		input += string(known.RawInput)
	}
	return input
}

// agentCommand is a question about a command that is wholly understood.
func (s *Session) agentCommand(a *asked, in agentInput, places []string) {
	r, q := &a.request, &a.shown
	r.Tool, r.Argv, q.Argv = policy.ToolShell, in.argv, in.argv
	q.Title = "Run " + commandTitle(in.argv)
	if in.dir != "" {
		q.Cwd = in.dir
		if !filepath.IsAbs(in.dir) {
			q.Cwd = filepath.Join(s.Cwd, in.dir)
		}
	}
	t, err := s.resolve(q.Cwd)
	if err != nil {
		r.Paths = append(r.Paths, policy.Path{Op: policy.OpRead}) // a folder that is not known is refused
		return
	}
	g := s.commandGrant(in.argv, t, nil)
	a.covers = []grant{g}
	r.CommandDir, r.Content, q.Notes = t.Real, g.program, append(q.Notes, t.notes()...)
	if t.outside {
		r.Paths = append(r.Paths, s.pathOf(t, policy.OpRead))
	}
	var named policy.Request // what the agent says that the command looks at matters where that asks by itself
	for _, t := range s.askedPaths(&named, &Question{}, places, policy.OpRead) {
		if p := s.pathOf(t, policy.OpRead); t.outside || isSecret(p) {
			r.Paths, q.Notes = append(r.Paths, p), append(q.Notes, t.notes()...)
		}
	}
}

// askedPaths resolves the files of a question. One that cannot be resolved makes the whole of it refused.
func (s *Session) askedPaths(r *policy.Request, q *Question, paths []string, op policy.Op) (targets []target) {
	if len(paths) > maxCallPaths {
		r.Paths = append(r.Paths, policy.Path{Op: op})
		return nil
	}
	seen, search := map[string]bool{}, s.searchNames()
	until := time.Now().Add(callPathsBudget)
	for _, name := range paths {
		if time.Now().After(until) {
			r.Paths = append(r.Paths, policy.Path{Op: op})
			return nil
		}
		t, err := s.resolve(name)
		if err != nil {
			if r.Odd == "" { // it asks, and what it may have meant is nothing to refuse it for
				r.Paths = append(r.Paths, policy.Path{Op: op})
			}
			continue
		}
		if seen[t.Path] {
			continue
		}
		seen[t.Path] = true
		r.Paths = append(r.Paths, s.pathAmong(search, t, op))
		q.Notes = append(q.Notes, t.notes()...)
		targets = append(targets, t)
	}
	return targets
}

func (s *Session) names(targets []target) (out []string) {
	for _, t := range targets {
		out = append(out, s.short(t.Path))
	}
	return out
}

// agentTitle is our own name for what an agent asks about, its own only where we know no better.
func agentTitle(tool policy.Tool, op policy.Op, names []string, title string) string {
	verb := map[policy.Op]string{policy.OpRead: "Read", policy.OpDelete: "Delete", policy.OpRename: "Move"}[op]
	if verb == "" {
		verb = "Edit"
	}
	switch {
	case tool == policy.ToolMCP || tool == policy.ToolShell:
		return title
	case len(names) == 0:
		return title
	}
	return verb + " " + strings.Join(names, ", ")
}

func hasDiff(content []acp.ToolCallContent) bool {
	return slices.ContainsFunc(content, func(c acp.ToolCallContent) bool { _, ok := c.(*acp.Diff); return ok })
}
