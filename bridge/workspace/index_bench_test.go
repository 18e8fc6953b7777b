package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// forest makes a folder of n small files, a hundred in each folder.
func forest(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	for i := range n {
		sub := filepath.Join(dir, fmt.Sprintf("d%02d", i/100%100), fmt.Sprintf("e%d", i/10000))
		if i%100 == 0 {
			check(b, os.MkdirAll(sub, 0o755))
		}
		check(b, os.WriteFile(filepath.Join(sub, fmt.Sprintf("f%d.go", i)), []byte(fmt.Sprintf("package f%d\n", i)), 0o644))
	}
	return dir
}

// BenchmarkBefore is how long a command is held up: the first one in a folder, and the next.
func BenchmarkBefore(b *testing.B) {
	for _, n := range []int{10_000, 200_000} {
		dir := forest(b, n)
		b.Run(fmt.Sprintf("first/%dk", n/1000), func(b *testing.B) {
			var longest time.Duration
			for range b.N {
				x, err := NewIndex(dir)
				check(b, err)
				start := time.Now()
				check(b, x.Before(context.Background(), Hints{}))
				longest = max(longest, time.Since(start))
			}
			b.ReportMetric(float64(longest.Microseconds())/1e3, "max-ms")
		})
		b.Run(fmt.Sprintf("next/%dk", n/1000), func(b *testing.B) {
			x, err := NewIndex(dir)
			check(b, err)
			check(b, x.Before(context.Background(), Hints{}))
			var longest, after time.Duration
			for range b.N {
				start := time.Now()
				check(b, x.Before(context.Background(), Hints{}))
				longest = max(longest, time.Since(start))
				start = time.Now()
				_, _, err := x.After(context.Background())
				check(b, err)
				after = max(after, time.Since(start))
			}
			b.ReportMetric(float64(longest.Microseconds())/1e3, "max-ms")
			b.ReportMetric(float64(after.Microseconds())/1e3, "after-ms")
		})
	}
}
