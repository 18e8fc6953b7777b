package lspfront

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// labelled is an ACP value of the agent's with all that it has for the eye passed through the filter, so that no plugin needs one:
// names, titles, descriptions and hints. What is sent back (ids, values) stays as it came; a list of bare values that cannot be
// shown as they are gets titles.
func labelled(v any) jsontext.Value {
	b := raw(v)
	var tree any
	if len(b) == 0 || acp.Unmarshal(b, &tree) != nil || !label(tree, "") {
		return b
	}
	return raw(tree)
}

// label filters what is in a JSON value, which is the member at of another, and says whether that changed anything.
func label(v any, at string) (changed bool) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			changed = label(x, at) || changed
		}
	case map[string]any:
		for name, x := range v {
			text, ok := x.(string)
			switch {
			case !ok && name == "properties":
				changed = labelProperties(x) || changed
			case !ok:
				changed = label(x, name) || changed
			case name == "description": // may have lines
				v[name] = escape.Text(text)
				changed = changed || v[name] != text
			case name == "title" || name == "name" || name == "hint" || name == "default" && isText(v):
				v[name] = escape.Inline(text)
				changed = changed || v[name] != text
			}
		}
		changed = labelValues(v, at) || changed
	}
	return changed
}

// isText says that a property of a form is one that is typed.
func isText(property map[string]any) bool {
	return property["type"] == "string" && property["enum"] == nil && property["oneOf"] == nil
}

// labelProperties filters the fields of a form; the name of one is its label where it has no title.
func labelProperties(v any) (changed bool) {
	fields, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for name, x := range fields {
		field, ok := x.(map[string]any)
		if title, _ := field["title"].(string); ok && title == "" && escape.Inline(name) != name {
			field["title"], changed = escape.Inline(name), true
		}
		changed = label(x, name) || changed
	}
	return changed
}

// labelValues gives values to choose from titles where they cannot be shown as they are: a const without a title, and an enum,
// which becomes a list of those (ACP v1 elicitation: oneOf of a string, anyOf of the items of a list).
func labelValues(v map[string]any, at string) (changed bool) {
	if value, ok := v["const"].(string); ok && escape.Inline(value) != value {
		if title, _ := v["title"].(string); title == "" {
			v["title"], changed = escape.Inline(value), true
		}
	}
	values, _ := v["enum"].([]any)
	titled, odd := make([]any, len(values)), false
	for i, x := range values {
		value, _ := x.(string)
		shown := escape.Inline(value)
		titled[i], odd = map[string]any{"const": x, "title": shown}, odd || shown != value
	}
	if !odd {
		return changed
	}
	delete(v, "enum")
	if at == "items" {
		v["anyOf"] = titled
	} else {
		v["oneOf"] = titled
	}
	return true
}
