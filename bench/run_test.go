package bench

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
)

var (
	rounds  = flag.Int("rounds", 3, "how often each contender runs; the median counts")
	enforce = flag.Bool("enforce", false, "fail a benchmark that misses a target")
)

// measure runs one contender once.
func measure(b *testing.B, name, task string) (outcome, latencies) {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asContender+"="+name)
	if name == "typescript" {
		sdk, err := installSDK()
		if err != nil {
			b.Fatal(err)
		}
		cmd = exec.Command("node", "typescript/receiver.mjs")
		cmd.Env = append(os.Environ(), "BENCH_SDK="+sdk, "BENCH_SESSION="+session, "BENCH_FILE_TEXT="+fileText, fmt.Sprintf("BENCH_TURNS=%d", turns(task)))
	}
	cmd.Env = append(cmd.Env, taskOf+"="+task, agentOf+"="+self)
	var out, report bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &report
	if err := cmd.Run(); err != nil {
		b.Fatalf("%s, %s: %v\n%s", name, task, err, report.Bytes())
	}
	var o outcome
	if err := json.Unmarshal(out.Bytes(), &o); err != nil {
		b.Fatalf("%s, %s: %v\n%s%s", name, task, err, out.Bytes(), report.Bytes())
	}
	var l latencies
	if task == taskRead {
		if err := json.Unmarshal(report.Bytes(), &l); err != nil {
			b.Fatalf("%s, %s: %v\n%s", name, task, err, report.Bytes())
		}
		return o, l
	}
	if o.Received != updates || o.Misplace != 0 {
		b.Fatalf("%s, %s: %d of %d updates arrived, %d of them out of order", name, task, o.Received, updates, o.Misplace)
	}
	return o, l
}

func median[T cmp.Ordered](all []T) T {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// target is one promise and how it came out.
type target struct {
	name  string
	got   float64
	limit float64
	least bool // limit is the least that will do, not the most
}

func (t target) holds() bool {
	if t.least {
		return t.got >= t.limit
	}
	return t.got <= t.limit
}

// report prints the table and the targets, and passes the latter on as metrics.
func report(b *testing.B, title string, rows [][]string, targets []target) {
	b.Helper()
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	for _, t := range targets {
		relation, verdict := "at most", "holds"
		if t.least {
			relation = "at least"
		}
		if !t.holds() {
			verdict = "MISSED"
		}
		fmt.Fprintf(w, "%s\t%.2f\t%s %g: %s\n", t.name, t.got, relation, t.limit, verdict)
		b.ReportMetric(t.got, strings.ReplaceAll(t.name, " ", "-"))
	}
	w.Flush()
	fmt.Fprintf(os.Stderr, "\n%s\n%s", title, text.String())
	for _, t := range targets {
		if *enforce && !t.holds() {
			b.Errorf("%s is %.2f", t.name, t.got)
		}
	}
}
