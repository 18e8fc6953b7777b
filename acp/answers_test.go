package acp

import (
	"testing"
)

// TestAnAnswerHasOneMeaning: no reading of what the user has decided is chosen among several, however leniently spellings are
// taken.
func TestAnAnswerHasOneMeaning(t *testing.T) {
	for _, text := range []string{
		`{"action":"decline","action":"accept"}`,
		`{"action":"decline","a\u0063tion":"accept"}`,
		`{"action":"decline","Action":"accept"}`,
		`{"action":"accept","content":{"a":1,"a":2}}`,
		`{"action":"accept","content":{},"content":{"a":1}}`,
	} {
		if err := Unmarshal([]byte(text), new(CreateElicitationResponse)); err == nil {
			t.Errorf("%s is an answer", text)
		}
	}
	for _, text := range []string{
		`{"outcome":{"outcome":"cancelled"},"outcome":{"outcome":"selected","optionId":"y"}}`,
		`{"outcome":{"outcome":"selected","optionId":"n","optionId":"y"}}`,
		`{"outcome":{"outcome":"cancelled","outcome":"selected","optionId":"y"}}`,
		`{"outcome":{"outcome":"selected","optionId":"n","option_id":"y"}}`,
		`{"outcome":{"outcome":"selected","optionId":"n","OPTIONID":"y"}}`,
		`{"outcome":{"outcome":"selected","optionId":"n"},"optionId":"y"}`,
		`{"outcome":{"outcome":"selected","optionId":"n"},"selected":{"optionId":"y"}}`,
		`{"outcome":"selected","optionId":"n","selected":{"optionId":"y"}}`,
		`{"outcome":{"outcome":"selected","optionId":"y"},"_meta":{"a":1,"a":2}}`,
	} {
		if err := Unmarshal([]byte(text), new(RequestPermissionResponse)); err == nil {
			t.Errorf("%s is an answer", text)
		}
		var within struct{ R RequestPermissionResponse }
		if err := Unmarshal([]byte(`{"R":`+text+`}`), &within); err == nil {
			t.Errorf("%s is an answer within another value", text)
		}
	}
	for text, v := range map[string]any{
		`{"action":"accept","content":{"a_b":1,"ab":2,"AB":3},"_meta":{"x":1,"X":2},"new":true}`: new(CreateElicitationResponse),
		`{"outcome":{"outcome":"selected","optionId":"y"},"_meta":{"optionId":"other"}}`:         new(RequestPermissionResponse),
		`{"outcome":"selected","optionId":"y"}`:                                                  new(RequestPermissionResponse),
	} {
		if err := Unmarshal([]byte(text), v); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
