package copilot

import "testing"

// TestTheLogTellsOfTurns: lines of Copilot CLI 1.0.102, shortened.
func TestTheLogTellsOfTurns(t *testing.T) {
	for line, want := range map[string]TurnSign{
		`{"type":"user.message","data":{"content":"[Scheduled prompt #1]\nx","source":"schedule-1","delivery":"idle","turnId":"0"},"id":"a"}`: SelfPrompted,
		`{"type":"user.message","data":{"content":"x","delivery":"idle","turnId":"0"},"id":"a"}`:                                              NoTurnSign,
		`{"type":"user.message","data":{"content":"sub","source":"agent-366f84e6","turnId":"0"},"id":"a","agentId":"efb4293b"}`:               NoTurnSign,
		`{"type":"assistant.turn_start","data":{"turnId":"0","interactionId":"4b2f"},"id":"a"}`:                                               RoundBegan,
		`{"type":"assistant.turn_start","data":{"turnId":"0","parentToolCallId":"call_1"},"id":"a","agentId":"efb4293b"}`:                     NoTurnSign,
		`{"type":"assistant.message","data":{"content":"hello","toolRequests":[{"toolCallId":"c","name":"edit"}],"turnId":"0"},"id":"a"}`:     ToolsAsked,
		`{"type":"assistant.message","data":{"content":"\"toolRequests\":[{}]","toolRequests":[],"turnId":"0"},"id":"a"}`:                     NoTurnSign,
		`{"type":"assistant.turn_end","data":{"turnId":"0"},"id":"a"}`:                                                                        RoundEnded,
		`{"type":"assistant.turn_end","data":{"turnId":"0","parentToolCallId":"call_1"},"id":"a","agentId":"efb4293b"}`:                       NoTurnSign,
		`{"type":"abort","data":{"reason":"user_initiated"},"id":"a"}`:                                                                        Aborted,
		`{"type":"session.error","data":{"message":"x"},"id":"a"}`:                                                                            NoTurnSign,
		`{"type":"assistant.turn_end","data":`:                                                                                                NoTurnSign,
		`{"data":{"type":"abort"}}`:                                                                                                           NoTurnSign,
	} {
		if got := turnSign([]byte(line)); got != want {
			t.Errorf("%s: %d, want %d", line, got, want)
		}
	}
}
