package policy

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestAMistakeInTheRulesIsShownWhereItIs: with line and column, in words of JSON and not of this program.
func TestAMistakeInTheRulesIsShownWhereItIs(t *testing.T) {
	for in, want := range map[string]string{
		"[\n  {\"tool\": 1}]": "2:12: permission.rules[0].tool is a number; write a string",
		"[\n  {\"tool\": \"edit\",\n   \"decision\": \"yes\"}]":            "3:4: permission.rules[0].decision is \"yes\"; write allow, deny or ask",
		"[{\"tool\":\"shell\",\"argv\":\"ls\",\"decision\":\"ask\"}]":      "1:25: permission.rules[0].argv is a string; write an array of strings",
		"[{\"tool\":\"edit\",\"decision\":\"ask\"},\n \"é\", 7]":           "2:2: permission.rules[1]: a string; write an object",
		"[{\"tool\":\"edit\",\"decision\":\"ask\",\"é\":1,\n\"paths\":1}]": "1:34: permission.rules[0] has the member \"é\", which no rule has; write tool, path, argv, command or decision",
		"{}":                  "1:1: permission.rules is not an array: it is an object",
		"[{\"tool\":\"edit\"": "1:16: permission.rules is no valid JSON: it ends too early",
		"[{\"tool\":\"edit\",\"decision\":\"ask\"},\n ,]": "2:2: permission.rules is no valid JSON: ",
	} {
		_, err := ParseRules([]byte(in))
		var e *RuleError
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", in, err)
			continue
		}
		line, column := e.In([]byte(in))
		if got := fmt.Sprintf("%d:%d: %v", line, column, err); !strings.HasPrefix(got, want) || strings.Contains(got, "Go ") || strings.Contains(got, "policy.") {
			t.Errorf("%s:\n%s\nwant\n%s", in, got, want)
		}
	}
}
