package bench

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkReadTextFile measures, at the agent's end, how long it waits for
// 10 KB of a file.
func BenchmarkReadTextFile(b *testing.B) {
	names := []string{"conn", "raw", "coder", "typescript"}
	p50, p99 := map[string][]int64{}, map[string][]int64{}
	for b.Loop() {
		for range *rounds {
			for _, name := range names {
				_, l := measure(b, name, taskRead)
				p50[name] = append(p50[name], l.P50)
				p99[name] = append(p99[name], l.P99)
			}
		}
	}
	rows := [][]string{{"", "p50", "p99", "p50 of conn"}}
	for _, name := range names {
		rows = append(rows, []string{
			name, time.Duration(median(p50[name])).String(), time.Duration(median(p99[name])).String(),
			fmt.Sprintf("%.2f", float64(median(p50[name]))/float64(median(p50["conn"]))),
		})
	}
	report(b, fmt.Sprintf("fs/read_text_file of %d bytes, %d calls, median of %d rounds", len(fileText), reads, *rounds), rows, []target{
		{"x raw p50", float64(median(p50["conn"])) / float64(median(p50["raw"])), 2, false},
	})
}
