//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The flood: so many updates a second, for so long.
const (
	floodRate    = 10_000
	floodSeconds = 30
	maxRSS       = 100 << 20 // of the bridge, at its highest
)

// flood is an agent that answers a prompt with updates at a steady rate.
func flood(in io.Reader, out io.Writer) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	w := bufio.NewWriter(out)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || len(m.ID) == 0 {
			continue
		}
		result := "{}"
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":1,"agentCapabilities":{}}`
		case "session/new":
			result = `{"sessionId":"s1"}`
		case "session/prompt":
			pour(w)
			result = `{"stopReason":"end_turn"}`
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
		w.Flush()
	}
}

func pour(w *bufio.Writer) {
	const batch = floodRate / 100
	tick := time.NewTicker(time.Second / 100)
	defer tick.Stop()
	for i := range floodRate * floodSeconds {
		if i%batch == 0 {
			w.Flush()
			<-tick.C
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"<%d> and some more words, as many as a model says at a time"}}}}`+"\n", i)
	}
}

func TestE2EAFloodForASlowEditorIsCoalescedCompleteAndBounded(t *testing.T) {
	w := newWorld(t, nil)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w.agent = []string{exe, "flood"}
	e := w.start()
	s := e.newSession()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	e.mu.Lock()
	e.pace = tick.C
	e.mu.Unlock()
	turn := e.send(s, "go")
	if end := e.ended(turn); end.Reason != "end_turn" {
		t.Fatalf("ended with %s %s", end.Reason, end.Error)
	}
	next := 0
	for _, n := range regexp.MustCompile(`<\d+>`).FindAllString(e.said(), -1) {
		if n != "<"+strconv.Itoa(next)+">" {
			t.Fatalf("%s came where %d was due", n, next)
		}
		next++
	}
	if next != floodRate*floodSeconds {
		t.Errorf("%d of %d updates came", next, floodRate*floodSeconds)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", e.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(peak)[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d updates in %d messages, peak RSS %d MB", next, len(e.notes), kb>>10)
	if kb<<10 > maxRSS {
		t.Errorf("peak RSS %d MB, at most %d are allowed", kb>>10, maxRSS>>20)
	}
}
