package bench

import (
	"fmt"
	"testing"
)

type entry struct{ name, task string }

// BenchmarkStream has another process write 200,000 updates. Rounds go through
// all contenders in turn, so that a busy machine is busy for all of them.
func BenchmarkStream(b *testing.B) {
	entries := []entry{
		{"conn", taskFull}, {"raw", taskFull}, {"typescript", taskFull},
		{"conn", taskPaused}, {"coder", taskPaused},
	}
	nanos := map[entry][]int64{}
	peak := map[entry][]int64{}
	for b.Loop() {
		for range *rounds {
			for _, e := range entries {
				o, _ := measure(b, e.name, e.task)
				nanos[e] = append(nanos[e], o.Nanos)
				peak[e] = append(peak[e], o.PeakKiB)
			}
		}
	}
	conn, paused := entries[0], entries[3]
	rate := func(e entry) float64 { return updates / float64(median(nanos[e])) * 1e9 }
	rows := [][]string{{"", "updates/s", "of conn", "peak MB"}}
	for _, e := range entries {
		own := conn
		if e.task == taskPaused {
			own = paused
		}
		rows = append(rows, []string{
			e.name + " " + e.task, fmt.Sprintf("%.0f", rate(e)), fmt.Sprintf("%.2f", rate(e)/rate(own)),
			fmt.Sprintf("%.1f", float64(median(peak[e]))/1024),
		})
	}
	report(b, fmt.Sprintf("%d updates, median of %d rounds", updates, *rounds), rows, []target{
		{"x raw", rate(conn) / rate(entries[1]), 0.75, true},
		{"x typescript", rate(conn) / rate(entries[2]), 5, true},
		{"x coder", rate(paused) / rate(entries[4]), 8, true},
		{"peak MB", float64(max(median(peak[conn]), median(peak[paused]))) / 1024, 16, false},
	})
}
