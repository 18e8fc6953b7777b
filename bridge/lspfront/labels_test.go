package lspfront

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// evilLabel is one that would take a terminal's title, turn the text around and hide what follows.
const evilLabel = `x\u001b]0;t\u0007\u202e\u200b`

// TestWhatAnAgentNamesIsFilteredOnce: names, titles and descriptions of forms, modes, options, commands and sessions are shown by
// plugins as they come, so they come filtered; ids and values come as they are, for they are sent back.
func TestWhatAnAgentNamesIsFilteredOnce(t *testing.T) {
	decode := func(text string, v any) {
		t.Helper()
		if err := acp.Unmarshal([]byte(strings.ReplaceAll(text, "EVIL", evilLabel)), v); err != nil {
			t.Fatal(err)
		}
	}
	var schema acp.ElicitationSchema
	decode(`{"type":"object","title":"EVIL","description":"EVIL","required":["c"],"properties":{
		"title":{"type":"string","title":"EVIL","description":"EVIL","default":"EVIL"},
		"description":{"type":"number","title":"EVIL"},
		"c":{"type":"string","title":"T","oneOf":[{"const":"a","title":"EVIL","description":"EVIL"}]},
		"m":{"type":"array","title":"EVIL","items":{"anyOf":[{"const":"a","title":"EVIL"}]}}}}`, &schema)
	var modes acp.SessionModeState
	decode(`{"currentModeId":"m","availableModes":[{"id":"m","name":"EVIL","description":"EVIL"}]}`, &modes)
	var options []acp.SessionConfigOption
	decode(`[{"id":"o","name":"EVIL","description":"EVIL","type":"select","currentValue":"v","options":[{"value":"v","name":"EVIL","description":"EVIL"}]},
		{"id":"g","name":"EVIL","type":"select","currentValue":"v","options":[{"group":"g","name":"EVIL","options":[{"value":"v","name":"EVIL"}]}]}]`, &options)
	var commands []acp.AvailableCommand
	decode(`[{"name":"EVIL","description":"EVIL","input":{"hint":"EVIL"}}]`, &commands)
	title := strings.NewReplacer(`\u001b`, "\x1b", `\u0007`, "\a", `\u202e`, "\u202e", `\u200b`, "\u200b").Replace(evilLabel)
	for name, c := range map[string]struct {
		got   any
		wants []string
	}{
		"form":    {inputRequest{Schema: labelled(&schema)}, []string{`"properties":{`, `"const":"a"`, `"type":"number"`, `"required":["c"]`}},
		"changed": {encodeChange(&bridge.SessionChanged{Session: "s", Title: &title, Modes: &modes, Options: options, Commands: commands}, nil), []string{`"id":"m"`, `"value":"v"`, `"group":"g"`}},
		"opened":  {encodeInfo(bridge.Info{ID: "s", Modes: &modes, Options: options, Commands: commands}, nil), []string{`"currentModeId":"m"`}},
		"listed":  {encodeListed(bridge.Info{ID: "s", Title: title}), []string{`"sessionId":"s"`}},
	} {
		text := string(raw(c.got))
		for _, bad := range []string{"\x1b", `\u001b`, "\a", `\u0007`, "\u202e", "\u200b", `\u202e`, `\u200b`} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %q: %s", name, bad, text)
			}
		}
		for _, want := range append(c.wants, "<U+202E>") {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %s: %s", name, want, text)
			}
		}
	}
}

// TestValuesThatCannotBeShownHaveTitles: a value is an answer and stays as it is; what stands for it on the screen is filtered.
func TestValuesThatCannotBeShownHaveTitles(t *testing.T) {
	var schema acp.ElicitationSchema
	text := strings.ReplaceAll(`{"type":"object","properties":{"EVIL":{"type":"boolean"},
		"one":{"type":"string","enum":["a","EVIL"]},"many":{"type":"array","items":{"type":"string","enum":["EVIL"]}},"plain":{"type":"string","enum":["a"]}}}`, "EVIL", `v\u202e`)
	if err := acp.Unmarshal([]byte(text), &schema); err != nil {
		t.Fatal(err)
	}
	type value struct {
		Const string `json:"const"`
		Title string `json:"title"`
	}
	var got struct {
		Properties map[string]struct {
			Title string   `json:"title"`
			Enum  []string `json:"enum"`
			OneOf []value  `json:"oneOf"`
			Items struct {
				Enum  []string `json:"enum"`
				AnyOf []value  `json:"anyOf"`
			} `json:"items"`
		} `json:"properties"`
	}
	if err := acp.Unmarshal(labelled(&schema), &got); err != nil {
		t.Fatal(err)
	}
	p := got.Properties
	if f := p["v\u202e"]; f.Title != "v<U+202E>" {
		t.Errorf("the field: %+v", f)
	}
	if f := p["one"]; len(f.Enum) > 0 || len(f.OneOf) != 2 || f.OneOf[0].Const != "a" || f.OneOf[0].Title != "a" || f.OneOf[1].Const != "v\u202e" || f.OneOf[1].Title != "v<U+202E>" {
		t.Errorf("one: %+v", f)
	}
	if f := p["many"].Items; len(f.Enum) > 0 || len(f.AnyOf) != 1 || f.AnyOf[0].Const != "v\u202e" || f.AnyOf[0].Title != "v<U+202E>" {
		t.Errorf("many: %+v", f)
	}
	if f := p["plain"]; len(f.Enum) != 1 || len(f.OneOf) > 0 {
		t.Errorf("plain: %+v", f)
	}
}
