package acptest

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// match compares a value with a pattern, both JSON, and returns "" or what is different.
func match(pattern string, value jsontext.Value) string {
	if pattern == "" {
		return ""
	}
	var want, have any
	if err := json.Unmarshal([]byte(pattern), &want); err != nil {
		return "the pattern is no JSON: " + err.Error()
	}
	if len(value) > 0 {
		if err := json.Unmarshal(value, &have, jsontext.AllowDuplicateNames(true)); err != nil {
			return "the message is no JSON: " + err.Error()
		}
	}
	return differ("", want, have)
}

func differ(path string, want, have any) string {
	at := func(format string, args ...any) string {
		return strings.TrimPrefix(path+": ", ": ") + fmt.Sprintf(format, args...)
	}
	switch want := want.(type) {
	case string:
		if want == "*" {
			return ""
		}
		if expr, ok := strings.CutPrefix(want, "re:"); ok {
			re, err := regexp.Compile(expr)
			if err != nil {
				return at("%v", err)
			}
			if text, ok := have.(string); ok && re.MatchString(text) {
				return ""
			}
			return at("want a match of %s, have %s", expr, show(have))
		}
	case map[string]any:
		object, ok := have.(map[string]any)
		if !ok {
			return at("want an object, have %s", show(have))
		}
		for name, inner := range want {
			value, ok := object[name]
			if !ok {
				return at("no member %s", name)
			}
			if d := differ(path+"/"+name, inner, value); d != "" {
				return d
			}
		}
		return ""
	case []any:
		list, ok := have.([]any)
		if !ok || len(list) != len(want) {
			return at("want a list of %d, have %s", len(want), show(have))
		}
		for i := range want {
			if d := differ(fmt.Sprintf("%s/%d", path, i), want[i], list[i]); d != "" {
				return d
			}
		}
		return ""
	}
	if !reflect.DeepEqual(want, have) {
		return at("want %s, have %s", show(want), show(have))
	}
	return ""
}

func show(v any) string {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return fmt.Sprint(v)
	}
	return short(string(text))
}

// short cuts what is shown of a message.
func short(s string) string {
	return escape.Clip(s, maxShown)
}
