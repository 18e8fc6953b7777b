package bridge

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// ErrUnsupported is what an [Editor] answers to a wish its front cannot grant; the bridge then does without.
var ErrUnsupported = errors.New("the editor cannot do this")

// Editor is the front's side of the bridge: what the person sees and answers. Buffers are not here, they are an
// [fsproxy.Overlay] and an [fsproxy.Editor] in [Config].
//
// All methods may be called concurrently but Show.
type Editor interface {
	// Show hands over one event. Calls come from one goroutine, in order, nothing is left out. Show may block while
	// the front's peer is slow: adjacent text chunks merge behind it meanwhile. It must return when ctx ends.
	Show(ctx context.Context, ev Event)

	// Ask puts a permission question and waits for the person, for hours if need be. It returns when ctx ends (the
	// question is withdrawn). Any error, and an answer that names no option of the question, means no.
	Ask(ctx context.Context, q *Question) (Answer, error)

	// Input asks for values (ACP v1 elicitation). [ErrUnsupported] makes the bridge decline for the person.
	Input(ctx context.Context, in *InputRequest) (InputAnswer, error)

	// Diagnostics returns what the editor's other language servers say about the files, all known files if paths is
	// empty. Paths are absolute.
	Diagnostics(ctx context.Context, paths []string) ([]FileDiagnostics, error)

	// Selection returns where the person is; nil if that is not known.
	Selection(ctx context.Context) (*Selection, error)
}

// DirectEditor is an [Editor] that is shown the agent's bytes, and can be shown a chunk of text by the goroutine that reads
// it from the agent. Its calls and those of Show never overlap. Nothing is merged for it: while it does not read, the agent
// waits.
type DirectEditor interface {
	Editor

	// ShowNow is Show for one notification, of which nothing may be kept. After one with More comes another call of ShowNow,
	// or Drained.
	ShowNow(ctx context.Context, m *Message)

	// Drained sends what was put off for the sake of more. It does not wait.
	Drained()
}

// Question is one permission question. What it shows is what will happen: nothing in it is shortened.
type Question struct {
	ID       string
	Session  string
	Turn     string
	Title    string                 // one line, already safe to show: "Edit a.txt", "Run go test ./..."
	Reason   string                 // why the bridge asks, one sentence
	ToolCall *acp.ToolCallUpdate    // the agent's tool call as far as it is known
	Options  []acp.PermissionOption // safe choice first; the kinds are unique
	Diffs    []FileDiff             // what would change, before anything has
	Argv     []string               // the whole command, nil if none runs
	Cwd      string                 // where Argv runs
	Env      []policy.EnvVar        // what the agent adds to Argv's environment
	Notes    []string               // further facts: the resolved path, a hard link, a remote schema

	// Raw is the agent's own question as it came, with the session id that the editor knows; nil where the question is the
	// bridge's. A front that shows it answers by Chose.
	Raw    jsontext.Value
	served *served // the agent's request, where Raw is its question

	aside []string // of Notes, those about the agent's words
	must  bool     // Reason is about what it is, not that no rule speaks of it
	// otherwise says that Diffs are not what the agent shows: its picture of the files is another.
	otherwise bool
	plain     bool // that a file is outside the session's folders can be seen: the agent names it by its own path
}

// Facts are what a question is about beside its title, its command and its notes, one on a line, in the words of every
// front: the folder, what is added to the environment, the files by their whole paths. They are safe to show after
// [Editor].Ask was called.
func (q *Question) Facts() (out []string) {
	if q.Cwd != "" {
		out = append(out, "in "+q.Cwd)
	}
	for _, v := range q.Env {
		out = append(out, "with "+v.String())
	}
	for _, d := range q.Diffs {
		what := "file "
		if d.Created {
			what = "new file "
		}
		out = append(out, what+escape.Inline(d.Path))
	}
	return out
}

// Warnings are what a person cannot see in the agent's own question and should know before they answer it: that a file is
// outside the session's folders or decides what runs, where a link leads, characters that cannot be seen. They are safe to
// show after [Editor].Ask was called.
func (q *Question) Warnings() (out []string) {
	if q.must {
		out = append(out, q.Reason)
	}
	for _, n := range q.Notes {
		if !slices.Contains(q.aside, n) {
			out = append(out, n)
		}
	}
	seen := q.plain
	return slices.DeleteFunc(out, func(line string) bool {
		was := seen
		outside := strings.HasSuffix(line, outsideFolders)
		seen = seen || outside
		return was && outside
	})
}

// Closed is the answer of a person who closed the question; raw is the editor's as it came.
func (q *Question) Closed(raw jsontext.Value) Answer {
	if q.served != nil {
		q.served.picked.Kind, q.served.answer = closedUnanswered, raw
	}
	return Answer{}
}

// Chose is the answer that an option stands for, one of Options or of those in Raw; raw is the editor's as it came.
func (q *Question) Chose(o acp.PermissionOption, raw jsontext.Value) Answer {
	if q.Raw == nil {
		return Answer{OptionID: o.OptionID}
	}
	if q.served != nil {
		q.served.picked, q.served.answer = o, raw
	}
	switch o.Kind {
	case acp.PermissionOptionKindAllowOnce:
		return Answer{OptionID: optOnce}
	case acp.PermissionOptionKindAllowAlways:
		for _, ours := range q.Options {
			if ours.OptionID == optAlways {
				return Answer{OptionID: optAlways}
			}
		}
		return Answer{OptionID: optOnce} // a wish that cannot be kept for good holds this once
	}
	return Answer{OptionID: optReject}
}

// FileDiff is a change of one file, whole texts.
type FileDiff struct {
	Path    string // absolute
	OldText string
	NewText string
	Created bool // the file does not exist before
	// Hunks are the parts of the change in a question whose yes may be for some of them only, else nil.
	Hunks []Hunk
}

// Hunk is a part of a change that the person may choose by itself: whole lines.
type Hunk struct {
	ID         string
	Start, End int // its lines in FileDiff.OldText, 0-based, half open
	OldText    string
	NewText    string
}

// Answer is the person's choice. The zero Answer is "closed without an answer".
type Answer struct {
	OptionID acp.PermissionOptionID // one of Question.Options
	Words    string                 // what the person said to the agent with a refusal, may be empty
	// Hunks are the ids of the parts that a yes covers, nil for the whole change. None of them is a no, and so is one
	// that the question does not have.
	Hunks []string
	By    policy.Who // who answered, for the log; "" is the user
}

// by is who answered.
func (a Answer) by() policy.Who { return cmp.Or(a.By, policy.ByUser) }

// because is an answer as the log has it: who did what, and why it was asked.
func (a Answer) because(did, asked string) string {
	switch who := a.by(); who {
	case policy.ByNobody:
		return "there was nobody to ask; it asks because " + asked
	case policy.ByUser:
		return "the user " + did + "; it was asked because " + asked
	default:
		return string(who) + " " + did + "; it was asked because " + asked
	}
}

// InputRequest asks the person for values (ACP v1 elicitation).
type InputRequest struct {
	ID      string
	Session string
	Message string
	Schema  *acp.ElicitationSchema // form mode, nil in url mode
	URL     string                 // url mode: shown whole, opened only with consent
}

// InputAnswer is what came of an [InputRequest].
type InputAnswer struct {
	Action  InputAction
	Content map[string]any // with InputAccept in form mode: string, int64, float64, bool or []string
}

// InputAction is what the person did with an [InputRequest].
type InputAction string

const (
	InputAccept  InputAction = "accept"
	InputDecline InputAction = "decline"
	InputCancel  InputAction = "cancel"
)

// FileDiagnostics are the diagnostics of one file.
type FileDiagnostics struct {
	Path  string
	Items []Diagnostic
}

// Diagnostic is one message about a place in a file. Lines and columns are 1-based; columns count runes.
type Diagnostic struct {
	Line, Column       int
	EndLine, EndColumn int
	Severity           string // "error", "warning", "information", "hint"
	Source             string
	Code               string
	Message            string
}

// Selection is where the person is in the editor. Lines are 1-based.
type Selection struct {
	Path               string
	StartLine, EndLine int
	Text               string // the selected text, "" if nothing is selected
}
