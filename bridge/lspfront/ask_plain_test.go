package lspfront

import (
	"encoding/json"
	"testing"
)

// picks answers window/showMessageRequest with the action of a title, null if there is none.
func picks(title string) handler {
	return func(params json.RawMessage, _ <-chan struct{}) (any, *rpcError) {
		var p struct{ Actions []struct{ Title string } }
		json.Unmarshal(params, &p)
		for _, a := range p.Actions {
			if a.Title == title {
				return obj{"title": a.Title}, nil
			}
		}
		return nil, nil
	}
}

var _ = testing.Short
