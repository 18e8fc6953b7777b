package acp

import (
	"os"
	"reflect"
	"regexp"
	"sync"
	"testing"
)

// plainChunks are what the shortcut takes.
var plainChunks = []string{
	`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}}`,
	`{"sessionId":"\u0073","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"a\n\"b\" \ud800 é"}}}`,
	`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":""}}}`,
}

func TestPlainChunksTakeTheShortcutAndNothingElseDoes(t *testing.T) {
	for _, text := range plainChunks {
		if !plainChunk([]byte(text), new(SessionNotification)) {
			t.Errorf("%s does not take the shortcut", text)
		}
	}
	for _, text := range []string{
		``, `null`, `{}`,
		`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}} 5`,
		`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi","text":"ho"}}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"},"_meta":{}}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":5}}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","messageId":null,"content":{"type":"text","text":""}}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"tool_call","content":{"type":"text","text":"hi"}}}`,
		`{"sessionId":7,"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}}`,
	} {
		n := SessionNotification{SessionID: "before"}
		if plainChunk([]byte(text), &n) || n.SessionID != "before" {
			t.Errorf("%s takes the shortcut", text)
		}
	}
}

// A type that buildCodecs does not reach could be neither written nor read.
func TestTheCodecKnowsEveryGeneratedType(t *testing.T) {
	source, err := os.ReadFile("types.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for typ := range protocol().layouts {
		known[typ.Name()] = true
	}
	all := regexp.MustCompile(`(?m)^type (\w+) struct`).FindAllSubmatch(source, -1)
	if len(all) < 100 {
		t.Fatalf("found only %d types", len(all))
	}
	for _, m := range all {
		if !known[string(m[1])] {
			t.Errorf("%s is in no message of the protocol", m[1])
		}
	}
}

func TestATypeOutsideTheProtocolIsRefusedAndNotLearnt(t *testing.T) {
	type stranger struct{ A int }
	defer func() {
		if recover() == nil {
			t.Error("learnt a type after the codecs were built")
		}
	}()
	protocol().of(reflect.TypeFor[stranger](), fieldTag{})
}

func TestGoroutinesShareTheCodecs(t *testing.T) {
	all := recordings(t)
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			for _, r := range all {
				v := r.typ()
				if err := Unmarshal(r.payload, v); err != nil {
					t.Errorf("%s: %v", r.where, err)
				} else if _, err := Marshal(v); err != nil {
					t.Errorf("%s: %v", r.where, err)
				}
			}
		})
	}
	running.Wait()
}

// newParams returns a pointer to the zero params of a method, nil for a method that is not in the protocol.
func newParams(method string) any { return newOf(method, func(m methodTypes) any { return m.params }) }

// newResult returns a pointer to the zero result of a method, nil for a notification and for a method that is not in the
// protocol.
func newResult(method string) any { return newOf(method, func(m methodTypes) any { return m.result }) }

func newOf(method string, part func(methodTypes) any) any {
	for _, m := range methods() {
		if m.name == method {
			return part(m)
		}
	}
	return nil
}
