package permission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// InAgentsWords has the question shown as the agent asks it, params of ACP v1 session/request_permission with the session id
// that the editor knows. What the bridge takes otherwise than the agent puts it is set right in them.
func (q *Question) InAgentsWords(params jsontext.Value) {
	raw, notes := namedByKind(params)
	q.Raw, q.Notes = raw, append(q.Notes, notes...)
	if q.otherwise {
		q.Raw = withDiffs(q.Raw, q.Diffs)
	}
}

// Outcome is what the agent hears: the option it offered that means the decision, and nothing that it could take for "always".
// It is "" where it offered none: the question counts as cancelled then. yes says that the agent hears of a yes.
func (q *Question) Outcome(offered []acp.PermissionOption, allowed bool) (id acp.PermissionOptionID, yes bool) {
	kind := acp.PermissionOptionKindRejectOnce
	if allowed {
		kind = acp.PermissionOptionKindAllowOnce
	}
	switch {
	case q.closed:
		return "", false
	case q.picked.Kind == acp.PermissionOptionKindRejectOnce, q.picked.Kind == acp.PermissionOptionKindRejectAlways:
		return q.picked.OptionID, false
	}
	for _, o := range offered {
		if o.Kind == kind && (q.picked.Kind != kind || q.picked.OptionID == o.OptionID) {
			return o.OptionID, allowed
		}
	}
	return "", false
}

// AsAnswered is the answer that the editor gave to the agent's own words, where it says what resp does.
func (q *Question) AsAnswered(resp *acp.RequestPermissionResponse) any {
	var theirs acp.RequestPermissionResponse
	if q.answer == nil || acp.Unmarshal(q.answer, &theirs) != nil {
		return resp
	}
	ours, _ := resp.Outcome.(*acp.SelectedPermissionOutcome)
	chosen, _ := theirs.Outcome.(*acp.SelectedPermissionOutcome)
	if ours == nil && chosen == nil || ours != nil && chosen != nil && ours.OptionID == chosen.OptionID {
		return q.answer
	}
	return resp
}

// namedByKind returns the params of an agent's question with names that say what the bridge takes each option for. A name
// that clearly says it stays, any other gives way to the bridge's words, and an option of a kind that the bridge does not
// know is left out: nobody knows what it would allow. notes tell the user what the agent had called it. Where all names
// agree the params are returned as they came.
func namedByKind(params jsontext.Value) (out jsontext.Value, notes []string) {
	seen := map[string]bool{}
	kept := []jsontext.Value{}
	for _, raw := range listIn(params, "options") {
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
	return withList(params, "options", kept), notes
}

// withoutAlways is an agent's question without the options that allow for good: what is not understood is not offered so.
func withoutAlways(params jsontext.Value) jsontext.Value {
	list := listIn(params, "options")
	kept := slices.DeleteFunc(slices.Clone(list), func(o jsontext.Value) bool {
		kind, _ := acp.StringOf(acp.Member(o, "kind"))
		return acp.PermissionOptionKind(kind) == acp.PermissionOptionKindAllowAlways
	})
	if len(kept) == len(list) {
		return params
	}
	return withList(params, "options", kept)
}

// withDiffs is a question of the agent's with the changes as they would happen in place of those that it shows.
func withDiffs(params jsontext.Value, diffs []FileDiff) jsontext.Value {
	call := acp.Member(params, "toolCall")
	items := slices.DeleteFunc(listIn(call, "content"), func(item jsontext.Value) bool {
		kind, _ := acp.StringOf(acp.Member(item, "type"))
		return kind == "diff"
	})
	for _, d := range diffs {
		if item, err := acp.Marshal(d.Content()); err == nil {
			items = append(items, item)
		}
	}
	return acp.SetMember(params, "toolCall", withList(call, "content", items))
}

// listIn is the list that a member of obj holds, nil if it holds none.
func listIn(obj jsontext.Value, name string) (list []jsontext.Value) {
	if obj == nil || json.Unmarshal(acp.Member(obj, name), &list, jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	return list
}

// withList is obj with another list in that member.
func withList(obj jsontext.Value, name string, list []jsontext.Value) jsontext.Value {
	all, err := json.Marshal(list, jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		return obj // each was read as a value just before
	}
	return acp.SetMember(obj, name, all)
}
