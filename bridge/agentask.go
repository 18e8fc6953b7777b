package bridge

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// agentInput is what the input of an agent's own tool tells about what it does. Every agent spells it in its own way.
type agentInput struct {
	argv  []string // a command
	dir   string   // where it runs
	paths []string // files it names
	text  *string  // a whole new text
	old   *string  // the text it replaces
	new   *string  // and by what
	odd   string   // why the input cannot be believed
}

// The names of arguments, as they are compared. Copilot CLI, Claude Code, OpenCode, Gemini, Qwen and Codex use these.
var (
	commandFields = []string{"command", "cmd"}
	dirFields     = []string{"cwd", "workdir", "directory", "dir"}
	textFields    = []string{"content", "file_text", "contents"}
	oldFields     = []string{"old_string", "old_str", "oldtext"}
	newFields     = []string{"new_string", "new_str", "newtext"}
)

// readInput reads a tool's input. Members are told by their folded names, and two that fold to one are not believed:
// which of them the agent acts on is not known (CVE-2026-27896).
func readInput(raw []byte) (in agentInput) {
	if len(raw) == 0 {
		return in
	}
	var members map[string]any
	if err := json.Unmarshal(raw, &members); err != nil {
		in.odd = "its input is not an object with each member once"
		return in
	}
	seen := map[string]bool{}
	for name, value := range members {
		key := policy.Fold(name)
		if seen[key] {
			in.odd = fmt.Sprintf("its input has %q in two spellings", key)
		}
		seen[key] = true
		text, isText := value.(string)
		switch {
		case slices.Contains(commandFields, key):
			in.argv = commandOf(value)
		case slices.Contains(dirFields, key):
			in.dir = text
		case slices.Contains(textFields, key) && isText:
			in.text = &text
		case slices.Contains(oldFields, key) && isText:
			in.old = &text
		case slices.Contains(newFields, key) && isText:
			in.new = &text
		case isPathField(key):
			in.paths = append(in.paths, pathsOf(value)...)
		}
		in.paths = append(in.paths, pathsWithin(value, maxInputDepth)...)
	}
	slices.Sort(in.paths)
	in.paths = slices.Compact(in.paths)
	return in
}

// commandOf is a command as a line for the shell or as its words.
func commandOf(value any) []string {
	switch v := value.(type) {
	case string:
		if v != "" {
			return []string{"bash", "-c", v}
		}
	case []any:
		words := make([]string, 0, len(v))
		for _, w := range v {
			s, ok := w.(string)
			if !ok {
				return nil
			}
			words = append(words, s)
		}
		return words
	}
	return nil
}

func isPathField(key string) bool {
	for _, part := range []string{"path", "file", "folder", "uri", "source", "destination"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return false
}

// pathsWithin are the paths that the objects in a value name: tools that make several changes at once have a list of them.
func pathsWithin(value any, depth int) (out []string) {
	if depth == 0 {
		return nil
	}
	switch v := value.(type) {
	case []any:
		for _, x := range v {
			out = append(out, pathsWithin(x, depth-1)...)
		}
	case map[string]any:
		for name, x := range v {
			if isPathField(policy.Fold(name)) {
				out = append(out, pathsOf(x)...)
			}
			out = append(out, pathsWithin(x, depth-1)...)
		}
	}
	return out
}

// pathsOf are the paths in a value: one, or a list. A text of several lines is none.
func pathsOf(value any) (out []string) {
	switch v := value.(type) {
	case string:
		if strings.HasPrefix(v, "file:") {
			if u, err := url.Parse(v); err == nil && (u.Host == "" || u.Host == "localhost") {
				v = filepath.FromSlash(u.Path)
			}
		}
		if v != "" && !strings.ContainsAny(v, "\n\r") && !strings.Contains(v, "://") {
			out = append(out, v)
		}
	case []any:
		for _, x := range v {
			out = append(out, pathsOf(x)...)
		}
	}
	return out
}

// agentQuestion is what the agent asks about, as far as it can be told. The rules see what it is from the input (a
// command, a path), not from the kind or the title the agent gives it: Copilot calls a create outside its folders a
// read. What was said of the tool call before belongs to it; some agents say nothing in the question itself.
func (s *Session) agentQuestion(call *acp.ToolCallUpdate) (policy.Request, Question, []target) {
	title := string(call.ToolCallID)
	if call.Title != nil && *call.Title != "" {
		title = *call.Title
	}
	q := Question{ToolCall: call, Cwd: s.Cwd}
	r := policy.Request{Tool: policy.ToolMCP, Name: title}
	in := readInput(call.RawInput)
	kind := acp.ToolKindOther
	if call.Kind != nil {
		kind = *call.Kind
	}
	shown, all := callPaths(call.Locations, call.Content)
	paths := append(slices.Clone(shown), in.paths...)
	if len(in.argv) > 0 && (kind == acp.ToolKindExecute || len(paths) == 0) {
		s.agentCommand(&r, &q, in)
		return r, q, nil
	}
	op := policy.OpWrite
	diff := hasDiff(call.Content) || in.text != nil || in.old != nil || in.new != nil
	switch {
	case (kind == acp.ToolKindRead || kind == acp.ToolKindSearch) && !diff:
		r.Tool, op = policy.ToolRead, policy.OpRead
	case kind == acp.ToolKindExecute:
		r.Tool = policy.ToolShell
	case kind == acp.ToolKindDelete:
		r.Tool, op = policy.ToolEdit, policy.OpDelete
	case kind == acp.ToolKindMove:
		r.Tool, op = policy.ToolEdit, policy.OpRename
	case kind == acp.ToolKindEdit, diff, len(paths) > 0 && kind == acp.ToolKindOther:
		r.Tool = policy.ToolEdit
	}
	if !all {
		paths = nil
		in.odd = fmt.Sprintf("it names more than %d files, or one by more than %d bytes", maxCallPaths, fsproxy.MaxPath)
	}
	targets := s.askedPaths(&r, &q, paths, op)
	q.plain = !slices.ContainsFunc(targets, func(t target) bool {
		return t.outside && (t.Path != t.Real || !slices.Contains(shown, t.Path))
	})
	if in.odd != "" {
		q.Notes = append(q.Notes, in.odd)
		r.Paths = append(r.Paths, policy.Path{Op: op}) // a path that is not known is refused
	}
	q.Diffs = s.askedDiffs(call.Content, in, targets)
	if r.Tool == policy.ToolEdit && len(q.Diffs) == 0 {
		q.aside = append(q.aside, "the agent does not show what it will change; a yes is one to whatever that is")
	}
	q.Title = agentTitle(r.Tool, op, s.names(targets), title)
	if q.Title != title {
		q.aside = append(q.aside, "the agent calls it: "+title)
	}
	q.Notes = append(q.Notes, q.aside...)
	return r, q, targets
}

func (s *Session) agentCommand(r *policy.Request, q *Question, in agentInput) {
	r.Tool, r.Argv, q.Argv = policy.ToolShell, in.argv, in.argv
	q.Title = "Run " + commandTitle(in.argv)
	if in.dir != "" {
		q.Cwd = in.dir
		if !filepath.IsAbs(in.dir) {
			q.Cwd = filepath.Join(s.Cwd, in.dir)
		}
	}
	t, err := s.resolve(q.Cwd)
	if err != nil || in.odd != "" {
		r.Paths = append(r.Paths, policy.Path{Op: policy.OpRead}) // a folder that is not known is refused
		return
	}
	r.CommandDir, q.Notes = t.Real, append(q.Notes, t.notes()...)
	r.Content = s.contentOf(in.argv, t.Real)
	if t.outside {
		r.Paths = append(r.Paths, s.pathOf(t, policy.OpRead))
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
			r.Paths = append(r.Paths, policy.Path{Op: op})
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

// askedDiffs are the changes as the agent shows them; most show only the lines they replace.
func (s *Session) askedDiffs(content []acp.ToolCallContent, in agentInput, targets []target) (out []FileDiff) {
	for _, c := range content {
		if d, ok := c.(*acp.Diff); ok {
			fd := FileDiff{Path: d.Path, NewText: d.NewText, Created: d.OldText == nil}
			if d.OldText != nil {
				fd.OldText = *d.OldText
			}
			out = append(out, fd)
		}
	}
	if len(out) > 0 || len(targets) != 1 {
		return out
	}
	d := FileDiff{Path: targets[0].Path, Created: !targets[0].Exists}
	switch {
	case in.text != nil:
		d.NewText = *in.text
	case in.new != nil:
		d.NewText = *in.new
	default:
		return nil
	}
	if in.old != nil {
		d.OldText = *in.old
	}
	return []FileDiff{d}
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
