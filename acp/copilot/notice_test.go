package copilot

import (
	"fmt"
	"strings"
	"testing"
)

func TestWholeMessagesAreClassified(t *testing.T) {
	for text, want := range map[string]string{
		"Info: Disabled tools: edit, view":                                "info Disabled tools: edit, view",
		"Info: /ws/n.txt":                                                 "info /ws/n.txt",
		"Error: 400 bad thing\nsecond line":                               "error 400 bad thing\nsecond line",
		"Information is here":                                             " ",
		"Warning: this deletes files":                                     " ",
		"Warning: 1 tool call(s) had no recorded result at resume. Files": "warning 1 tool call(s) had no recorded result at resume. Files",
		"An Error: x":                                                     " ",
		"":                                                                " ",
		"Error: " + strings.Repeat("x", maxNotice):                        " ",
		"Error: Failed to get response from the AI model; retried 5 times Last error: 500 boom":    "error Failed to get response from the AI model; retried 5 times Last error: 500 boom",
		"Error: Authentication failed with provider at http://127.0.0.1:1/v1 (HTTP 401).\n  Check": "error Authentication failed with provider at http://127.0.0.1:1/v1 (HTTP 401).\n  Check",
	} {
		kind, body := Classify(text)
		if got := string(kind) + " " + body; got != want {
			t.Errorf("%.60q: %q", text, got)
		}
	}
}

func TestNoticesAreFoundInTheStream(t *testing.T) {
	for name, c := range map[string]struct {
		chunks []string // "|" stands for Flush
		want   string
	}{
		"two, then text":           {[]string{"Info: Disabled tools: a", `Info: Unknown tool name in the tool excludedlist: "x"`, "h", "i"}, `info/tools "Disabled tools: a", info/tools "Unknown tool name in the tool excludedlist: \"x\""`},
		"after text":               {[]string{"do", "ing", " it", "Info: Operation cancelled by user"}, `info/cancelled "Operation cancelled by user"`},
		"a file":                   {[]string{"do", "Info: /ws/n.txt", "after"}, `info/file "/ws/n.txt"`},
		"retries":                  {[]string{"Info: Request failed due to a transient API error. Retrying...", "Error: Failed to get response from the AI model; retried 5 times"}, `info/retry "Request failed due to a transient API error. Retrying...", error/model "Failed to get response from the AI model; retried 5 times"`},
		"status":                   {[]string{"Error: 400 bad"}, `error/model "400 bad"`},
		"sign in":                  {[]string{"Error: Authentication failed with provider", "|"}, `error/sign-in "Authentication failed with provider"`},
		"cut off, then text":       {[]string{"Warning: 1 tool call(s) had no recorded result at resume. Verify.", "go", "ing on"}, `warning/cut-off "1 tool call(s) had no recorded result at resume. Verify."`},
		"the model warns":          {[]string{"Warning: this deletes files", "|"}, ``},
		"unknown, alone":           {[]string{"Error: something new", "|"}, `error/ "something new"`},
		"unknown, then a notice":   {[]string{"Info: something new", "Info: Operation cancelled by user"}, `info/ "something new", info/cancelled "Operation cancelled by user"`},
		"unknown, twice":           {[]string{"Info: one", "Info: two", "|"}, `info/ "one", info/ "two"`},
		"unknown, not flushed":     {[]string{"Error: something new"}, ``},
		"the model's own":          {[]string{"Error: the", " test fails", " because", "|"}, ``},
		"the model's, in pieces":   {[]string{"Err", "or", ": the", " test", "|"}, ``},
		"unknown in mid-text":      {[]string{"it said ", "Error: no such file", "|"}, ``},
		"known, in pieces":         {[]string{"Er", "ror: Failed to get res", "ponse from the AI model; x", "|"}, `error/model "Failed to get response from the AI model; x"`},
		"like one at first":        {[]string{"Inf", "inity", "Error: x", "|"}, ``},
		"after a boundary":         {[]string{"text", "|", "Error: x", "|"}, `error/ "x"`},
		"empty chunks":             {[]string{"", "", "Error: x", "", "|"}, `error/ "x"`},
		"a relative path is text":  {[]string{"Info: ws/n.txt", " is the file"}, ``},
		"after one, a new message": {[]string{"Info: Operation cancelled by user", "Error: x", "|"}, `info/cancelled "Operation cancelled by user", error/ "x"`},
	} {
		var c2 Classifier
		var got []string
		for _, chunk := range c.chunks {
			hear := c2.Write
			if chunk == "|" {
				hear = func(string) []Notice { return c2.Flush() }
			}
			for _, n := range hear(chunk) {
				got = append(got, fmt.Sprintf("%s/%s %q", n.Kind, n.Topic, n.Text))
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s\nwant %s", name, s, c.want)
		}
	}
}

// What Copilot says of the tools that the bridge has switched off is told from what the user has brought about.
func TestNoticesAboutOurToolsAreKnown(t *testing.T) {
	for text, want := range map[string]bool{
		"Info: Disabled tools: bash, create, edit, glob, grep, list_bash, read_bash, stop_bash, view": true,
		"Info: Disabled tools: edit":                                           true,
		"Info: Disabled tools: edit, task\n":                                   true,
		`Info: Unknown tool name in the tool excludedlist: "apply_patch"`:      true,
		`Info: Unknown tool name in the tool excludedlist: "stop_bash"` + "\n": true,
		"Info: Disabled tools: task":                                           false, // the user's own list
		`Info: Unknown tool name in the tool excludedlist: "foo"`:              false,
		`Info: Unknown tool name in the tool excludedlist: "my_edit"`:          false,
		`Info: Unknown tool name in the tool `:                                 false,
		"Info: Disabled":                                                       false,
		"I said Info: Disabled tools: edit":                                    false,
		"Error: Disabled tools: edit":                                          false,
		"Info: Operation cancelled by user: edit":                              false,
		"Info: /ws/edit":                                                       false,
		"":                                                                     false,
	} {
		if AboutOurTools(text) != want {
			t.Errorf("%s: not %v", text, want)
		}
		if raw := fmt.Appendf(nil, "%q", text); want && !MayBeNotice(raw) {
			t.Errorf("%s: passed over", raw)
		}
	}
}
