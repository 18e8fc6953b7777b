package acp

import "github.com/go-json-experiment/json/jsontext"

// Within returns obj with what stands at a path of members changed. The objects on the way are made where there are none; all else
// keeps its bytes.
func Within(obj jsontext.Value, path []string, change func(jsontext.Value) jsontext.Value) jsontext.Value {
	if obj.Kind() != '{' {
		obj = jsontext.Value("{}")
	}
	if len(path) == 0 {
		return change(obj)
	}
	return SetMember(obj, path[0], Within(Member(obj, path[0]), path[1:], change))
}

// SetWithin is SetMember for the object at a path of members.
func SetWithin(obj jsontext.Value, path []string, name string, value jsontext.Value) jsontext.Value {
	return Within(obj, path, func(at jsontext.Value) jsontext.Value { return SetMember(at, name, value) })
}
