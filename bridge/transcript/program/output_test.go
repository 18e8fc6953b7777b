package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// read gives data to a decoder in pieces of a size and returns what came of it, chunks of text joined.
func read(asJSON bool, data []byte, size int) (shown []string, o *Outcome, open map[acp.ToolCallID]int) {
	o, open = &Outcome{}, map[acp.ToolCallID]int{}
	var text strings.Builder
	end := func() {
		if text.Len() > 0 {
			shown = append(shown, "text "+text.String())
			text.Reset()
		}
	}
	st := Stage{Remark: func(text string) { end(); shown = append(shown, "remark "+text) }, Tell: func(kind, text string) { shown = append(shown, kind+" "+text) }, Show: func(u acp.SessionUpdate) {
		switch u := u.(type) {
		case *acp.AgentMessageChunk:
			text.WriteString(u.Content.(*acp.TextContent).Text)
			return
		case *acp.ToolCall:
			end()
			shown = append(shown, fmt.Sprintf("call %q %s", u.ToolCallID, u.Title))
			open[u.ToolCallID]++
		case *acp.ToolCallUpdate:
			end()
			shown = append(shown, fmt.Sprintf("end %q %s", u.ToolCallID, *u.Status))
			open[u.ToolCallID]--
		}
	}}
	var d decoder = newTextOutput(st, o)
	if asJSON {
		d = newJSONOutput(st, o, "editor")
	}
	for len(data) > 0 {
		n := min(size, len(data))
		d.write(data[:n])
		data = data[n:]
	}
	d.done()
	end()
	return shown, o, open
}

// FuzzWhereOutputIsCutDoesNotMatter: the pipe tears it anywhere. Nothing of an escape sequence is left, and every tool
// call that was begun is ended.
func FuzzWhereOutputIsCutDoesNotMatter(f *testing.F) {
	for _, s := range []string{
		"\x1b[32manswer\x1b[0m to\r\n\n x \x1b]0;title\x07 \xf0\x9f\x99\x82\xf0\x9f", "Error: no", "Error", "  \n\nError: x\ny", "\n\n  indented\n\n", "",
		`{"type":"assistant.message_delta","data":{"messageId":"m","deltaContent":"a \u001b[1mb"}}` + "\n" + `{"type":"tool.execution_start","data":{"toolCallId":"c","toolName":"view","arguments":{"path":"/x"}}}` + "\n" +
			`{"type":"tool.execution_start","data":{"toolCallId":"d","toolName":"bash"}}` + "\n" + `{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":"y"}}}` + "\n" +
			`{"type":"result","sessionId":"s","exitCode":0,"usage":{"a":1}}`,
		`{"type":"session.error","data":{"message":"boom","statusCode":413,"errorType":"query"}}` + "\nnot json\n" + `{"type":`, `{"type":7}`, `{"type":"assistant.message","data":[]}`,
	} {
		f.Add([]byte(s), 1)
		f.Add([]byte(s), 7)
	}
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		if size < 1 || size > 1<<16 {
			return
		}
		for _, asJSON := range []bool{false, true} {
			whole, a, open := read(asJSON, data, 1<<20)
			torn, b, _ := read(asJSON, data, size)
			if diff := cmp.Diff(whole, torn); diff != "" {
				t.Fatalf("JSON %v: %s", asJSON, diff)
			}
			if diff := cmp.Diff(*a, *b, cmp.AllowUnexported(Outcome{})); diff != "" {
				t.Fatalf("JSON %v: %s", asJSON, diff)
			}
			for _, s := range whole {
				if strings.HasPrefix(s, "text ") && strings.ContainsAny(s, "\x1b\u009b") {
					t.Fatalf("an escape sequence: %q", s)
				}
			}
			for id, n := range open {
				if n != 0 {
					t.Fatalf("call %q: %d are open", id, n)
				}
			}
		}
	})
}

// FuzzExplain: whatever a program says, a failure is one safe line, and what is no failure has said something.
func FuzzExplain(f *testing.F) {
	f.Add("Error: prompt is too long: 1950 tokens > 1500 maximum (413)", "", 1, false)
	f.Add("", "No session, task, or name matched 'x'.", 1, true)
	f.Add("\x1b]0;x\x07boom\u202e", "", 0, false)
	f.Fuzz(func(t *testing.T, stderr, stray string, code int, resumed bool) {
		o := &Outcome{stderr: stderr, stray: stray, Exit: guard.Exit{Code: code}}
		got := o.Failure("copilot", resumed)
		if got == nil {
			t.Fatal("it said nothing, and that is no failure")
		}
		if strings.ContainsAny(got.Message, "\n\r\x1b\u202e\u009b") || len(got.Message) > 8*maxSentence {
			t.Fatalf("%q", got.Message)
		}
		if got.Limit != 0 && (got.Reason != TooLong || got.Limit < LeastLimit) {
			t.Fatalf("%+v", got)
		}
	})
}

// A remark of the program's is shown, but not that the tools are off which the editor's have taken the place of.
func TestNoticesAboutOurToolsAreNotShown(t *testing.T) {
	info := func(message string) string {
		return fmt.Sprintf(`{"type":"session.info","data":{"infoType":"configuration","message":%q}}`, message) + "\n"
	}
	remarks := info("Disabled tools: bash, edit, view") + info(`Unknown tool name in the tool excludedlist: "apply_patch"`)
	if shown, _, _ := read(true, []byte(remarks), 1000); len(shown) > 0 {
		t.Errorf("shown: %q", shown)
	}
	if shown, _, _ := read(true, []byte(remarks+info("Something else")), 1000); len(shown) != 1 || shown[0] != "remark Info: Something else\n" {
		t.Errorf("shown: %q", shown)
	}
	var shown []string
	d := newJSONOutput(Stage{Remark: func(text string) { shown = append(shown, text) }}, &Outcome{}, "") // without the editor's tools they are what the user has switched off
	d.write([]byte(remarks))
	d.done()
	if len(shown) != 2 {
		t.Errorf("shown: %q", shown)
	}
}

func TestTheLimitIsReadFromTheErrorsText(t *testing.T) {
	for text, want := range map[string]int{
		"prompt is too long: 1950 tokens > 1500 maximum (413)":                                     1500,
		"400 prompt token count of 200000 exceeds the limit of 128000":                             128000,
		"this model's maximum context length is 8,192 tokens. however, you requested 10000":        8192,
		"input is too long: 210000 tokens > 200_000 maximum":                                       200000,
		"model_max_prompt_tokens_exceeded: prompt token count of 65000 exceeds the limit of 64000": 64000,
		"413 payload too large":                    0,
		"the limit is 3 requests":                  0,
		"maximum context: 99999999999999999999999": 0,
	} {
		if got := namedLimit(text); got != want {
			t.Errorf("%s: %d", text, got)
		}
	}
}
