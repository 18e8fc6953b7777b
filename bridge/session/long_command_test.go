package session_test

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestACommandThatNobodyCouldReadIsRefusedAtOnce: 100,000 variables kept a processor busy for half a minute, and nobody reads
// the question.
func TestACommandThatNobodyCouldReadIsRefusedAtOnce(t *testing.T) {
	var env []string
	for i := range 100_000 {
		env = append(env, `{"name":"V`+strconv.Itoa(i)+`","value":"x"}`)
	}
	for name, params := range map[string]string{
		"variables": `"command":"true","env":[` + strings.Join(env, ",") + `]`,
		"words":     `"command":"true","args":["x"` + strings.Repeat(`,"a"`, 5_000) + `]`,
		"one word":  `"command":"true","args":["` + strings.Repeat("a b", 256<<10) + `"]`,
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil, hello+`
expect@p session/prompt
request terminal/create {"sessionId":"$session",`+params+`}
refused
reply@p {"stopReason":"end_turn"}`).open()
			began := time.Now()
			r.run("go")
			if n := len(r.screen.questions()); n != 0 {
				t.Errorf("asked %d times", n)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}
