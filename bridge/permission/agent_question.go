package permission

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission/meaning"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// Asked is a question of the agent's own about one of its tools, as it is judged and shown.
type Asked struct {
	Request policy.Request
	Shown   Question
	Targets []Target // the files that it names
	covers  []Grant  // what a yes to it is good for

	yes      *yes              // the user's, nil for none
	musts    map[string]string // why a change of a file asks whatever is allowed, by its resolved path
	narrowed int               // how often the level had been narrowed when it was given
}

// AgentQuestion is what the agent asks about, as far as it can be told. The rules see what it is from the input (a
// command, a path), not from the kind or the title the agent gives it: Copilot calls a create outside its folders a
// read. What was said of the tool call before, known, belongs to it; some agents say nothing in the question itself. An input
// with a command makes it a command, whatever else it says. raw is the call as it came, for what is in it beside that. stale says
// that the call has the id of one of an earlier turn, whose words the editor may still show.
func (g *Gate) AgentQuestion(ctx context.Context, call *acp.ToolCallUpdate, raw jsontext.Value, known *acp.ToolCallUpdate, stale bool) *Asked {
	in := meaning.ReadCall(call, known)
	beside := meaning.Beside(call, raw)
	if stale {
		in.Doubt("it has the id of a call of an earlier turn, whose words may still be what is shown")
	}
	if beside {
		in.Doubt("it has members that are not known, or that are not what they should be")
	}
	input := meaning.Inputs(call, known)
	if beside {
		input = string(raw)
	}
	call = meaning.Merge(known, call)
	title, kind := string(call.ToolCallID), acp.ToolKindOther
	if call.Title != nil && *call.Title != "" {
		title = *call.Title
	}
	if call.Kind != nil {
		kind = *call.Kind
	}
	a := &Asked{Shown: Question{ToolCall: call, Cwd: g.Cwd}, Request: policy.Request{Tool: policy.ToolMCP, Name: title}}
	places, all := meaning.Files(call.Locations, call.Content)
	if in.Argv != nil && meaning.HasDiff(call.Content) {
		in.Doubt("it speaks of a command and of a change of files")
	}
	if slices.ContainsFunc(places, func(p string) bool { return !meaning.PlainPath(p) }) {
		in.Doubt("it names a file in a way that can be read otherwise")
	}
	if in.Odd != "" && in.Foreign && !beside && len(places) == 0 && meaning.ForeignKind(kind) {
		in.Odd = "" // a tool of somebody else, whose input is its own affair: it asks by what it is
	}
	if in.Odd != "" {
		a.Request.Odd, a.Request.Maybe = in.Odd, in.Maybe
	}
	sent := ""
	if input != "" {
		sent = "what it sent, as it came: " + bounded(input)
	}
	shown := sent != "" && (in.Odd != "" || in.Foreign)
	if shown {
		a.Shown.Notes = append(a.Shown.Notes, sent)
	}
	if in.Argv != nil {
		g.agentCommand(a, in, places)
		return a
	}
	op := a.classify(kind, in, call, len(places) > 0)
	g.agentFiles(a, in, places, all, op)
	switch {
	case a.Request.Odd != "":
	case a.Request.Tool == policy.ToolMCP:
		g.lookThrough(a, call, known)
	case moves(kind, known) && distinct(a.Targets) < 2:
		a.Request.Odd = "it moves something and does not say from where and to where"
	}
	if a.Request.Odd != "" && !shown && sent != "" {
		a.Shown.Notes = append(a.Shown.Notes, sent)
	}
	if all {
		g.showChanges(ctx, a, call.Content, in)
	}
	for i := range a.Request.Paths {
		if a.Request.Tool == policy.ToolEdit && op == policy.OpWrite && (in.Goes || meaning.TakesAway(known)) {
			a.Request.Paths[i].Op = policy.OpDelete
		}
	}
	q := &a.Shown
	q.Title = agentTitle(a.Request.Tool, op, g.names(a.Targets), title)
	if q.Title != title {
		q.aside = append(q.aside, "the agent calls it: "+title)
	}
	q.Notes = append(q.Notes, q.aside...)
	return a
}

// PermitAsked decides about it. What a yes covers is kept with [Gate.Issue], when the agent hears of it.
func (g *Gate) PermitAsked(ctx context.Context, a *Asked) error {
	a.musts = map[string]string{}
	for _, p := range a.Request.Paths {
		alone := policy.Request{Tool: a.Request.Tool, Name: a.Request.Name, Paths: []policy.Path{p}}
		a.musts[p.Real] = g.musts([]policy.Request{alone})[0]
	}
	y, _, err := g.permit(ctx, a.Request, &a.Shown)
	a.yes, a.narrowed = y, g.narrowings()
	for _, t := range a.Targets {
		if err == nil {
			err = g.Same(t)
		}
	}
	return err
}

// classify says what kind of tool it is, and returns what it does to its files.
func (a *Asked) classify(kind acp.ToolKind, in meaning.Input, call *acp.ToolCallUpdate, named bool) policy.Op {
	r := &a.Request
	changes := meaning.HasDiff(call.Content) || in.Text != nil || in.Old != nil || in.New != nil || in.Patch
	switch {
	case kind == acp.ToolKindExecute, len(in.Maybe) > 0:
		r.Tool = policy.ToolShell
	case (kind == acp.ToolKindRead || kind == acp.ToolKindSearch) && !changes:
		r.Tool = policy.ToolRead
		return policy.OpRead
	case kind == acp.ToolKindDelete:
		r.Tool = policy.ToolEdit
		return policy.OpDelete
	case kind == acp.ToolKindMove:
		r.Tool = policy.ToolEdit
		return policy.OpRename
	case kind == acp.ToolKindEdit, changes, (named || len(in.Paths) > 0) && kind == acp.ToolKindOther:
		r.Tool = policy.ToolEdit
	}
	return policy.OpWrite
}

// moves says whether a call gives a file another name, or was announced so.
func moves(kind acp.ToolKind, known *acp.ToolCallUpdate) bool {
	return kind == acp.ToolKindMove || known != nil && known.Kind != nil && *known.Kind == acp.ToolKindMove
}

// distinct is how many different files targets are.
func distinct(targets []Target) int {
	seen := map[string]bool{}
	for _, t := range targets {
		seen[t.Real] = true
	}
	return len(seen)
}

// agentFiles resolves the files of a question that is about none but files, as far as is known.
func (g *Gate) agentFiles(a *Asked, in meaning.Input, places []string, all bool, op policy.Op) {
	r, q := &a.Request, &a.Shown
	switch {
	case !all: // refused, before any work is done on them
		q.Notes = append(q.Notes, fmt.Sprintf("it names more than %d files, or one by more than %d bytes", meaning.MaxFiles, disk.MaxPath))
		r.Paths = append(r.Paths, policy.Path{Op: op})
	case in.Odd == "":
		a.Targets = g.askedPaths(r, q, slices.Concat(places, in.Paths), op)
	default:
		a.Targets = g.askedPaths(r, q, places, op)
		a.Targets = append(a.Targets, g.askedPaths(r, &Question{}, in.Paths, op)...) // what it may name is only guessed
	}
	q.plain = !slices.ContainsFunc(a.Targets, func(t Target) bool {
		return t.Outside && (t.Path != t.Real || !slices.Contains(places, t.Path))
	})
}

// agentCommand is a question about a command that is wholly understood.
func (g *Gate) agentCommand(a *Asked, in meaning.Input, places []string) {
	r, q := &a.Request, &a.Shown
	r.Tool, r.Argv, q.Argv = policy.ToolShell, in.Argv, in.Argv
	q.Title = "Run " + CommandTitle(in.Argv)
	if in.Dir != "" {
		q.Cwd = in.Dir
		if !filepath.IsAbs(in.Dir) {
			q.Cwd = filepath.Join(g.Cwd, in.Dir)
		}
	}
	t, err := g.Resolve(q.Cwd)
	if err != nil {
		r.Paths = append(r.Paths, policy.Path{Op: policy.OpRead}) // a folder that is not known is refused
		return
	}
	c := g.commandGrant(in.Argv, t, nil)
	c.cmd = &Command{Argv: in.Argv, Cwd: q.Cwd}
	a.covers = []Grant{c}
	r.CommandDir, r.Content, q.Notes = t.Real, c.program, slices.Concat(q.Notes, t.Notes(), g.linkNotes(in.Argv, t.Real))
	r.Where, r.Named = []policy.Path{g.PathOf(t, policy.OpRead)}, g.namedWords(in.Argv, t.Real)
	var named policy.Request // what the agent says that the command looks at matters where that asks by itself
	for _, t := range g.askedPaths(&named, &Question{}, places, policy.OpRead) {
		if p := g.PathOf(t, policy.OpRead); t.Outside || IsSecret(p) {
			r.Paths, q.Notes = append(r.Paths, p), append(q.Notes, t.Notes()...)
		}
	}
}

// askedPaths resolves the files of a question. One that cannot be resolved makes the whole of it refused.
func (g *Gate) askedPaths(r *policy.Request, q *Question, paths []string, op policy.Op) (targets []Target) {
	if len(paths) > meaning.MaxFiles {
		r.Paths = append(r.Paths, policy.Path{Op: op})
		return nil
	}
	seen := map[string]bool{}
	until := time.Now().Add(callPathsBudget)
	for _, name := range paths {
		if time.Now().After(until) {
			r.Paths = append(r.Paths, policy.Path{Op: op})
			return nil
		}
		t, err := g.Resolve(name)
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
		targets = append(targets, t)
	}
	search := g.searchNames()
	search.coming = append(search.coming, newFiles(targets...)...)
	for _, t := range targets {
		if time.Now().After(until) {
			r.Paths = append(r.Paths, policy.Path{Op: op})
			return nil
		}
		r.Paths = append(r.Paths, g.pathAmong(search, t, op))
		q.Notes = append(q.Notes, t.Notes()...)
	}
	return targets
}

func (g *Gate) names(targets []Target) (out []string) {
	for _, t := range targets {
		out = append(out, g.Short(t.Path))
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
