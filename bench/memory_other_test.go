//go:build !linux

package bench

// peakMemory is not known here.
func peakMemory() int64 { return 0 }

func peakOf(int) int64 { return 0 }
