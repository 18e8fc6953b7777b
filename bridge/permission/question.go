package permission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Question is one permission question. What it shows is what will happen: nothing in it is shortened.
type Question struct {
	ID       string
	Session  string
	Turn     string
	Title    string                 // one line, already safe to show: "Edit a.txt", "Run go test ./..."
	Reason   string                 // why the bridge asks, one sentence; "" if it asks as about all of the kind
	ToolCall *acp.ToolCallUpdate    // the agent's tool call as far as it is known
	Options  []acp.PermissionOption // safe choice first; of a kind the narrower one first
	Diffs    []FileDiff             // what would change, before anything has
	Argv     []string               // the whole command, nil if none runs
	Cwd      string                 // where Argv runs
	Env      []policy.EnvVar        // what the agent adds to Argv's environment
	Save     []string               // files with unsaved text that are saved before Argv runs, absolute; a yes may be to run it without
	Notes    []string               // further facts: the resolved path, a hard link, a remote schema

	// Raw is the agent's own question as it came, with the session id that the editor knows; nil where the question is the
	// bridge's. A front that shows it answers by Chose.
	Raw    jsontext.Value
	picked acp.PermissionOption // of the options in Raw, the one that the user chose
	closed bool                 // and chose none
	answer jsontext.Value       // the editor's answer as it came

	unsaved bool // the user wants the command run without saving

	aside []string // of Notes, those about the agent's words
	must  bool     // Reason is about what it is, not that no rule speaks of it
	// otherwise says that Diffs are not what the agent shows: its picture of the files is another.
	otherwise bool
	plain     bool // that a file is outside the session's folders can be seen: the agent names it by its own path
}

// Facts are what a question is about beside its title, its command and its notes, one on a line, in the words of every
// front: the folder, what is added to the environment, the files by their whole paths. They are safe to show after
// it was asked.
func (q *Question) Facts() (out []string) {
	if q.Cwd != "" {
		out = append(out, "in "+q.Cwd)
	}
	for _, v := range q.Env {
		out = append(out, "with "+v.String())
	}
	for _, path := range q.Save {
		out = append(out, "saves "+escape.Inline(path)+" first")
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

// Warnings are what the user cannot see in the agent's own question and should know before they answer it: that a file is
// outside the session's folders or decides what runs, where a link leads, characters that cannot be seen. They are safe to
// show after it was asked.
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

// Closed is the answer of a user who closed the question; raw is the editor's as it came.
func (q *Question) Closed(raw jsontext.Value) Answer {
	q.closed, q.answer = true, raw
	return Answer{}
}

// Chose is the answer that an option stands for, one of Options or of those in Raw; raw is the editor's as it came.
func (q *Question) Chose(o acp.PermissionOption, raw jsontext.Value) Answer {
	if q.Raw == nil {
		return Answer{OptionID: o.OptionID}
	}
	q.picked, q.answer = o, raw
	switch o.Kind {
	case acp.PermissionOptionKindAllowOnce:
		return Answer{OptionID: OptOnce}
	case acp.PermissionOptionKindAllowAlways:
		if q.offersOption(OptAlways) {
			return Answer{OptionID: OptAlways}
		}
		return Answer{OptionID: OptOnce} // a wish that cannot be kept for good holds this once
	}
	return Answer{OptionID: OptReject}
}

// inOwnWords makes it a question of the bridge's, about a call of which the agent knows no id, because the agent changed what
// it says of its own while the user was asked.
func (q *Question) inOwnWords() {
	q.Raw, q.picked, q.closed, q.answer, q.ToolCall = nil, acp.PermissionOption{}, false, nil, nil
	q.Notes = append(q.Notes, "the agent changed what it says of this while you were asked")
}

// FileDiff is a change of one file, whole texts.
type FileDiff struct {
	Path    string // absolute
	OldText string
	NewText string
	Created bool // the file does not exist before
	// Hunks are the parts of the change in a question whose yes may be for some of them only, else nil.
	Hunks []Hunk
	// Amendable says that a yes may bring another text for the file, see [Answer.NewText].
	Amendable bool
}

// Content is the change as ACP v1 tool call content.
func (d FileDiff) Content() acp.ToolCallContent {
	c := &acp.Diff{Path: d.Path, NewText: d.NewText}
	if !d.Created {
		c.OldText = &d.OldText
	}
	return c
}

// Hunk is a part of a change that the user may choose by itself: whole lines.
type Hunk struct {
	ID         string
	Start, End int // its lines in FileDiff.OldText, 0-based, half open
	OldText    string
	NewText    string
}

// Answer is the user's choice. The zero Answer is "closed without an answer".
type Answer struct {
	OptionID acp.PermissionOptionID // one of Question.Options
	Words    string                 // what the user said to the agent with a refusal, may be empty
	// Hunks are the ids of the parts that a yes covers, nil for the whole change. None of them is a no, and so is one
	// that the question does not have.
	Hunks []string
	// NewText is the whole text that the user wants in the file in place of the one that was shown, nil for that one. Only the
	// question about one diff that is Amendable takes it, beside an option that allows and without Hunks; else it is a no.
	NewText *string
	By      policy.Who // who answered, for the log; "" is the user
}

// Who is who answered.
func (a Answer) Who() policy.Who { return cmp.Or(a.By, policy.ByUser) }

// because is an answer as the log has it: who did what, and why it was asked.
func (a Answer) because(did, asked string) string {
	switch who := a.Who(); who {
	case policy.ByNobody:
		return "there was nobody to ask; it asks because " + asked
	case policy.ByUser:
		return "the user " + did + "; it was asked because " + asked
	default:
		return string(who) + " " + did + "; it was asked because " + asked
	}
}
