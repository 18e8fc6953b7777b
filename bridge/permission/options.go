package permission

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// The options of every question of ours, in their order. The safe one comes first.
const (
	OptReject  = acp.PermissionOptionID("reject_once")
	OptOnce    = acp.PermissionOptionID("allow_once")
	OptAlways  = acp.PermissionOptionID("allow_always")
	OptSession = acp.PermissionOptionID("allow_session") // allows edits for the rest of the session, see [policy.LevelEdits]
)

// sessionOption is the last option of the first question about an edit.
var sessionOption = acp.PermissionOption{OptionID: OptSession, Name: "Allow edits in this session", Kind: acp.PermissionOptionKindAllowAlways}

// ownOptions are the options of every question; always is the name of the one that allows for good, "" for none.
func ownOptions(always string) []acp.PermissionOption {
	out := []acp.PermissionOption{
		{OptionID: OptReject, Name: ownNames[acp.PermissionOptionKindRejectOnce], Kind: acp.PermissionOptionKindRejectOnce},
		{OptionID: OptOnce, Name: ownNames[acp.PermissionOptionKindAllowOnce], Kind: acp.PermissionOptionKindAllowOnce},
	}
	if always != "" {
		out = append(out, acp.PermissionOption{OptionID: OptAlways, Name: always, Kind: acp.PermissionOptionKindAllowAlways})
	}
	return out
}

// alwaysName says on the button what a yes for good is for, safe to be shown.
func (g *Gate) alwaysName(as policy.Rule, r policy.Request) string {
	switch {
	case r.Brought:
		return "Always allow while nothing of it changes"
	case as.Tool == policy.ToolEdit && len(r.Paths) == 1:
		return "Always allow edits to " + escape.Inline(escape.ClipMiddle(g.Short(r.Paths[0].Real), maxOptionName))
	case as.Tool == policy.ToolShell:
		return "Always allow this command"
	}
	return ownNames[acp.PermissionOptionKindAllowAlways]
}

// offersOption says whether the question has an option of ours with that id.
func (q *Question) offersOption(id acp.PermissionOptionID) bool {
	return slices.ContainsFunc(q.Options, func(o acp.PermissionOption) bool { return o.OptionID == id })
}

// The options of an agent's own question (ACP v1 session/request_permission). What the user reads is an option's name, what
// the bridge goes by is its kind, what the agent hears is its id: the three must not come apart.

// ownNames are the bridge's words for what an option does.
var ownNames = map[acp.PermissionOptionKind]string{
	acp.PermissionOptionKindAllowOnce:    "Allow once",
	acp.PermissionOptionKindAllowAlways:  "Always allow",
	acp.PermissionOptionKindRejectOnce:   "Reject",
	acp.PermissionOptionKindRejectAlways: "Always reject",
}

// CheckOptions refuses a question whose options cannot be told apart by their ids: an answer would be two answers. An
// error is for the agent; the user is not asked.
func CheckOptions(list []acp.PermissionOption) error {
	if len(list) > maxOptions {
		return fmt.Errorf("there are %d options; at most %d can be shown", len(list), maxOptions)
	}
	seen := map[string]bool{}
	for _, o := range list {
		key := policy.Fold(string(o.OptionID))
		switch {
		case key == "":
			return fmt.Errorf("the option %q has no id", o.Name)
		case seen[key]:
			return fmt.Errorf("two options have the id %q", o.OptionID)
		}
		seen[key] = true
	}
	return nil
}

// RefuseWithoutYes answers a question that nobody can say yes to, without asking: the agent is only ever told "once", and where it
// does not offer that, a yes of the user's would be none, and an "always" of theirs would be kept all the same. ok is false for
// all others.
func (g *Gate) RefuseWithoutYes(list []acp.PermissionOption) (id acp.PermissionOptionID, ok bool) {
	if slices.ContainsFunc(list, func(o acp.PermissionOption) bool { return o.Kind == acp.PermissionOptionKindAllowOnce }) {
		return "", false
	}
	_ = g.refuse(policy.Request{Name: "session/request_permission"}, policy.ByNobody, "the agent offers nothing that allows it once") // it hears an option of its own
	id, _ = new(Question).Outcome(list, false)
	return id, true
}

// inQuotes is a word of the agent's as the user is told of it.
func inQuotes(s string) string {
	return strconv.Quote(escape.Inline(escape.Clip(s, maxOptionName)))
}

// What a word of an option's name says.
const (
	saysYes = 1 << iota
	saysNo
	saysOnce
	saysAlways
)

// optionWords are the words that names of options are made of, by what they say. A name with any other word does not
// clearly say anything, in whatever language it is: it may be a denial.
var optionWords = map[string]int{
	"allow": saysYes, "accept": saysYes, "approve": saysYes, "approved": saysYes, "permit": saysYes, "yes": saysYes, "ok": saysYes, "proceed": saysYes,
	"reject": saysNo, "rejected": saysNo, "deny": saysNo, "decline": saysNo, "refuse": saysNo, "no": saysNo, "cancel": saysNo, "skip": saysNo, "disallow": saysNo,
	"once": saysOnce, "always": saysAlways, "never": saysNo | saysAlways,
	"all": saysAlways, "session": saysAlways, "project": saysAlways, "user": saysAlways,
	"this": 0, "the": 0, "it": 0, "in": 0, "for": 0, "and": 0, "time": 0, "thanks": 0,
	"change": 0, "changes": 0, "edit": 0, "edits": 0, "command": 0, "commands": 0, "tool": 0, "file": 0, "files": 0, "action": 0, "request": 0,
}

// saysKind reports whether a name clearly says what an option of that kind does. The name is one line of plain ASCII
// words, all of them known, and says one thing. Behind a colon may stand what it is about ("Always Allow in project:
// touch *", Gemini CLI), which must say neither yes nor no.
func saysKind(name string, kind acp.PermissionOptionKind) bool {
	if name == "" || len(name) > maxOptionName || name != strings.Join(strings.Fields(name), " ") {
		return false
	}
	for i := range len(name) {
		if name[i] < ' ' || name[i] > '~' {
			return false
		}
	}
	head, about, _ := strings.Cut(strings.ToLower(name), ": ")
	for _, word := range strings.FieldsFunc(about, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if optionWords[word]&(saysYes|saysNo) != 0 || word == "not" || word == "don" || word == "t" {
			return false
		}
	}
	says := 0
	for _, word := range strings.Fields(strings.ReplaceAll(head, "don't ask again", "always")) {
		means, known := optionWords[strings.TrimRight(word, ",.!")]
		if !known {
			return false
		}
		says |= means
	}
	if says == saysOnce || says == saysAlways { // "Once" and "Always" are said of what is allowed
		says |= saysYes
	}
	switch kind {
	case acp.PermissionOptionKindAllowOnce:
		return says&^saysOnce == saysYes
	case acp.PermissionOptionKindAllowAlways:
		return says == saysYes|saysAlways
	case acp.PermissionOptionKindRejectOnce:
		return says&^saysOnce == saysNo
	case acp.PermissionOptionKindRejectAlways:
		return says == saysNo|saysAlways
	}
	return false
}
