package meaning

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// TestWhatIsBesideAQuestionIsFound: members that nobody knows, and known ones that hold something else, in the call and in its
// lists; nothing that real agents send is one.
func TestWhatIsBesideAQuestionIsFound(t *testing.T) {
	for call, want := range map[string]bool{
		``: false,
		`,"rawInput":{"a":1e0,"b":[null,{"c":null}],"d":-0.0}`:                                                                                                                    false,
		`,"kind":"edit","status":"pending","title":"x\ud800","locations":[{"path":"/a","line":3}],"_meta":{"command":"rm"}`:                                                       false,
		`,"content":[{"type":"diff","path":"/a","oldText":null,"newText":"\ud83d"},{"type":"content","content":{"type":"text","text":"x"}},{"type":"terminal","terminalId":"t"}]`: false,
		`,"kind":null,"content":null,"locations":null,"rawInput":null,"title":null`:                                                                                               false,
		`,"locations":[{"path":"/a","_meta":{"path":"/b"}}]`:                                                                                                                      false,

		`,"command":"rm"`:                                true,
		`,"raw_input":{"command":"rm"}`:                  true,
		`,"kind":7`:                                      true,
		`,"title":["x"]`:                                 true,
		`,"content":{"type":"diff"}`:                     true,
		`,"content":[{"type":"script"}]`:                 true,
		`,"content":["x"]`:                               true,
		`,"locations":{"path":"/a"}`:                     true,
		`,"locations":[{"path":5}]`:                      true,
		`,"locations":["/a"]`:                            true,
		`,"locations":[{"path":"/a","line":1e400}]`:      true,
		`,"locations":[{"path":"/a","line":-1}]`:         true,
		`,"locations":[{"path":"/a","uri":"file:///b"}]`: true,
		`,"content":[{"type":"diff","path":"/a","oldText":5,"newText":"x"}]`:               true,
		`,"content":[{"type":"diff","path":"/a","newText":"x","targetPath":"/b"}]`:         true,
		`,"content":[{"type":"content","content":{"type":"text","text":"x"},"path":"/b"}]`: true,
		`,"content":[{"type":"terminal","terminalId":"t","command":"rm"}]`:                 true,
		`,"rawInput":{"a":1e999}`: true,
	} {
		raw := jsontext.Value(`{"toolCallId":"c"` + call + `}`)
		var u acp.ToolCallUpdate
		if err := acp.UnmarshalStrict(raw, &u); err != nil {
			if !want {
				t.Errorf("%s: %v", call, err)
			}
			continue // refused as a whole
		}
		if got := Beside(&u, raw); got != want {
			t.Errorf("%s: %v", call, got)
		}
		if strings.Contains(call, "uri") && !Beside(&u, nil) {
			t.Error("without the call as it came, members that are not known are missed")
		}
	}
}
