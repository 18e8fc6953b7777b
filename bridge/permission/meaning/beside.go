package meaning

import (
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// Beside says whether a question's call has more in it than was read: members that the protocol does not have, or known ones
// that hold something else than they should, which are as if they were not there. raw is the call as it came, nil where nobody
// knows. What is below _meta says nothing to anybody who does not know it, by the protocol.
func Beside(call *acp.ToolCallUpdate, raw jsontext.Value) bool {
	foreign := func(extra jsontext.Value) bool { return len(extra) > 0 }
	switch {
	case foreign(call.Extra),
		slices.ContainsFunc(call.Locations, func(l acp.ToolCallLocation) bool { return foreign(l.Extra) }),
		slices.ContainsFunc(call.Content, func(c acp.ToolCallContent) bool {
			switch c := c.(type) {
			case *acp.Diff:
				return foreign(c.Extra)
			case *acp.Content:
				return foreign(c.Extra)
			case *acp.Terminal:
				return foreign(c.Extra)
			}
			return true // of a kind that is not known
		}):
		return true
	case raw == nil:
		return false
	}
	read, err := acp.Marshal(call)
	if err != nil {
		return true
	}
	came, ok := plainValue(raw)
	again, _ := plainValue(read)
	if members, is := again.(map[string]any); is {
		delete(members, "sessionUpdate") // as it is written outside a question
	}
	return !ok || !reflect.DeepEqual(came, again)
}

// plainValue is a value without members that are null, which says the same as that they are not there. Characters that are cut
// in the middle, as words for the user may be, are replaced.
func plainValue(raw jsontext.Value) (v any, ok bool) {
	if json.Unmarshal(raw, &v, jsontext.AllowInvalidUTF8(true)) != nil {
		return nil, false
	}
	return withoutNulls(v), true
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			if x == nil {
				delete(v, name)
			} else {
				v[name] = withoutNulls(x)
			}
		}
	case []any:
		for i, x := range v {
			v[i] = withoutNulls(x)
		}
	}
	return v
}
