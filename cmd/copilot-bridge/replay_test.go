package main

import (
	"strings"
	"testing"
)

const recorded = `{"dir":"c2a","t":1,"msg":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}}
{"dir":"a2c","t":2,"msg":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"_meta":{"k":[1,2]}}}}
{"dir":"a2c","t":3,"msg":{"jsonrpc":"2.0","method":"session/update","params":{"x":1}}}
{"dir":"c2a","t":4,"msg":{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{}}}
{"dir":"a2c","t":5,"msg":{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no"}}}
`

func TestReplayedAnswersAreWholeAndTakeTheIDsOfTheClient(t *testing.T) {
	client := `{"jsonrpc":"2.0","id":"a","method":"initialize"}
{"jsonrpc":"2.0","method":"$/something"}
{"jsonrpc":"2.0","id":"b","method":"session/prompt"}
`
	want := []string{
		`{"id":"a","jsonrpc":"2.0","result":{"protocolVersion":1,"_meta":{"k":[1,2]}}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"x":1}}`,
		`{"id":"b","jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}`,
	}
	var out strings.Builder
	if err := replay(strings.NewReader(recorded), "turn", strings.NewReader(client), &out); err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSpace(out.String()), "\n"); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("replay wrote\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestReplaySaysWhereTheClientLeftTheRecording(t *testing.T) {
	err := replay(strings.NewReader(recorded), "turn", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"session/new"}`), &strings.Builder{})
	if err == nil || !strings.Contains(err.Error(), `turn:1: the client sent "session/new" where the recording has "initialize"`) {
		t.Errorf("error %v", err)
	}
}
