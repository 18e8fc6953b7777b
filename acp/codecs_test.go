package acp

import (
	"os"
	"reflect"
	"regexp"
	"sync"
	"testing"
)

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
