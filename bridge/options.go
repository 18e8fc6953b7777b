package bridge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// The options of an agent's own question (ACP v1 session/request_permission). What the user reads is an option's name, what
// the bridge goes by is its kind, what the agent hears is its id: the three must not come apart.

// maxOptions is how many options an agent's question may have. Agents offer two to five; among more, the one that the user
// looks for cannot be found.
const maxOptions = 16

// maxOptionName is how much of an option's own name is quoted to the user.
const maxOptionName = 80

// ownNames are the bridge's words for what an option does.
var ownNames = map[acp.PermissionOptionKind]string{
	acp.PermissionOptionKindAllowOnce:    "Allow once",
	acp.PermissionOptionKindAllowAlways:  "Always allow",
	acp.PermissionOptionKindRejectOnce:   "Reject",
	acp.PermissionOptionKindRejectAlways: "Always reject",
}

// checkOptions refuses a question whose options cannot be told apart by their ids: an answer would be two answers. An
// error is for the agent; the user is not asked.
func checkOptions(list []acp.PermissionOption) error {
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

// namedByKind returns the params of an agent's question with names that say what the bridge takes each option for. A name
// that clearly says it stays, any other gives way to the bridge's words, and an option of a kind that the bridge does not
// know is left out: nobody knows what it would allow. notes tell the user what the agent had called it. Where all names
// agree the params are returned as they came.
func namedByKind(params jsontext.Value) (out jsontext.Value, notes []string) {
	var list []jsontext.Value
	if json.Unmarshal(acp.Member(params, "options"), &list) != nil {
		return params, nil
	}
	seen := map[string]bool{}
	kept := []jsontext.Value{}
	for _, raw := range list {
		name, _ := acp.StringOf(acp.Member(raw, "name"))
		kind, _ := acp.StringOf(acp.Member(raw, "kind"))
		own, known := ownNames[acp.PermissionOptionKind(kind)]
		if !known {
			notes = append(notes, fmt.Sprintf("the agent's option %s is left out: its kind %s is not known", inQuotes(name), inQuotes(kind)))
			continue
		}
		if !saysKind(name, acp.PermissionOptionKind(kind)) || seen[strings.ToLower(name)] {
			shown := own
			for n := 2; seen[strings.ToLower(shown)]; n++ {
				shown = fmt.Sprintf("%s (%d)", own, n)
			}
			notes = append(notes, fmt.Sprintf("the option %q is called %s by the agent", shown, inQuotes(name)))
			raw, name = acp.SetMember(raw, "name", acp.Quote(shown)), shown
		}
		seen[strings.ToLower(name)] = true
		kept = append(kept, raw)
	}
	if len(notes) == 0 {
		return params, nil
	}
	all, err := json.Marshal(kept, jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		return params, notes // each was read as a value just before
	}
	return acp.SetMember(params, "options", all), notes
}

// withoutAlways is an agent's question without the options that allow for good: what is not understood is not offered so.
func withoutAlways(params jsontext.Value) jsontext.Value {
	var list []jsontext.Value
	if params == nil || json.Unmarshal(acp.Member(params, "options"), &list, jsontext.AllowInvalidUTF8(true)) != nil {
		return params
	}
	kept := slices.DeleteFunc(slices.Clone(list), func(o jsontext.Value) bool {
		kind, _ := acp.StringOf(acp.Member(o, "kind"))
		return acp.PermissionOptionKind(kind) == acp.PermissionOptionKindAllowAlways
	})
	all, err := json.Marshal(kept, jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	if err != nil || len(kept) == len(list) {
		return params
	}
	return acp.SetMember(params, "options", all)
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
