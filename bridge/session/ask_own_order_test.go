package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestTheAgentsOwnQuestionsComeInTheOrderOfItsCalls: several at once, of which the later ones are ready first.
func TestTheAgentsOwnQuestionsComeInTheOrderOfItsCalls(t *testing.T) {
	t.Parallel()
	const n = 5
	files, script := map[string]string{}, hello+"expect session/prompt\n"
	var want []string
	for i := range n {
		// The first takes the longest to be compared with what is there.
		files[fmt.Sprintf("%d.txt", i)] = strings.Repeat("line\n", 1+20_000*(n-1-i)/n) + "end\n"
		script += fmt.Sprintf("update tool_call {\"toolCallId\":\"c%d\",\"title\":\"Edit\",\"kind\":\"edit\",\"status\":\"pending\"}\n", i)
		want = append(want, fmt.Sprintf("Edit %d.txt", i))
	}
	for i := range n {
		script += fmt.Sprintf("request@r%d session/request_permission {\"sessionId\":\"s1\",\"toolCall\":{\"toolCallId\":\"c%d\",\"kind\":\"edit\",\"content\":[%s]},%s}\n",
			i, i, diffOf(fmt.Sprintf("$cwd/%d.txt", i), `end\n`, `END\n`), options4)
	}
	for i := range n {
		script += fmt.Sprintf("answer@r%d\n", i)
	}
	r := newRig(t, files, script+"reply {\"stopReason\":\"end_turn\"}").open()
	r.run("go")
	var got []string
	for _, q := range r.screen.questions() {
		got = append(got, q.Title)
	}
	if !slices.Equal(got, want) {
		t.Errorf("asked %q", got)
	}
}
