package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"
)

const (
	taskStamp = "stamp" // updates with the time at which they were written, one every stampEvery

	stamps     = 3000
	stampEvery = time.Millisecond
)

// through is one run of an editor in front of an agent.
type through struct {
	nanos   int64   // from the prompt to its answer
	late    []int64 // nanoseconds from the writing of an update to its arrival, sorted
	peakKiB int64   // resident memory of what is between the two
}

// BenchmarkThrough is an editor that talks to an agent directly, and the same with `copilot-bridge acp` between them.
func BenchmarkThrough(b *testing.B) {
	exe := bridge(b)
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	roads := map[string][]string{"direct": {self}, "bridge": {exe, "acp", "--", self}}
	rate, peak := map[string][]float64{}, []int64{}
	p50, p99 := map[string][]float64{}, map[string][]float64{}
	for b.Loop() {
		for range *rounds {
			for _, road := range []string{"direct", "bridge"} {
				flood := edit(b, roads[road], taskFull)
				rate[road] = append(rate[road], updates/float64(flood.nanos)*1e9)
				if road == "bridge" {
					peak = append(peak, flood.peakKiB)
				}
				paced := edit(b, roads[road], taskStamp)
				micro := func(n int64) float64 { return float64(n) / 1e3 }
				p50[road] = append(p50[road], micro(paced.late[len(paced.late)/2]))
				p99[road] = append(p99[road], micro(paced.late[len(paced.late)*99/100]))
			}
		}
	}
	rows := [][]string{{"", "updates/s", "p50 µs", "p99 µs", "peak MB"}}
	for _, road := range []string{"direct", "bridge"} {
		row := []string{road, fmt.Sprintf("%.0f", median(rate[road])), fmt.Sprintf("%.0f", median(p50[road])), fmt.Sprintf("%.0f", median(p99[road])), ""}
		if road == "bridge" {
			row[4] = fmt.Sprintf("%.1f", float64(median(peak))/1024)
		}
		rows = append(rows, row)
	}
	report(b, fmt.Sprintf("an editor and an agent, %d updates at full speed and %d one every %v, median of %d rounds", updates, stamps, stampEvery, *rounds), rows, []target{
		{"x direct", median(rate["bridge"]) / median(rate["direct"]), 0.5, true},
		{"added p50 us", median(p50["bridge"]) - median(p50["direct"]), 50, false},
		{"added p99 us", median(p99["bridge"]) - median(p99["direct"]), 1000, false},
		{"through peak MB", float64(median(peak)) / 1024, 24, false},
	})
}

// edit is an editor for one turn.
func edit(b *testing.B, command []string, task string) (t through) {
	b.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	in, out := attach(b, cmd, task)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(make([]byte, 64<<10), 64<<20)
	ask := func(id int, method, params string) {
		if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`+"\n", id, method, params); err != nil {
			b.Fatal(err)
		}
	}
	answer := func(update func(string)) {
		for lines.Scan() {
			var m rawMessage
			if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
				b.Fatal(err)
			}
			if m.Method == "" {
				return
			}
			update(m.Params.Update.Content.Text)
		}
		b.Fatalf("%v: it ended: %v", command, lines.Err())
	}
	ask(1, "initialize", `{"protocolVersion":1}`)
	answer(func(string) {})
	ask(2, "session/new", fmt.Sprintf(`{"cwd":%q,"mcpServers":[]}`, cmd.Dir))
	answer(func(string) {})
	var o outcome
	start := time.Now()
	ask(3, "session/prompt", fmt.Sprintf(`{"sessionId":"%s","prompt":[{"type":"text","text":"go"}]}`, session))
	answer(func(text string) {
		if task == taskFull {
			o.update(text)
			return
		}
		sent, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		t.late = append(t.late, time.Now().UnixNano()-sent)
	})
	t.nanos, t.peakKiB = time.Since(start).Nanoseconds(), peakOf(cmd.Process.Pid)
	if task == taskFull && (o.Received != updates || o.Misplace != 0) {
		b.Fatalf("%v: %d of %d updates arrived, %d of them out of order", command, o.Received, updates, o.Misplace)
	}
	if task == taskStamp && len(t.late) != stamps {
		b.Fatalf("%v: %d of %d updates arrived", command, len(t.late), stamps)
	}
	slices.Sort(t.late)
	_ = in.Close()
	_, _ = io.Copy(io.Discard, out)
	_ = cmd.Wait()
	return t
}

// stampOften writes updates that say when they were written.
func (a *agent) stampOften() error {
	tick := time.NewTicker(stampEvery)
	defer tick.Stop()
	for range stamps {
		<-tick.C
		if _, err := fmt.Fprintf(a.out, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"%s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%d"}}}}`+"\n",
			session, time.Now().UnixNano()); err != nil {
			return err
		}
	}
	return nil
}
