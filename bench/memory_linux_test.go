package bench

import (
	"bytes"
	"os"
	"strconv"
)

// peakMemory returns the largest resident memory of this process so far, in KiB.
func peakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	fields := bytes.Fields(rest[:min(len(rest), 40)])
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.ParseInt(string(fields[0]), 10, 64)
	return n
}
